"""The name of a key in the signer; who was told that it ends, and when."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('releases', '0014_series_edited'),
    ]

    operations = [
        migrations.AddField(
            model_name='signingkey',
            name='own_name',
            field=models.SlugField(blank=True, max_length=60, verbose_name='name in the signer'),
        ),
        migrations.CreateModel(
            name='KeyAlarm',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('days', models.PositiveSmallIntegerField(verbose_name='days before')),
                ('expires_at', models.DateTimeField(verbose_name='expires')),
                ('told_at', models.DateTimeField(verbose_name='told')),
                ('key', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='alarms', to='releases.signingkey')),
            ],
            options={
                'verbose_name': 'warning of a key',
                'verbose_name_plural': 'warnings of keys',
                'constraints': [models.UniqueConstraint(fields=('key', 'days', 'expires_at'), name='key_warned_once')],
            },
        ),
    ]
