"""Raw reports and facts lie in one partition for each month.

Rows, constraints and indices are taken over as they are; columns of fixed width come first, so
that a row takes less room. Models stay as they were: only the database knows of partitions.
"""

from django.db import migrations

AHEAD = 3  # months that are made at once, this one not counted

# Makes the table anew with `layout`, then carries its rows, constraints and indices over. Foreign
# keys come after the rows: rows that wait for a deferred check would forbid the next change.
REBUILD = """
DO $$
DECLARE
    whole CONSTANT text := '{table}';
    columns text;
    promises text[];
    promise text;
    month date;
BEGIN
    SELECT string_agg(
        format('%I %s%s', attname, format_type(atttypid, atttypmod),
               CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END),
        ', ' ORDER BY attlen DESC, attnum)
    INTO columns FROM pg_attribute
    WHERE attrelid = whole::regclass AND attnum > 0 AND NOT attisdropped;

    SELECT array_agg(sentence ORDER BY rank, name) INTO promises FROM (
        SELECT 1 AS rank, conname AS name,
               format('ALTER TABLE %I ADD CONSTRAINT %I %s', whole, conname,
                      pg_get_constraintdef(oid)) AS sentence
        FROM pg_constraint WHERE conrelid = whole::regclass AND contype IN ('p', 'c', 'f')
        UNION ALL
        SELECT 2, indexrelid::regclass::text,
               replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ')
        FROM pg_index WHERE indrelid = whole::regclass AND NOT indisprimary
    ) AS known;

    EXECUTE format('ALTER TABLE %I RENAME TO feedback_former', whole);
    EXECUTE format('CREATE TABLE %I (%s) {layout}', whole, columns);
    {storage}
    {partitions}
    SELECT string_agg(quote_ident(attname), ', ') INTO columns FROM pg_attribute
    WHERE attrelid = whole::regclass AND attnum > 0;
    EXECUTE format('INSERT INTO %I (%s) SELECT %s FROM feedback_former', whole, columns, columns);
    DROP TABLE feedback_former;
    FOREACH promise IN ARRAY promises LOOP
        EXECUTE promise;
    END LOOP;
END $$
"""
STORAGE = "EXECUTE 'ALTER TABLE feedback_report ALTER COLUMN body SET STORAGE EXTERNAL';"
PARTITIONS = f"""
    FOR month IN
        SELECT DISTINCT date_trunc('month', week)::date FROM feedback_former
        UNION
        SELECT generate_series(date_trunc('month', now() AT TIME ZONE 'UTC'),
                               now() AT TIME ZONE 'UTC' + interval '{AHEAD} months',
                               interval '1 month')::date
    LOOP
        EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
                       whole || to_char(month, '_YYYY_MM'), whole, month,
                       (month + interval '1 month')::date);
    END LOOP;
"""


def rebuild(table: str) -> migrations.RunSQL:
    """Cut a table into months; backwards, make one of them."""
    storage = STORAGE if table == "feedback_report" else ""

    def sql(layout: str, partitions: str) -> str:
        return REBUILD.format(table=table, layout=layout, storage=storage, partitions=partitions)

    return migrations.RunSQL(sql("PARTITION BY RANGE (week)", PARTITIONS), sql("", ""))


class Migration(migrations.Migration):
    dependencies = [("feedback", "0009_imported_parts")]

    operations = [rebuild("feedback_report"), rebuild("feedback_serverweek")]
