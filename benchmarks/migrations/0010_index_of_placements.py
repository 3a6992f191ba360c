from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('benchmarks', '0009_comparison_method'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='ledgerline',
            index=models.Index(fields=['suite', 'case_slug', 'placement'], name='benchmark_ledger_placement'),
        ),
    ]
