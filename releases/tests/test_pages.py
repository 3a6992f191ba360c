"""Every page of the catalogue and the generator, with a published release and without."""

from collections.abc import Callable

import pytest
from django.test import Client

from portal.accounts.models import User
from releases.models import Release

PUBLIC = [
    "/releases/",
    "/releases/exampledb/",
    "/releases/exampledb/12.3.0/",
    "/releases/exampledb/12.3.0/sha256sums.txt",
    "/releases/exampledb/12.3.0/exampledb-12.3.0.tar.gz",
    "/releases/exampledb/12.3.0/exampledb-12.3.0.tar.gz.md5",
    "/releases/exampledb/12.3.0/exampledb-12.3.0.tar.gz.sha512",
    "/releases/exampledb/12.3.0/exampledb-12.3.0.tar.gz.asc",
    "/releases/portal_upload.py",
    "/repositories/",
    "/repositories/?format=json",
    "/repositories/?distribution=debian-12&format=sources",
    "/repositories/?distribution=debian-12&format=list",
    "/repositories/?distribution=rhel-9&format=repo",
    "/repo/",
    "/repo/12.3/",
    "/repo/12.3",
    "/repo/12.3/debian/",
    "/repo/12.3/debian/dists/",
    "/repo/12.3/debian/dists/bookworm/",
    "/repo/12.3/debian/dists/bookworm/main/binary-amd64/",
    "/repo/12.3/debian/dists/bookworm/InRelease",
    "/repo/12.3/debian/dists/bookworm/main/binary-amd64/Packages.gz",
    "/repo/12.3/debian/pool/",
    "/repo/12.3/debian/pool/main/e/exampledb-server/exampledb-server_12.3.0_amd64.deb",
    "/yum/",
    "/yum/12.3/rhel/9/",
    "/yum/12.3/rhel/9/x86_64/",
    "/yum/12.3/rhel/9/x86_64/repodata/",
    "/yum/12.3/rhel/9/x86_64/repodata/repomd.xml",
    "/yum/12.3/rhel/9/x86_64/repodata/repomd.xml.asc",
    "/yum/12.3/rhel/9/x86_64/packages/e/",
    "/yum/12.3/rhel/9/x86_64/packages/e/exampledb-server-12.3.0-1.el9.x86_64.rpm",
    "/keys/exampledb-keyring.asc",
    "/keys/exampledb-keyring.pgp",
]
ALWAYS = {"/releases/", "/repositories/", "/repo/", "/yum/", "/releases/portal_upload.py"}


def test_every_public_address_of_a_published_release_answers(
    release: Release, client: Client
) -> None:
    answers = {path: client.get(path).status_code for path in PUBLIC}
    assert answers == dict.fromkeys(PUBLIC, 200)
    assert b"/releases/exampledb/12.3.0/" in client.get("/sitemap.xml").content
    heads = {path: client.head(path).status_code for path in PUBLIC}
    assert heads == dict.fromkeys(PUBLIC, 200)


def test_a_draft_is_404_everywhere(draft: Release, client: Client) -> None:
    hidden = [path for path in PUBLIC if path not in ALWAYS]
    answers = {path: client.get(path).status_code for path in hidden}
    assert answers == dict.fromkeys(hidden, 404)
    for path in [*ALWAYS, "/", "/sitemap.xml", "/news/feed.atom"]:
        assert b"12.3.0" not in client.get(path).content


def test_the_managers_pages_show_a_draft_to_its_manager(
    draft: Release, dana: User, client_for: Callable[[User], Client]
) -> None:
    client = client_for(dana)
    for path in [
        "/releases/manage/",
        "/releases/manage/new/",
        "/releases/manage/exampledb/12.3.0/",
    ]:
        answer = client.get(path)
        assert answer.status_code == 200
    assert b"Type 12.3.0 to confirm" in answer.content
    answer = client.get("/releases/manage/")
    assert b"12.3.0" in answer.content


@pytest.mark.parametrize("name", ["bob", "charlie", "frank"])
def test_others_do_not_see_a_draft(
    draft: Release,
    name: str,
    request: pytest.FixtureRequest,
    client_for: Callable[[User], Client],
) -> None:
    client = client_for(request.getfixturevalue(name))
    assert client.get("/releases/manage/").status_code == 403
    assert client.get("/releases/manage/new/").status_code == 403
    assert client.get("/releases/manage/exampledb/12.3.0/").status_code == 404
    assert client.post("/releases/manage/exampledb/12.3.0/publish/").status_code == 404


def test_the_page_of_a_release_shows_the_key_of_files_not_that_of_repositories(
    release: Release, client: Client
) -> None:
    page = client.get("/releases/exampledb/12.3.0/").content.decode()
    assert "/keys/exampledb-files.asc" in page
    assert "/keys/exampledb-keyring" not in page
    assert client.get("/keys/exampledb-files.asc").status_code == 200
    assert "exampledb-keyring" in client.get("/repositories/").content.decode()
