from django.db import migrations

FUNCTION = """
CREATE OR REPLACE FUNCTION governance_opened_motion_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.opened_at IS NOT NULL AND (
        TG_OP = 'DELETE'
        OR ROW(NEW.body_id, NEW.slug, NEW.title, NEW.summary, NEW.text, NEW.papers, NEW.subject,
               NEW.rule_set_id, NEW.opened_at, NEW.deadline, NEW.text_sha256{frozen_new})
           IS DISTINCT FROM
           ROW(OLD.body_id, OLD.slug, OLD.title, OLD.summary, OLD.text, OLD.papers, OLD.subject,
               OLD.rule_set_id, OLD.opened_at, OLD.deadline, OLD.text_sha256{frozen_old})
        OR OLD.decided_at IS NOT NULL AND ROW({state_new}, NEW.decided_at, NEW.year, NEW.number)
           IS DISTINCT FROM ROW(OLD.state, OLD.decided_at, OLD.year, OLD.number)
    ) THEN
        RAISE EXCEPTION 'motion % was put to the vote and stays as it is', OLD.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
"""
FROZEN = ["electorate", "record_at", "takes_effect_on", "supersedes_id", "amendment_id"]
# A decision stays for ever; that a later one took its place is the one thing that is added to it.
SUPERSEDED = (
    "CASE WHEN OLD.state = 'adopted' AND NEW.state = 'superseded' THEN OLD.state ELSE NEW.state END"
)


def function(frozen: list[str], state: str) -> str:
    new, old = ("".join(f", {row}.{name}" for name in frozen) for row in ("NEW", "OLD"))
    return FUNCTION.format(frozen_new=new, frozen_old=old, state_new=state)


FORWARD = (
    function(FROZEN, SUPERSEDED)
    + """
CREATE TRIGGER governance_redaction_append_only
    BEFORE UPDATE OR DELETE ON governance_redaction
    FOR EACH ROW EXECUTE FUNCTION governance_row_never_changes();

INSERT INTO governance_second (motion_id, user_id, given_at)
    SELECT id, seconded_by_id, seconded_at FROM governance_motion WHERE seconded_by_id IS NOT NULL;
"""
)
BACKWARD = (
    function([], "NEW.state")
    + "DROP TRIGGER governance_redaction_append_only ON governance_redaction;"
)


class Migration(migrations.Migration):
    dependencies = [("governance", "0011_life_of_a_motion")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
