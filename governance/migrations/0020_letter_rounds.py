import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('governance', '0019_consensus_pins_its_rules'),
    ]

    operations = [
        migrations.CreateModel(
            name='LetterRound',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('motion_opened', 'vote opened'), ('motion_reminder', 'reminder'), ('motion_result', 'result'), ('motion_withdrawn', 'withdrawn'), ('consent_opened', 'signature asked for'), ('consent_reminder', 'reminder to sign'), ('consent_ended', 'end of the written consent')], max_length=20, verbose_name='kind')),
                ('reached', models.PositiveIntegerField(default=0, verbose_name='promised up to number')),
                ('begun_at', models.DateTimeField(verbose_name='begun')),
                ('done_at', models.DateTimeField(null=True, verbose_name='done')),
                ('motion', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='letter_rounds', to='governance.motion')),
            ],
            options={
                'verbose_name': 'letter round',
                'verbose_name_plural': 'letter rounds',
                'ordering': ['pk'],
                'indexes': [models.Index(condition=models.Q(('done_at__isnull', True)), fields=['id'], name='letter_round_running')],
                'constraints': [models.UniqueConstraint(fields=('motion', 'kind'), name='letter_round_once')],
            },
        ),
    ]
