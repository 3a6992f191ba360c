from django.db import migrations

FORWARD = """
CREATE FUNCTION governance_frozen_election_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.frozen_at IS NOT NULL AND (
        TG_OP = 'DELETE'
        OR ROW(NEW.body_id, NEW.name, NEW.title, NEW.level, NEW.is_rehearsal, NEW.opens_at,
               NEW.closes_at, NEW.record_at, NEW.shares_needed, NEW.election_key, NEW.manifest,
               NEW.manifest_sha256, NEW.frozen_at)
           IS DISTINCT FROM
           ROW(OLD.body_id, OLD.name, OLD.title, OLD.level, OLD.is_rehearsal, OLD.opens_at,
               OLD.closes_at, OLD.record_at, OLD.shares_needed, OLD.election_key, OLD.manifest,
               OLD.manifest_sha256, OLD.frozen_at)
    ) THEN
        RAISE EXCEPTION 'election % was frozen and stays as it is', OLD.id
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER governance_election_frozen
    BEFORE UPDATE OR DELETE ON governance_election
    FOR EACH ROW EXECUTE FUNCTION governance_frozen_election_stays();

CREATE FUNCTION governance_refuse_if_frozen(election bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM governance_election WHERE id = election AND frozen_at IS NOT NULL) THEN
        RAISE EXCEPTION 'election % was frozen and stays as it is', election
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
END $$;

CREATE FUNCTION governance_contest_of_frozen_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM governance_refuse_if_frozen(
        CASE TG_OP WHEN 'INSERT' THEN NEW.election_id ELSE OLD.election_id END);
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER governance_contest_frozen
    BEFORE INSERT OR UPDATE OR DELETE ON governance_contest
    FOR EACH ROW EXECUTE FUNCTION governance_contest_of_frozen_stays();

CREATE FUNCTION governance_part_of_frozen_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM governance_refuse_if_frozen((SELECT election_id FROM governance_contest
        WHERE id = CASE TG_OP WHEN 'INSERT' THEN NEW.contest_id ELSE OLD.contest_id END));
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER governance_rollentry_frozen
    BEFORE INSERT OR UPDATE OR DELETE ON governance_rollentry
    FOR EACH ROW EXECUTE FUNCTION governance_part_of_frozen_stays();
CREATE TRIGGER governance_contest_seats_frozen
    BEFORE INSERT OR UPDATE OR DELETE ON governance_contest_seats
    FOR EACH ROW EXECUTE FUNCTION governance_part_of_frozen_stays();
CREATE TRIGGER governance_candidacy_frozen
    BEFORE INSERT OR DELETE ON governance_candidacy
    FOR EACH ROW EXECUTE FUNCTION governance_part_of_frozen_stays();
-- Who leaves later is said beside the ballot, and nothing else of it changes.
CREATE TRIGGER governance_candidacy_frozen_but_may_leave
    BEFORE UPDATE ON governance_candidacy
    FOR EACH ROW WHEN (
        ROW(NEW.contest_id, NEW.user_id, NEW.name, NEW.affiliation, NEW.statement, NEW.number,
            NEW.accepted_at)
        IS DISTINCT FROM
        ROW(OLD.contest_id, OLD.user_id, OLD.name, OLD.affiliation, OLD.statement, OLD.number,
            OLD.accepted_at)
        OR OLD.left_at IS NOT NULL
    )
    EXECUTE FUNCTION governance_part_of_frozen_stays();

CREATE TRIGGER governance_credential_append_only
    BEFORE DELETE ON governance_credential
    FOR EACH ROW EXECUTE FUNCTION governance_row_never_changes();
CREATE TRIGGER governance_electioncount_append_only
    BEFORE UPDATE OR DELETE ON governance_electioncount
    FOR EACH ROW EXECUTE FUNCTION governance_row_never_changes();
"""
BACKWARD = """
DROP TRIGGER governance_electioncount_append_only ON governance_electioncount;
DROP TRIGGER governance_credential_append_only ON governance_credential;
DROP TRIGGER governance_candidacy_frozen_but_may_leave ON governance_candidacy;
DROP TRIGGER governance_candidacy_frozen ON governance_candidacy;
DROP TRIGGER governance_contest_seats_frozen ON governance_contest_seats;
DROP TRIGGER governance_rollentry_frozen ON governance_rollentry;
DROP FUNCTION governance_part_of_frozen_stays();
DROP TRIGGER governance_contest_frozen ON governance_contest;
DROP FUNCTION governance_contest_of_frozen_stays();
DROP FUNCTION governance_refuse_if_frozen(bigint);
DROP TRIGGER governance_election_frozen ON governance_election;
DROP FUNCTION governance_frozen_election_stays();
"""


class Migration(migrations.Migration):
    dependencies = [("governance", "0024_elections")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
