"""Which addresses know nobody."""

import pytest

from portal.anonymous import ANONYMOUS


@pytest.mark.parametrize(
    "path",
    [
        "/repo/",
        "/repo/12.3/debian/dists/bookworm/InRelease",
        "/yum/12.3/rhel/9/x86_64/",
        "/keys/exampledb-keyring.asc",
        "/repo_setup",
        "/repo_setup.sha256",
        "/rest-api/exampledb/12.3/latest",
        "/releases/feed.atom",
        "/releases/exampledb/calendar.ics",
        "/releases/exampledb/12.3.0/exampledb-12.3.0.tar.gz.asc",
        "/advisories/osv/all.zip",
        "/advisories/csaf/2026/",
        "/advisories/csaf/2026/fp-2026-0001.json",
        "/.well-known/csaf/provider-metadata.json",
        "/.well-known/security.txt",
        "/mirrors/manifest.txt",
        "/news/feed.atom",
        "/statistics/series.json",
        "/rest/v1/charts/os/",
    ],
)
def test_documents_know_nobody(path: str) -> None:
    assert ANONYMOUS.fullmatch(path)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/keys/",
        "/repositories/",
        "/releases/",
        "/releases/exampledb/12.3.0/",
        "/releases/manage/all.csv",
        "/releases/manage/repositories.csv",
        "/releases/manage/exampledb/12.3.0/checklist.txt",
        "/releases/manage.html",
        "/advisories/early/FP-2026-0001/",
        "/mirrors/propose/",
        "/statistics/",
        "/statistics/servers/",
        "/statistics/servers/list.csv",
        "/statistics/charts/series/",
        "/api/v1/releases",
        "/accounts/",
    ],
)
def test_pages_know_who_asks(path: str) -> None:
    assert ANONYMOUS.fullmatch(path) is None
