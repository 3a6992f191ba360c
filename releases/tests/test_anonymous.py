"""Addresses for programs know nobody: no session is read, no cookie set, few questions asked."""

from __future__ import annotations

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from portal.accounts.models import User
from releases import tasks
from releases.models import Release
from tests.cast import sign_in

DEB = "exampledb-server_12.3.0_amd64.deb"
MOST = {
    "/repo/": 3,
    "/repo/12.3/debian/": 4,
    "/repo/12.3/debian/dists/bookworm/InRelease": 4,
    f"/repo/12.3/debian/pool/main/e/exampledb-server/{DEB}": 6,
    "/yum/12.3/rhel/9/x86_64/repodata/repomd.xml": 4,
    "/keys/exampledb-archive-keyring.asc": 4,
    "/keys/exampledb-archive-keyring.pgp": 4,
    "/repo_setup": 3,
    "/rest-api/products/": 3,
    "/rest-api/exampledb/12.3/": 3,
    f"/rest-api/exampledb/12.3.0/{DEB}/checksum/": 3,
    "/releases/feed.atom": 3,
    "/releases/calendar.ics": 3,
    "/releases/endoflife.json": 3,
    f"/releases/exampledb/12.3.0/{DEB}": 6,
    "/releases/exampledb/12.3.0/sha256sums.txt": 3,
    "/advisories/csaf/index.txt": 3,
    "/advisories/osv/all.json": 6,
    "/advisories/csaf/": 3,
    "/.well-known/csaf/provider-metadata.json": 3,
    "/advisories/csaf/csaf-feed-tlp-white.json": 3,
    "/.well-known/security.txt": 0,
    "/mirrors/portal_mirror.py": 0,
}
# As Django asks for a visitor; the stamp of the catalogue reads the names of publishers, unquoted.
KNOWN_PEOPLE = ("django_session", '"accounts_user"')


def test_a_cookie_changes_nothing_and_is_not_looked_up(release: Release, dana: User) -> None:
    tasks.renew_setup_script()
    signed_in = sign_in(dana)
    signed_in.cookies["theme"] = "dark"
    for path, most in MOST.items():
        stranger = Client().get(path)
        with CaptureQueriesContext(connection) as asked:
            answer = signed_in.get(path)
        statements = [query["sql"] for query in asked]
        assert answer.status_code == 200, path
        assert not [sql for sql in statements if any(table in sql for table in KNOWN_PEOPLE)]
        assert len(statements) <= most, (path, statements)
        assert "cookie" not in answer.headers.get("Vary", "").lower(), path
        assert not answer.cookies, path
        assert answer.getvalue() == stranger.getvalue(), path


def test_pages_still_know_who_asks(release: Release, dana: User) -> None:
    client = sign_in(dana)
    for path in ["/releases/", release.get_absolute_url(), "/keys/", "/advisories/early/"]:
        assert dana.name in client.get(path).content.decode(), path
    assert client.get("/releases/manage/all.csv").status_code == 200
