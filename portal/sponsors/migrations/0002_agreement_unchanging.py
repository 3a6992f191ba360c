from django.db import migrations

FORWARD = """
CREATE FUNCTION agreement_does_not_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a published agreement does not change: publish the next version';
END $$;
CREATE TRIGGER agreement_unchanging
    BEFORE UPDATE OR DELETE ON sponsors_agreement
    FOR EACH ROW EXECUTE FUNCTION agreement_does_not_change();
"""
BACKWARD = """
DROP TRIGGER agreement_unchanging ON sponsors_agreement;
DROP FUNCTION agreement_does_not_change();
"""


class Migration(migrations.Migration):
    dependencies = [("sponsors", "0001_initial")]
    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
