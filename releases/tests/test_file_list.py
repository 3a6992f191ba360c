"""The page of a release with hundreds of files: a hundred at a time, found by name, cheap."""

from __future__ import annotations

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from portal.accounts.models import User
from portal.lib import kept
from releases.file_list import file_list
from releases.models import Blob, File, Release

PAGE = "/releases/exampledb/12.3.0/"
MANY = 300
QUESTIONS = 14


def add_many(release: Release, actor: User) -> None:
    blobs = Blob.objects.bulk_create(
        Blob(sha256=f"{n:064}", sha1="1" * 40, md5="2" * 32, sha512="3" * 128, size=10**8)
        for n in range(MANY)
    )
    File.objects.bulk_create(
        File(release=release, name=f"many-{n:03}+x.zip", blob=blob, os="Windows", cpu="x86_64",
             uploaded_by=actor, signature="s" * 830)
        for n, blob in enumerate(blobs)
    )  # fmt: skip


def test_a_hundred_are_shown_and_every_one_is_found(
    release: Release, dana: User, client: Client
) -> None:
    few = client.get(PAGE).content.decode()
    assert "Find a file" not in few
    add_many(release, dana)
    first = client.get(PAGE).content.decode()
    assert first.count('scope="row"') == 100
    assert "303" in first  # all of them are counted
    assert f'href="{PAGE}many-000%2Bx.zip.sha512"' in first
    last = client.get(f"{PAGE}?page=4").content.decode()
    assert last.count('scope="row"') == 3
    found = client.get(f"{PAGE}?file=MANY-29&system=Windows").content.decode()
    assert found.count('scope="row"') == 10
    assert "many-299+x.zip" in found
    none = client.get(f"{PAGE}?file=%3Cscript%3E").content.decode()
    assert "No file fits" in none
    assert "<script>" not in none.replace('<script type="module"', "")


def test_what_each_link_names_answers(release: Release, client: Client) -> None:
    files = file_list(File.objects.downloadable().filter(release=release), {})
    assert len(files.rows) == 3
    for row in files.rows:
        for end in ["", ".md5", ".sha1", ".sha256", ".sha512", ".asc"]:
            assert client.get(f"{PAGE}{row.address}{end}").status_code == 200, row.name + end


def test_many_files_ask_no_more_than_few(release: Release, dana: User, client: Client) -> None:
    counts = [_questions(client)]
    add_many(release, dana)
    counts.append(_questions(client))
    assert counts[0] == counts[1] <= QUESTIONS


def _questions(client: Client) -> int:
    with CaptureQueriesContext(connection) as asked:
        client.get(PAGE)
    return len(asked)


def test_the_page_is_not_written_again_for_who_has_it(
    release: Release, dana: User, client: Client
) -> None:
    first = client.get(PAGE)
    with CaptureQueriesContext(connection) as asked:
        again = client.get(PAGE, headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content, len(asked)) == (304, b"", 1)
    kept.SHELF.clear()
    again = client.get(PAGE, headers={"if-none-match": first["ETag"]})
    assert again.status_code == 304
    User.objects.filter(pk=dana.pk).update(name="Dana Another")
    assert "Dana Another" in client.get(PAGE).content.decode()
