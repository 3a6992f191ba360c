"""Who sees a draft, and which key a page shows. Every public address: `test_embargo.py`."""

from collections.abc import Callable

import pytest
from django.test import Client

from portal.accounts.models import User
from releases.models import Release


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
