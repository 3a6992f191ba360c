"""Kinds, versions, schedules, withdrawals; what made a draft; the figures of reports."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('news', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Occasion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=200, unique=True, verbose_name='what happened')),
                ('noted_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='noted')),
                ('told_at', models.DateTimeField(editable=False, null=True, verbose_name='editors told')),
                ('doubt', models.CharField(blank=True, max_length=300, verbose_name='why not to publish it')),
            ],
            options={
                'verbose_name': 'occasion',
                'verbose_name_plural': 'occasions',
                'ordering': ['-noted_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='ReportFigures',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('year', models.PositiveSmallIntegerField(verbose_name='year')),
                ('number', models.PositiveSmallIntegerField(verbose_name='quarter')),
                ('tables', models.JSONField(default=list, verbose_name='tables')),
                ('computed_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='computed')),
            ],
            options={
                'verbose_name': 'figures of a report',
                'verbose_name_plural': 'figures of reports',
                'ordering': ['-year', '-number'],
            },
        ),
        migrations.CreateModel(
            name='Version',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(verbose_name='number')),
                ('kind', models.CharField(choices=[('news', 'News'), ('release', 'Release'), ('supporter', 'Supporter'), ('report', 'Quarterly report')], max_length=10, verbose_name='kind')),
                ('slug', models.SlugField(max_length=80, verbose_name='address')),
                ('title', models.CharField(max_length=160, verbose_name='title')),
                ('summary', models.CharField(max_length=300, verbose_name='summary')),
                ('body', models.TextField(verbose_name='text')),
                ('byline', models.CharField(blank=True, max_length=120, verbose_name='signed by')),
                ('note', models.CharField(blank=True, max_length=120, verbose_name='note')),
                ('saved_at', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='saved')),
            ],
            options={
                'verbose_name': 'version',
                'verbose_name_plural': 'versions',
                'ordering': ['announcement', '-number'],
            },
        ),
        migrations.RenameField(
            model_name='announcement',
            old_name='updated_at',
            new_name='changed_at',
        ),
        migrations.AddField(
            model_name='announcement',
            name='byline',
            field=models.CharField(blank=True, max_length=120, verbose_name='signed by'),
        ),
        migrations.AlterField(
            model_name='announcement',
            name='changed_at',
            field=models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='changed'),
        ),
        migrations.AddField(
            model_name='announcement',
            name='created_at',
            field=models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='begun'),
        ),
        migrations.AddField(
            model_name='announcement',
            name='dropped_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='thrown away'),
        ),
        migrations.AddField(
            model_name='announcement',
            name='kind',
            field=models.CharField(choices=[('news', 'News'), ('release', 'Release'), ('supporter', 'Supporter'), ('report', 'Quarterly report')], default='news', max_length=10, verbose_name='kind'),
        ),
        migrations.AddField(
            model_name='announcement',
            name='published_by',
            field=models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='published by'),
        ),
        migrations.AddField(
            model_name='announcement',
            name='told_at',
            field=models.DateTimeField(editable=False, null=True, verbose_name='told who scheduled it'),
        ),
        migrations.AddField(
            model_name='announcement',
            name='version',
            field=models.PositiveIntegerField(default=1, editable=False, verbose_name='version'),
        ),
        migrations.AddField(
            model_name='announcement',
            name='withdraw_reason',
            field=models.CharField(blank=True, max_length=500, verbose_name='why it was withdrawn'),
        ),
        migrations.AddField(
            model_name='announcement',
            name='withdrawn_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='withdrawn'),
        ),
        migrations.AlterField(
            model_name='announcement',
            name='author',
            field=models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='begun by'),
        ),
        migrations.AlterField(
            model_name='announcement',
            name='published_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='published'),
        ),
        migrations.AddConstraint(
            model_name='announcement',
            constraint=models.CheckConstraint(condition=models.Q(('slug__in', ('feeds', 'reports')), _negated=True), name='announcement_slug_is_no_page', violation_error_message='Another page stands at this address. Choose another.'),
        ),
        migrations.AddConstraint(
            model_name='announcement',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('withdraw_reason', ''), ('withdrawn_at__isnull', True)), models.Q(('published_at__isnull', False), ('withdrawn_at__gte', models.F('published_at')), models.Q(('withdraw_reason', ''), _negated=True)), _connector='OR'), name='announcement_withdrawn_after_it_was_published_with_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='announcement',
            constraint=models.CheckConstraint(condition=models.Q(('dropped_at__isnull', True), ('published_at__isnull', True), _connector='OR'), name='announcement_thrown_away_as_a_draft'),
        ),
        migrations.AddField(
            model_name='occasion',
            name='announcement',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='occasion', to='news.announcement', verbose_name='announcement'),
        ),
        migrations.AddField(
            model_name='reportfigures',
            name='announcement',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='figures', to='news.announcement', verbose_name='announcement'),
        ),
        migrations.AddField(
            model_name='version',
            name='announcement',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='news.announcement', verbose_name='announcement'),
        ),
        migrations.AddField(
            model_name='version',
            name='saved_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='saved by'),
        ),
        migrations.AddConstraint(
            model_name='reportfigures',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1), ('number__lte', 4)), name='report_of_a_quarter'),
        ),
        migrations.AddConstraint(
            model_name='version',
            constraint=models.UniqueConstraint(fields=('announcement', 'number'), name='news_version_once'),
        ),
    ]
