"""Flavour and character set become places in tables of `facts.py`, engines take four bytes.

A column that is made narrower stays where it stands, with a hole behind it; so the months of the
facts are written anew, by width again. That locks them, for some minutes with ten million rows.
"""

from django.db import migrations, models

OUTCOMES = [
    ("counted", "Counted"),
    ("repeated", "The same again"),
    ("test", "Test runs"),
    ("maxscale", "Not a database server"),
    ("no_identity", "Without an identity"),
    ("unreadable", "Set aside, unreadable"),
    ("too_large", "Refused, too large"),
    ("malformed", "Refused, not a report"),
    ("too_often", "Refused, sent too often"),
    ("network", "Refused, too many from one network"),
    ("stranger", "Refused, too many new servers in one network"),
    ("buried", "Of a deleted server, came late"),
    ("withdrawn", "Deleted by its sender"),
]
FLAVOURS = ["other", "mariadb", "enterprise", "percona", "mysql"]
CHARACTER_SETS = ["other", "utf8mb4", "utf8mb3", "utf8", "latin1", "latin2", "ascii", "binary"]


def narrower(column: str, words: list[str]) -> str:
    return (
        f"ALTER COLUMN {column} TYPE smallint"
        f" USING coalesce(array_position(ARRAY{words}, {column}::text), 1) - 1"
    )


def wider(column: str, words: list[str]) -> str:
    return f"ALTER COLUMN {column} TYPE varchar(20) USING (ARRAY{words})[{column} + 1]"


NARROWER = f"""
    ALTER TABLE feedback_serverweek ALTER COLUMN engines TYPE integer,
    {narrower("flavour", FLAVOURS)}, {narrower("character_set", CHARACTER_SETS)}
"""
WIDER = f"""
    ALTER TABLE feedback_serverweek ALTER COLUMN engines TYPE bigint,
    {wider("flavour", FLAVOURS)}, {wider("character_set", CHARACTER_SETS)}
"""
REBUILD = """
DO $$
DECLARE
    whole CONSTANT text := 'feedback_serverweek';
    columns text;
    sentence text;
    promises text[];
    partitions text[];
BEGIN
    SELECT string_agg(
        format('%I %s%s', attname, format_type(atttypid, atttypmod),
               CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END),
        ', ' ORDER BY attlen DESC, attnum)
    INTO columns FROM pg_attribute
    WHERE attrelid = whole::regclass AND attnum > 0 AND NOT attisdropped;

    SELECT array_agg(format('ALTER TABLE %I ADD CONSTRAINT %I %s', whole, conname,
                            pg_get_constraintdef(oid)) ORDER BY conname)
    INTO promises FROM pg_constraint WHERE conrelid = whole::regclass AND contype IN ('p', 'c');

    SELECT array_agg(format('CREATE TABLE %I PARTITION OF %I %s', relname, whole,
                            pg_get_expr(relpartbound, pg_class.oid)))
    INTO partitions FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = whole::regclass;

    FOR sentence IN
        SELECT format('ALTER TABLE %I RENAME TO %I', relname, relname || '_former')
        FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        WHERE inhparent = whole::regclass
    LOOP
        EXECUTE sentence;
    END LOOP;
    ALTER TABLE feedback_serverweek RENAME TO feedback_former;
    EXECUTE format('CREATE TABLE %I (%s) PARTITION BY RANGE (week)', whole, columns);
    FOREACH sentence IN ARRAY coalesce(partitions, '{}') LOOP
        EXECUTE sentence;
    END LOOP;
    SELECT string_agg(quote_ident(attname), ', ') INTO columns FROM pg_attribute
    WHERE attrelid = whole::regclass AND attnum > 0;
    EXECUTE format('INSERT INTO %I (%s) SELECT %s FROM feedback_former', whole, columns, columns);
    DROP TABLE feedback_former;
    FOREACH sentence IN ARRAY promises LOOP
        EXECUTE sentence;
    END LOOP;
END $$
"""


class Migration(migrations.Migration):
    dependencies = [("feedback", "0010_partitions_by_month")]

    operations = [
        migrations.RunSQL(
            NARROWER,
            WIDER,
            state_operations=[
                migrations.AlterField(
                    model_name="serverweek",
                    name="engines",
                    field=models.IntegerField(default=0, verbose_name="engines"),
                ),
                migrations.AlterField(
                    model_name="serverweek",
                    name="flavour",
                    field=models.SmallIntegerField(default=0, verbose_name="flavour"),
                ),
                migrations.AlterField(
                    model_name="serverweek",
                    name="character_set",
                    field=models.SmallIntegerField(default=0, verbose_name="character set"),
                ),
            ],
        ),
        migrations.RunSQL(REBUILD, migrations.RunSQL.noop),
        migrations.AlterField(
            model_name="intake",
            name="outcome",
            field=models.CharField(choices=OUTCOMES, max_length=12, verbose_name="outcome"),
        ),
        migrations.AddIndex(
            model_name="knownkey",
            index=models.Index(
                condition=models.Q(("state", "approved")),
                fields=["name"],
                name="known_key_approved",
            ),
        ),
    ]
