"""The portal reads its repositories back through its own public address, and tells its managers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.key_change import publish
from tests.programs import need
from tests.publisher import Publisher, wait_for
from tests.stack import Stack

PRODUCT = "readdb"
READ = """\
from django.utils import timezone
from releases.actions import reading
from releases.models import Repository
from releases.reading.http import Http
from releases.tasks import read_repository, trusted

ours = Repository.objects.live().with_names().filter(
    series__product__slug={product!r}, distribution={distribution!r}, release=None
)
for repository in ours:
    read_repository(repository, Http(trusted()).get, by_programs=True)
reading.warn_of_unreadable(at=timezone.now())
"""
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


def read(stack: Stack, distribution: str) -> tuple[str, str, str]:
    """Read this repository as the worker does, whose turn would come after all others'."""
    script = READ.format(product=PRODUCT, distribution=distribution)
    stack.manage("shell", "--verbosity=0", "--command", script)
    return rows(stack, distribution)[-1]


@pytest.mark.proof
def test_a_damaged_package_is_met_by_a_reading_and_told(stack: Stack, tmp_path: Path) -> None:
    need("gpgv")
    publisher = Publisher(stack, PRODUCT)
    publish(publisher, tmp_path, "12.3.0", "rhel-9")
    (reason, package, came_from) = read(stack, "debian-12")
    assert (reason, came_from) == ("", "localhost")
    assert package.endswith(".deb")
    assert read(stack, "rhel-9")[0] == ""

    ((digest,),) = stack.sql(BLOB, (f"{PRODUCT}-server",))
    (blob,) = (path for path in (stack.folder / "var").rglob(digest) if path.is_file())
    blob.chmod(0o600)
    blob.write_bytes(blob.read_bytes()[:-1] + b"?")
    for _ in range(3):
        assert "has other bytes than are listed" in read(stack, "debian-12")[0]
    wait_for(lambda: ("dana@example.org",) in stack.sql(SENT, (PRODUCT,)), patience=120)
