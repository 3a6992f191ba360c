from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('benchmarks', '0008_ledger_of_one_metric'),
    ]

    operations = [
        migrations.AlterField(
            model_name='comparison',
            name='method',
            field=models.PositiveSmallIntegerField(default=3, verbose_name='method'),
        ),
    ]
