"""Raw reports keep their values beside one set of keys. Those stored before go: facts stay."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('feedback', '0003_country_of_reports'),
    ]

    operations = [
        migrations.RunSQL("DELETE FROM feedback_report", migrations.RunSQL.noop),
        migrations.CreateModel(
            name='Dictionary',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('content', models.BinaryField(verbose_name='content')),
                ('trained_at', models.DateTimeField(verbose_name='trained')),
                ('reports', models.PositiveIntegerField(verbose_name='reports it was tried on')),
            ],
            options={
                'verbose_name': 'dictionary',
                'verbose_name_plural': 'dictionaries',
            },
        ),
        migrations.CreateModel(
            name='KeySet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.BinaryField(max_length=16, unique=True, verbose_name='digest')),
                ('keys', models.BinaryField(verbose_name='keys')),
                ('size', models.PositiveIntegerField(verbose_name='number of keys')),
            ],
            options={
                'verbose_name': 'set of keys',
                'verbose_name_plural': 'sets of keys',
            },
        ),
        migrations.AlterField(
            model_name='report',
            name='body',
            field=models.BinaryField(help_text='Values in the order of the keys, packed.', verbose_name='body'),
        ),
        migrations.AddField(
            model_name='report',
            name='dictionary',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='stored', to='feedback.dictionary', verbose_name='dictionary'),
        ),
        migrations.AddField(
            model_name='report',
            name='key_set',
            field=models.ForeignKey(default=1, on_delete=django.db.models.deletion.PROTECT, related_name='reports', to='feedback.keyset', verbose_name='set of keys'),
            preserve_default=False,
        ),
    ]
