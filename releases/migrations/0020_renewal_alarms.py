"""Warnings of indices that end and were not renewed."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('releases', '0019_collections'),
    ]

    operations = [
        migrations.CreateModel(
            name='RenewalAlarm',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('valid_until', models.DateTimeField(verbose_name='valid until')),
                ('percent', models.PositiveSmallIntegerField(verbose_name='percent of its time that were left')),
                ('told_at', models.DateTimeField(verbose_name='told')),
                ('repository', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='renewal_alarms', to='releases.repository')),
            ],
            options={
                'verbose_name': 'warning of an index that ends',
                'verbose_name_plural': 'warnings of indices that end',
                'constraints': [models.UniqueConstraint(fields=('repository', 'valid_until', 'percent'), name='renewal_warned_once')],
            },
        ),
    ]
