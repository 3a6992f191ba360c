from django.db import migrations

FORWARD = """
CREATE TRIGGER governance_version_stays
    BEFORE UPDATE OR DELETE ON governance_version
    FOR EACH ROW EXECUTE FUNCTION governance_row_never_changes();

CREATE FUNCTION governance_decided_typo_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' OR OLD.decided_at IS NOT NULL
        OR ROW(NEW.version_id, NEW.clause, NEW.wrong, NEW."right", NEW.reported_by_id)
           IS DISTINCT FROM
           ROW(OLD.version_id, OLD.clause, OLD.wrong, OLD."right", OLD.reported_by_id)
    THEN
        RAISE EXCEPTION 'what was reported as typo % stays as it is', OLD.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER governance_typo_stays
    BEFORE UPDATE OR DELETE ON governance_typo
    FOR EACH ROW EXECUTE FUNCTION governance_decided_typo_stays();
"""
BACKWARD = """
DROP TRIGGER governance_typo_stays ON governance_typo;
DROP FUNCTION governance_decided_typo_stays();
DROP TRIGGER governance_version_stays ON governance_version;
"""


class Migration(migrations.Migration):
    dependencies = [("governance", "0003_bylaws")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
