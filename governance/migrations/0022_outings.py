import django.contrib.postgres.constraints
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('governance', '0021_silences'),
    ]

    operations = [
        migrations.CreateModel(
            name='Outing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('left_at', models.DateTimeField(verbose_name='left')),
                ('back_at', models.DateTimeField(verbose_name='was back')),
                ('attendance', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='outings', to='governance.attendance')),
            ],
            options={
                'verbose_name': 'outing',
                'verbose_name_plural': 'outings',
                'ordering': ['attendance', 'left_at'],
                'constraints': [models.CheckConstraint(condition=models.Q(('back_at__gt', models.F('left_at'))), name='outing_back_after_leaving', violation_error_message='Somebody is back after they left.'), django.contrib.postgres.constraints.ExclusionConstraint(expressions=[(models.Func(models.F('attendance_id'), models.F('attendance_id'), models.Value('[]'), function='int8range'), '&&'), (models.Func(models.F('left_at'), models.F('back_at'), function='tstzrange'), '&&')], name='outing_one_at_a_time', violation_error_message='Somebody is outside once at a time.')],
            },
        ),
    ]
