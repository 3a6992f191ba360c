"""The pages of a result: what is read for them, and what is counted again."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from governance.elections import what_if
from governance.models import Body, Election
from governance.tests import elections as made
from governance.tests.conftest import DAY
from governance.tests.counted import count_openly
from governance.views import election_result
from tests.shared import shared

pytestmark = pytest.mark.django_db
HERE = "/governance/elections/2026-board/"
WHAT_IF = f"{HERE}result/contributors/what-if/"


@shared
def counted(board: Body) -> Election:
    """Ana, Ben and Cai stand for two seats; Cai is last."""
    officer = made.make_officer()
    election = made.make_election(board, officer)
    people = [made.make_contributor(name) for name in ("ana", "ben", "cai")]
    for place, person in enumerate(people):
        made.put_forward(election, "contributors", person, seconded_by=people[place - 1])
    election.contests.filter(constituency="members").delete()
    papers = {"contributors": [b"\x00\x01", b"\x00\x02", b"\x01\x02"]}
    return count_openly(made.draw(election), papers, made.CLOSES + DAY)


def test_pages_do_not_read_the_bundle_and_the_papers(client: Client, counted: Election) -> None:
    for path in (HERE, f"{HERE}result/", f"{HERE}result.json"):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert client.get(path).status_code == 200
        read = [each["sql"] for each in queries if "governance_electioncount" in each["sql"]]
        assert read
        assert not [sql for sql in read if '"bundle"' in sql or '"papers"' in sql]
    assert client.get(f"{HERE}bundle.zip").content[:2] == b"PK"


def test_the_page_of_the_election_says_who_is_elected(client: Client, counted: Election) -> None:
    page = client.get(HERE).content.decode()
    assert "Ana and Ben are elected." in page
    assert page.count(">elected<") == 2
    assert f"{HERE}result/#contributors" in page


def test_the_same_question_is_counted_once(
    client: Client, counted: Election, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.clear()
    asked = f"{WHAT_IF}?method=approval&seats=1"
    first = client.get(asked).content.decode()
    assert "Ben would not be elected." in first
    monkeypatch.setattr(what_if, "compare", None)  # what is counted again fails
    assert client.get(asked).content.decode() == first


def test_who_asks_for_too_many_counts_waits_and_keeps_what_was_counted(
    client: Client, counted: Election, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.clear()
    monkeypatch.setattr(election_result, "COUNTS", 1)
    asked = f"{WHAT_IF}?seats=1"
    assert "would not be elected" in client.get(asked).content.decode()
    assert "Wait a minute" in client.get(f"{WHAT_IF}?seats=3").content.decode()
    assert "would not be elected" in client.get(asked).content.decode()
