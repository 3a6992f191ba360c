from django.db import migrations

FORWARD = """
CREATE FUNCTION audit_entry_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER audit_entry_append_only
    BEFORE UPDATE OR DELETE ON lib_auditentry
    FOR EACH ROW EXECUTE FUNCTION audit_entry_is_append_only();
CREATE TRIGGER audit_entry_not_truncated
    BEFORE TRUNCATE ON lib_auditentry
    FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_is_append_only();
"""
BACKWARD = """
DROP TRIGGER audit_entry_not_truncated ON lib_auditentry;
DROP TRIGGER audit_entry_append_only ON lib_auditentry;
DROP FUNCTION audit_entry_is_append_only();
"""


class Migration(migrations.Migration):
    dependencies = [("lib", "0001_initial")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
