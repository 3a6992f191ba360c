from django.db import migrations

FORWARD = """
CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger is append-only: book another entry instead';
END $$;
CREATE TRIGGER ledger_append_only
    BEFORE UPDATE OR DELETE ON payments_ledgerentry
    FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER ledger_not_truncated
    BEFORE TRUNCATE ON payments_ledgerentry
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
"""
BACKWARD = """
DROP TRIGGER ledger_not_truncated ON payments_ledgerentry;
DROP TRIGGER ledger_append_only ON payments_ledgerentry;
DROP FUNCTION ledger_is_append_only();
"""


class Migration(migrations.Migration):
    dependencies = [("payments", "0001_initial")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
