"""Origin, Label and Codename of a repository never change: clients refuse it."""

from django.db import migrations

FREEZE = """
CREATE FUNCTION releases_repository_is_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'origin, label and codename of a repository never change';
END $$;
CREATE TRIGGER releases_repository_frozen
    BEFORE UPDATE ON releases_repository FOR EACH ROW
    WHEN ((OLD.origin, OLD.label, OLD.codename) IS DISTINCT FROM
          (NEW.origin, NEW.label, NEW.codename))
    EXECUTE FUNCTION releases_repository_is_frozen();
"""
THAW = """
DROP TRIGGER releases_repository_frozen ON releases_repository;
DROP FUNCTION releases_repository_is_frozen();
"""


class Migration(migrations.Migration):
    dependencies = [("releases", "0001_initial")]
    operations = [migrations.RunSQL(FREEZE, THAW)]
