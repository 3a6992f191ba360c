"""The roll of an election in the browser: names, one's own standing, objections, complaints."""

from __future__ import annotations

import pytest
from django.test import Client

from governance.models import Body, Complaint, Election, Objection, RollEntry
from governance.tests import elections as made
from governance.tests.conftest import DAY, START
from portal.accounts.models import User
from tests.cast import sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db
HERE = "/governance/elections/2026-board/"
ROLL = f"{HERE}roll/contributors/"
MINE = f"{HERE}roll/mine/"


@shared
def officer() -> User:
    return made.make_officer()


@shared
def ana() -> User:
    return made.make_contributor("ana")


@shared
def drawn(board: Body, officer: User, ana: User) -> Election:
    """Drawn, and open for objections at this moment."""
    made.make_member("acme")
    election = made.make_election(board, officer)
    made.draw(election)
    Election.objects.update(record_at=START - DAY, nominations_open_at=START - 2 * DAY)
    return election


def text(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_everybody_reads_and_searches_the_roll(client: Client, drawn: Election) -> None:
    assert "Ana" in text(client, ROLL)
    assert "Nobody matches" in text(client, f"{ROLL}?q=nobody")
    assert "acme" in text(client, f"{HERE}roll/members/?q=acme-owner").lower()
    assert client.get(f"{HERE}roll/others/").status_code == 404


def test_a_long_roll_has_pages(client: Client, drawn: Election, ana: User) -> None:
    contest = made.contest_of(drawn, "contributors")
    RollEntry.objects.bulk_create(
        RollEntry(
            contest=contest,
            key=f"contributor:x{number}",
            name=f"Voter {number:03}",
            voter=ana,
            voter_name=f"Voter {number:03}",
        )
        for number in range(150)
    )
    assert "Voter 120" not in text(client, ROLL)
    assert "Voter 120" in text(client, f"{ROLL}?page=2")
    assert "151 names" in text(client, ROLL)


def test_one_reads_every_rule_with_what_was_found(
    drawn: Election, ana: User, charlie: User
) -> None:
    assert "on the roll" in text(sign_in(ana), MINE)
    page = text(sign_in(charlie), MINE)
    assert "not on the roll" in page
    assert "The person was never a contributor" in page
    assert "Object: this vote is missing" in page


def test_before_the_record_date_one_reads_how_it_would_be_now(
    board: Body, officer: User, ana: User
) -> None:
    made.make_election(board, officer)
    page = text(sign_in(ana), MINE)
    assert "As it would be now" in page
    assert "may vote" in page
    assert "The roll is drawn on" in text(sign_in(ana), ROLL)


def test_an_objection_is_made_listed_and_ruled_on(
    client: Client, drawn: Election, officer: User, charlie: User, ana: User
) -> None:
    entry = RollEntry.objects.get(voter=ana)
    stranger, desk = sign_in(charlie), sign_in(officer)
    path = f"{ROLL}object/?kind=remove&key={entry.key}"
    assert "Ana should not be on the roll" in text(stranger, path)
    sent = {"kind": "remove", "key": entry.key, "text": "She left."}
    assert stranger.post(f"{ROLL}object/", sent).status_code == 302
    page = f"{HERE}objections/{Objection.objects.get().pk}/"
    assert "waits for its ruling" in text(client, ROLL)
    assert stranger.post(page, {"answer": "granted", "reason": "Yes."}).status_code == 403
    assert desk.post(page, {"answer": "granted", "reason": ""}).status_code == 422
    assert desk.post(page, {"answer": "granted", "reason": "She did."}).status_code == 302
    assert not RollEntry.objects.standing().filter(voter=ana).exists()
    assert "She did." in text(client, page)
    assert "Objection granted by Olga" in text(client, HERE)
    assert "not on the roll" in text(sign_in(ana), MINE)


def test_what_is_no_vote_is_not_objected_to(drawn: Election, charlie: User) -> None:
    stranger = sign_in(charlie)
    for query in ("", "?kind=remove&key=contributor:0", "?kind=add&key=contributor:0", "?kind=x"):
        assert stranger.get(f"{ROLL}object/{query}").status_code == 404


def test_objections_are_over_when_their_time_is(drawn: Election, charlie: User, ana: User) -> None:
    Election.objects.update(objections_close_at=START - DAY / 2)
    entry = RollEntry.objects.get(voter=ana)
    path = f"{ROLL}object/?kind=remove&key={entry.key}"
    answer = sign_in(charlie).get(path, follow=True)
    assert "Objections to the roll ended" in answer.content.decode()


def test_a_complaint_is_made_listed_and_answered(
    client: Client, drawn: Election, officer: User, charlie: User
) -> None:
    path, stranger = f"{HERE}complaints/", sign_in(charlie)
    assert "Nobody has complained" in text(client, path)
    assert client.post(path, {"text": "Late."}).status_code in {302, 403}
    answer = stranger.post(path, {"text": "It was late."})
    [complaint] = Complaint.objects.all()
    assert answer["Location"] == f"{path}#complaint-{complaint.pk}"
    desk, ruling = sign_in(officer), f"{path}{complaint.pk}/"
    assert "Rule on it" in text(desk, path)
    assert "Rule on it" not in text(stranger, path)
    assert stranger.get(ruling).status_code == 403
    desk.post(ruling, {"answer": "refused", "reason": "It was not."})
    page = text(client, path)
    assert "It was late." in page
    assert "It was not." in page
    assert "Complaint 1 refused by Olga" in text(client, HERE)
