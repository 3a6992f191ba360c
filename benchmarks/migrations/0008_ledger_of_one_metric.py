from django.db import migrations, models


# As 0004, with the metric by its place in `models.ledger.METRICS`, and times in seconds.
LINES = """
CREATE OR REPLACE FUNCTION benchmarks_line_of(results bigint[]) RETURNS void LANGUAGE sql AS $$
    INSERT INTO benchmarks_ledgerline (result_id, suite_id, case_slug, subject, version, placement,
        transport, prepare, machine, trust, uploaded_at, metric, median)
    SELECT r.id, u.suite_id, r.case_slug, left(r.subject, 80), left(r.version, 40),
        COALESCE(left(NULLIF(r.params->>'cpu_placement', ''), 40), 'unknown'),
        COALESCE(left(r.params->>'transport', 40), ''),
        COALESCE(left(r.params->>'prepare', 40), ''),
        u.machine, greatest(u.trust, r.trust), u.uploaded_at,
        array_position(ARRAY['throughput', 'rows_per_second', 'latency', 'duration', 'ratio',
            'cpu_time', 'memory', 'bytes', 'count'], r.metric::text) - 1,
        s.median * CASE r.unit WHEN 'ms' THEN 1e-3 WHEN 'us' THEN 1e-6 WHEN 'ns' THEN 1e-9 ELSE 1 END
    FROM benchmarks_result r
    JOIN benchmarks_run u ON u.id = r.run_id
    JOIN benchmarks_statistics s ON s.result_id = r.id
    WHERE r.id = ANY (results) AND u.state = 'published'
    ON CONFLICT (result_id) DO UPDATE SET machine = excluded.machine, trust = excluded.trust,
        uploaded_at = excluded.uploaded_at, metric = excluded.metric, median = excluded.median
$$;
SELECT benchmarks_line_of((SELECT array_agg(result_id) FROM benchmarks_statistics));
"""


class Migration(migrations.Migration):

    dependencies = [
        ('benchmarks', '0007_packed_samples'),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name='ledgerline',
            name='benchmark_ledger_rising',
        ),
        migrations.RemoveIndex(
            model_name='ledgerline',
            name='benchmark_ledger_falling',
        ),
        migrations.RemoveIndex(
            model_name='ledgerline',
            name='benchmark_trusted_rising',
        ),
        migrations.RemoveIndex(
            model_name='ledgerline',
            name='benchmark_trusted_falling',
        ),
        migrations.RemoveIndex(
            model_name='ledgerline',
            name='benchmark_ledger_matrix',
        ),
        migrations.RemoveIndex(
            model_name='ledgerline',
            name='benchmark_trusted_matrix',
        ),
        migrations.AddField(
            model_name='ledgerline',
            name='metric',
            field=models.PositiveSmallIntegerField(default=0, verbose_name='metric, by its place in METRICS'),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name='ledgerline',
            name='median',
            field=models.FloatField(verbose_name='median, times in seconds'),
        ),
        migrations.RunSQL(LINES, migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name='ledgerline',
            index=models.Index(fields=['suite', 'case_slug', 'metric', 'placement', 'median'], name='benchmark_ledger_rising'),
        ),
        migrations.AddIndex(
            model_name='ledgerline',
            index=models.Index(fields=['suite', 'case_slug', 'metric', 'placement', '-median'], name='benchmark_ledger_falling'),
        ),
        migrations.AddIndex(
            model_name='ledgerline',
            index=models.Index(condition=models.Q(('trust__gte', 4)), fields=['suite', 'case_slug', 'metric', 'placement', 'median'], name='benchmark_trusted_rising'),
        ),
        migrations.AddIndex(
            model_name='ledgerline',
            index=models.Index(condition=models.Q(('trust__gte', 4)), fields=['suite', 'case_slug', 'metric', 'placement', '-median'], name='benchmark_trusted_falling'),
        ),
        migrations.AddIndex(
            model_name='ledgerline',
            index=models.Index(fields=['suite', 'subject', 'version', 'case_slug', 'metric', '-trust', '-uploaded_at'], name='benchmark_ledger_matrix'),
        ),
        migrations.AddIndex(
            model_name='ledgerline',
            index=models.Index(condition=models.Q(('trust__gte', 4)), fields=['suite', 'subject', 'version', 'case_slug', 'metric', '-trust', '-uploaded_at'], name='benchmark_trusted_matrix'),
        ),
    ]
