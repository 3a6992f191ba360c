from django.db import migrations, models

PACK = """
UPDATE benchmarks_samples SET packed = (
    SELECT coalesce(string_agg(float8send(value), ''::bytea ORDER BY place), ''::bytea)
    FROM unnest("values") WITH ORDINALITY AS each (value, place)
)
"""


class Migration(migrations.Migration):

    dependencies = [("benchmarks", "0006_lines")]

    operations = [
        migrations.AddField(
            model_name="samples",
            name="packed",
            field=models.BinaryField(default=b"", verbose_name="measurements"),
            preserve_default=False,
        ),
        migrations.RunSQL(PACK, migrations.RunSQL.noop),
        migrations.RemoveField(model_name="samples", name="values"),
    ]
