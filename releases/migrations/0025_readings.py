"""What came of reading repositories back as a client does."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('releases', '0024_one_kind_of_alarm'),
    ]

    operations = [
        migrations.CreateModel(
            name='Reading',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('serial', models.PositiveIntegerField(verbose_name='publication')),
                ('read_at', models.DateTimeField(verbose_name='read')),
                ('reason', models.CharField(blank=True, max_length=500, verbose_name='what is wrong')),
                ('package', models.CharField(blank=True, max_length=300, verbose_name='package that was fetched')),
                ('came_from', models.CharField(blank=True, max_length=253, verbose_name='sent by')),
                ('repository', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='readings', to='releases.repository')),
            ],
            options={
                'verbose_name': 'reading',
                'verbose_name_plural': 'readings',
                'indexes': [models.Index(fields=['repository', '-read_at'], name='reading_newest')],
            },
        ),
    ]
