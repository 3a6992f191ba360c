"""Names that servers sent, what speaks against a report, and all of a report set aside.

The index of weeks goes: each month will lie in a partition of its own (0010).
"""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('feedback', '0006_weeks_without_months'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='KnownKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=128, unique=True, verbose_name='name')),
                ('first_seen', models.DateField(verbose_name='first seen')),
                ('last_seen', models.DateField(verbose_name='last seen')),
                ('reports', models.PositiveBigIntegerField(default=0, verbose_name='reports')),
                ('state', models.CharField(choices=[('new', 'waits for a decision'), ('approved', 'approved'), ('refused', 'refused')], default='new', max_length=8, verbose_name='state')),
                ('decided_at', models.DateTimeField(null=True, verbose_name='decided')),
            ],
            options={
                'verbose_name': 'name of a variable',
                'verbose_name_plural': 'names of variables',
                'ordering': ['-reports', 'name'],
            },
        ),
        migrations.AlterField(
            model_name='count',
            name='label',
            field=models.CharField(max_length=128, verbose_name='label'),
        ),
        migrations.RemoveIndex(
            model_name='serverweek',
            name='server_week_week',
        ),
        migrations.AddField(
            model_name='quarantined',
            name='country',
            field=models.CharField(db_default='', default='', max_length=2, verbose_name='country'),
        ),
        migrations.AddField(
            model_name='quarantined',
            name='word_digest',
            field=models.BinaryField(null=True, verbose_name="digest of the administrator's word"),
        ),
        migrations.AddField(
            model_name='serverweek',
            name='booted_at',
            field=models.DateTimeField(null=True, verbose_name='started at'),
        ),
        migrations.AddField(
            model_name='serverweek',
            name='connections',
            field=models.BigIntegerField(default=0, verbose_name='connections since then'),
        ),
        migrations.AddField(
            model_name='serverweek',
            name='doubts',
            field=models.SmallIntegerField(default=0, help_text='Bits: see feedback/plausibility.py.', verbose_name='doubts'),
        ),
        migrations.AddField(
            model_name='serverweek',
            name='keys',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.IntegerField(), help_text='Numbers of the approved names that are in use.', null=True, size=None, verbose_name='approved names'),
        ),
        migrations.AddField(
            model_name='knownkey',
            name='decided_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='decided by'),
        ),
        migrations.AddIndex(
            model_name='knownkey',
            index=models.Index(condition=models.Q(('state', 'new')), fields=['reports', 'last_seen'], name='known_key_rarest'),
        ),
        migrations.AddConstraint(
            model_name='knownkey',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('decided_by', None), ('state', 'new')), models.Q(('decided_at__isnull', False), ('decided_by__isnull', False), ('state__in', ['approved', 'refused'])), _connector='OR'), name='known_key_decided_by_somebody'),
        ),
        migrations.AddConstraint(
            model_name='knownkey',
            constraint=models.CheckConstraint(condition=models.Q(('first_seen__lte', models.F('last_seen'))), name='known_key_seen_in_order'),
        ),
    ]
