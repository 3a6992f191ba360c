from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('governance', '0029_counts_without_their_bundle'),
    ]

    operations = [
        migrations.AddField(
            model_name='election',
            name='count_fault',
            field=models.TextField(blank=True, default='', editable=False, verbose_name='why it cannot be counted'),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='electionround',
            name='people',
            field=models.JSONField(null=True, verbose_name='accounts'),
        ),
    ]
