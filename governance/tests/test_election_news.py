"""What follows of an election: the feed of elections, and the manifest as a page."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from governance.actions.election import cancel_election
from governance.demonstrations.ceremony import Ceremony
from governance.elections.compose import OfficeKeys
from governance.models import Body, Election, ElectionOfficer
from governance.tests import elections as made
from governance.tests.conftest import DAY
from governance.tests.counted import count_openly
from portal.accounts.models import User
from tests.cast import make_person
from tests.shared import shared

pytestmark = pytest.mark.django_db
HERE = "/governance/elections/2026-board/"
FEED = "/governance/elections/feed"


@shared
def officer() -> User:
    return made.make_officer()


@shared
def drawn(board: Body, officer: User) -> Election:
    """Ana and Ben stand for two seats."""
    election = made.make_election(board, officer, level="confidential")
    ana, ben = (made.make_contributor(name) for name in ("ana", "ben"))
    made.put_forward(election, "contributors", ana, seconded_by=ben, affiliation="Acme")
    made.put_forward(election, "contributors", ben, seconded_by=ana)
    election.contests.filter(constituency="members").delete()
    return made.draw(election)


def entries(client: Client, query: str = "") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(client.get(f"{FEED}.json{query}").content)["items"]
    return found


def test_the_feed_tells_what_is_announced_and_the_result(client: Client, drawn: Election) -> None:
    [announced] = entries(client)
    assert announced["title"].endswith("Election of the board 2026")
    assert "Nominations are taken until" in announced["summary"]
    count_openly(drawn, {"contributors": [b"\x00\x01", b"\x01"]}, made.CLOSES + DAY)
    result, same = entries(client, "?body=board")
    assert same == announced
    assert result["summary"] == "Contributors: Ben and Ana are elected."
    assert result["url"].endswith(f"{HERE}result/")
    assert "<feed" in client.get(f"{FEED}.atom").content.decode()


def test_the_feed_tells_what_is_called_off_and_nothing_of_drafts(
    client: Client, board: Body, officer: User
) -> None:
    made.make_draft(board, officer)
    assert entries(client) == []
    Election.objects.all().update(state="announced", announced_at=made.ANNOUNCED)
    cancel_election(actor=officer, election=Election.objects.get(), because="Too early.")
    assert entries(client)[0]["summary"] == "Too early."
    assert client.get(f"{FEED}.rss").status_code == 404
    assert client.get(f"{FEED}.atom?body=senate").status_code == 404


def test_the_manifest_is_read_as_a_page_with_its_signatures(
    client: Client, officer: User, drawn: Election
) -> None:
    assert client.get(f"{HERE}manifest/").status_code == 404
    signers = [make_person(f"signer{n}") for n in (1, 2)]
    at = made.NOMINATIONS_END
    ceremony = Ceremony(drawn, officer, scrutineers=[], officers=signers, at=at)
    ceremony.make_keys()
    ceremony.sign(OfficeKeys())
    page = client.get(f"{HERE}manifest/").content.decode()
    for said in ("Ana", "Acme", "Scottish STV", "2 votes on the roll.", drawn.manifest_sha256[:4]):
        assert said in page
    assert page.count(">signed<") == 2
    assert page.count("as it was signed") == 2
    assert f'href="{HERE}manifest.json" download' in page
    first, second = (each.signature for each in ElectionOfficer.objects.order_by("place"))
    ElectionOfficer.objects.filter(place=1).update(signature=second)
    page = client.get(f"{HERE}manifest/").content.decode()
    assert first != second
    assert page.count(">signed<") == 1
    assert page.count("not by this key") == 1
