"""What the one key of before signed, and since when it is known."""

from django.db import migrations

FILL = """
UPDATE releases_signingkey SET created_at = seen_at;
INSERT INTO releases_publication_keys (publication_id, signingkey_id)
    SELECT id, key_id FROM releases_publication WHERE key_id IS NOT NULL;
UPDATE releases_package
    SET key_id = (SELECT min(id) FROM releases_signingkey WHERE NOT for_files)
    WHERE format = 'rpm' AND signed_at IS NOT NULL;
"""


class Migration(migrations.Migration):
    dependencies = [("releases", "0004_key_rotation")]
    operations = [migrations.RunSQL(FILL, migrations.RunSQL.noop)]
