"""Lists answer whatever stands in their query, and say what they could not read."""

import pytest
from django.test import Client
from django.urls import reverse

from governance.models import Body
from portal.accounts.models import User

pytestmark = pytest.mark.django_db
STRANGE = ["soon", "2026-13-45", "0001-01-01", "9999-12-31", "-1", "9" * 40, "²", "٣"]
DATED = ["board", "bodies", "interests"]
LISTS = ["motions", "resolutions", "meetings", "actions", "bodies", "interests", "bylaws_list"]
FILTERED = ["motions", "motions_csv", "resolutions", "resolutions_csv", "meetings", "actions"]


@pytest.mark.parametrize("value", STRANGE)
@pytest.mark.parametrize("name", DATED)
def test_a_day_that_is_none_is_said_to_be(
    client: Client, board: Body, directors: list[User], name: str, value: str
) -> None:
    answer = client.get(reverse(f"governance:{name}"), {"on": value})
    assert answer.status_code == 200
    assert "That is not a date" in answer.content.decode()


@pytest.mark.parametrize("value", STRANGE)
def test_programs_are_told_that_a_day_is_wrong(client: Client, board: Body, value: str) -> None:
    for path in ("/governance/bodies/board.json", "/governance/interests.csv"):
        answer = client.get(path, {"on": value})
        assert answer.status_code == 400
        assert "2026-11-20" in answer.content.decode()
        assert client.get(path, {"on": "2026-11-20"}).status_code == 200


@pytest.mark.parametrize("value", STRANGE)
@pytest.mark.parametrize("name", LISTS)
def test_a_page_that_is_none_shows_one_that_is(
    client: Client, board: Body, name: str, value: str
) -> None:
    assert client.get(reverse(f"governance:{name}"), {"page": value}).status_code == 200


@pytest.mark.parametrize("value", STRANGE)
@pytest.mark.parametrize("name", FILTERED)
def test_a_filter_that_is_none_breaks_nothing(
    client: Client, board: Body, name: str, value: str
) -> None:
    asked = dict.fromkeys(("q", "body", "year", "state", "sort", "mine", "effective"), value)
    assert client.get(reverse(f"governance:{name}"), asked).status_code == 200


@pytest.mark.parametrize("value", STRANGE)
def test_a_feed_of_a_body_that_is_none_is_not_found(client: Client, value: str) -> None:
    path = reverse("governance:meetings_feed", args=["atom"])
    assert client.get(path, {"body": value}).status_code == 404
