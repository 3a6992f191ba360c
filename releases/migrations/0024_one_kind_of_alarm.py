"""One kind of row for every alarm: what was told of keys and of indices goes over."""

import django.db.models.deletion
from django.db import migrations, models


def merge(apps, schema_editor):
    Alarm = apps.get_model('releases', 'Alarm')
    for old in apps.get_model('releases', 'KeyAlarm').objects.iterator():
        Alarm.objects.create(kind='key', key_id=old.key_id, moment=old.expires_at, step=old.days, told_at=old.told_at)
    for old in apps.get_model('releases', 'RenewalAlarm').objects.iterator():
        Alarm.objects.create(kind='renewal', repository_id=old.repository_id, moment=old.valid_until, step=old.percent, told_at=old.told_at)


def part(apps, schema_editor):
    KeyAlarm = apps.get_model('releases', 'KeyAlarm')
    RenewalAlarm = apps.get_model('releases', 'RenewalAlarm')
    alarms = apps.get_model('releases', 'Alarm').objects
    for alarm in alarms.filter(kind='key').iterator():
        KeyAlarm.objects.create(key_id=alarm.key_id, expires_at=alarm.moment, days=alarm.step, told_at=alarm.told_at)
    for alarm in alarms.filter(kind='renewal').iterator():
        RenewalAlarm.objects.create(repository_id=alarm.repository_id, valid_until=alarm.moment, percent=alarm.step, told_at=alarm.told_at)


class Migration(migrations.Migration):

    dependencies = [
        ('releases', '0023_signed_advisories'),
    ]

    operations = [
        migrations.CreateModel(
            name='Alarm',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('key', 'a key ends'), ('renewal', 'an index ends and was not renewed'), ('reading', 'clients cannot use a repository')], max_length=10, verbose_name='kind')),
                ('moment', models.DateTimeField(verbose_name='when it ends, or began')),
                ('step', models.PositiveSmallIntegerField(default=0, help_text='Days before, or percent of the time that were left.', verbose_name='step')),
                ('told_at', models.DateTimeField(verbose_name='told')),
                ('key', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='alarms', to='releases.signingkey')),
                ('repository', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='alarms', to='releases.repository')),
            ],
            options={
                'verbose_name': 'alarm',
                'verbose_name_plural': 'alarms',
                'constraints': [
                    models.CheckConstraint(condition=models.Q(models.Q(('key__isnull', False), ('kind', 'key'), ('repository', None)), models.Q(('key', None), ('kind__in', ['renewal', 'reading']), ('repository__isnull', False)), _connector='OR'), name='alarm_is_about_one_thing'),
                    models.UniqueConstraint(fields=('kind', 'key', 'repository', 'moment', 'step'), name='alarm_told_once', nulls_distinct=False),
                ],
            },
        ),
        migrations.RunPython(merge, part),
        migrations.DeleteModel(name='KeyAlarm'),
        migrations.DeleteModel(name='RenewalAlarm'),
    ]
