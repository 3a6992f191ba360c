"""The portal reads its repositories back through its own public address, and tells its managers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.key_change import publish
from tests.programs import need
from tests.publisher import Publisher, wait_for
from tests.stack import Stack

PRODUCT = "readdb"
READ = "from releases.tasks import read_repositories as read; read()"
ROUNDS = 40  # of six repositories each: others of this portal may wait longer than ours
ROWS = """\
SELECT g.reason, g.package, g.came_from FROM releases_reading g
JOIN releases_repository r ON r.id = g.repository_id JOIN releases_series s ON s.id = r.series_id
JOIN releases_product p ON p.id = s.product_id
WHERE p.slug = %s AND r.distribution = %s AND r.release_id IS NULL ORDER BY g.id"""
BLOB = """\
SELECT b.sha256 FROM releases_blob b JOIN releases_file f ON f.blob_id = b.id
JOIN releases_package p ON p.file_id = f.id WHERE p.name = %s AND p.format = 'deb'"""

SENT = """\
SELECT recipient FROM lib_outboxmail
WHERE subject = 'Clients cannot use ' || %s || ' 12.3 for Debian 12' AND sent_at IS NOT NULL"""


def rows(stack: Stack, distribution: str) -> list[tuple[str, str, str]]:
    return [(row[0], row[1], row[2]) for row in stack.sql(ROWS, (PRODUCT, distribution))]


def read_until(stack: Stack, distribution: str, number: int) -> list[tuple[str, str, str]]:
    """Read one round after another, as the worker does, until there are so many rows."""
    for _ in range(ROUNDS):
        if len(rows(stack, distribution)) >= number:
            break
        stack.manage("shell", "--verbosity=0", "--command", READ)
    return rows(stack, distribution)


@pytest.mark.proof
def test_a_damaged_package_is_met_by_a_reading_and_told(stack: Stack, tmp_path: Path) -> None:
    need("gpgv")
    publisher = Publisher(stack, PRODUCT)
    publish(publisher, tmp_path, "12.3.0", "rhel-9")
    (reason, package, came_from) = read_until(stack, "debian-12", 1)[0]
    assert (reason, came_from) == ("", "localhost")
    assert package.endswith(".deb")
    assert read_until(stack, "rhel-9", 1)[0][0] == ""

    ((digest,),) = stack.sql(BLOB, (f"{PRODUCT}-server",))
    (blob,) = (path for path in (stack.folder / "var").rglob(digest) if path.is_file())
    blob.chmod(0o600)
    blob.write_bytes(blob.read_bytes()[:-1] + b"?")
    known = len(rows(stack, "debian-12"))
    _, *later = read_until(stack, "debian-12", known + 3)[known:]  # the first had begun before it
    assert {"has other bytes than are listed" in reason for reason, _, _ in later} == {True}
    wait_for(lambda: ("dana@example.org",) in stack.sql(SENT, (PRODUCT,)), patience=120)
