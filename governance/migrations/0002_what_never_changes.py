from django.db import migrations

FORWARD = """
CREATE FUNCTION governance_row_never_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% keeps its rows as they are', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE TRIGGER governance_vote_append_only
    BEFORE UPDATE OR DELETE ON governance_vote
    FOR EACH ROW EXECUTE FUNCTION governance_row_never_changes();

CREATE TRIGGER governance_roster_frozen
    BEFORE UPDATE OR DELETE ON governance_rosterseat
    FOR EACH ROW EXECUTE FUNCTION governance_row_never_changes();

CREATE FUNCTION governance_pinned_rule_set_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM governance_motion WHERE rule_set_id = OLD.id) THEN
        RAISE EXCEPTION 'rule set % decided motions and stays as it is', OLD.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;

CREATE TRIGGER governance_rule_set_pinned
    BEFORE UPDATE OR DELETE ON governance_ruleset
    FOR EACH ROW EXECUTE FUNCTION governance_pinned_rule_set_stays();

CREATE FUNCTION governance_opened_motion_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.opened_at IS NOT NULL AND (
        TG_OP = 'DELETE'
        OR ROW(NEW.body_id, NEW.slug, NEW.title, NEW.summary, NEW.text, NEW.papers, NEW.subject,
               NEW.rule_set_id, NEW.opened_at, NEW.deadline, NEW.text_sha256)
           IS DISTINCT FROM
           ROW(OLD.body_id, OLD.slug, OLD.title, OLD.summary, OLD.text, OLD.papers, OLD.subject,
               OLD.rule_set_id, OLD.opened_at, OLD.deadline, OLD.text_sha256)
        OR OLD.decided_at IS NOT NULL AND ROW(NEW.state, NEW.decided_at, NEW.year, NEW.number)
           IS DISTINCT FROM ROW(OLD.state, OLD.decided_at, OLD.year, OLD.number)
    ) THEN
        RAISE EXCEPTION 'motion % was put to the vote and stays as it is', OLD.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;

CREATE TRIGGER governance_motion_opened
    BEFORE UPDATE OR DELETE ON governance_motion
    FOR EACH ROW EXECUTE FUNCTION governance_opened_motion_stays();
"""
BACKWARD = """
DROP TRIGGER governance_motion_opened ON governance_motion;
DROP FUNCTION governance_opened_motion_stays();
DROP TRIGGER governance_rule_set_pinned ON governance_ruleset;
DROP FUNCTION governance_pinned_rule_set_stays();
DROP TRIGGER governance_roster_frozen ON governance_rosterseat;
DROP TRIGGER governance_vote_append_only ON governance_vote;
DROP FUNCTION governance_row_never_changes();
"""


class Migration(migrations.Migration):
    dependencies = [("governance", "0001_initial")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
