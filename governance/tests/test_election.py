"""An election is drafted, announced, and called off; its dates are in order."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from governance.actions.election import (
    ContestPlan,
    announce_election,
    cancel_election,
    draft_election,
    edit_election,
)
from governance.models import Body, Contest, Election, Seat
from governance.refusals import NotAllowed, Refusal
from governance.tests import elections as made
from governance.tests.conftest import DAY, START, make_seat
from portal.accounts.models import User
from portal.accounts.roles import Role, Scope
from tests.cast import make_person
from tests.shared import shared

pytestmark = pytest.mark.django_db
LATER = START + DAY


@shared
def officer() -> User:
    return made.make_officer()


@shared
def draft(board: Body, officer: User) -> Election:
    return made.make_draft(board, officer)


def test_a_draft_is_read_by_those_who_run_elections_alone(
    draft: Election, officer: User, frank: User, charlie: User, bob: User
) -> None:
    secretary = make_person("sec", (Role.SECRETARY, Scope.BODY, "board"))
    for person, reads in [
        (officer, True),
        (frank, True),
        (secretary, True),
        (charlie, False),
        (bob, False),
    ]:
        assert Election.objects.visible_to(person, LATER).exists() is reads
    announce_election(actor=officer, election=draft, at=made.ANNOUNCED)
    assert Election.objects.visible_to(charlie, START).get() == draft


def test_only_who_runs_elections_drafts_announces_or_calls_off(
    board: Body, draft: Election, charlie: User
) -> None:
    with pytest.raises(NotAllowed, match="election officers"):
        made.make_draft(board, charlie, name="another")
    with pytest.raises(NotAllowed):
        announce_election(actor=charlie, election=draft, at=made.ANNOUNCED)
    with pytest.raises(NotAllowed):
        cancel_election(actor=charlie, election=draft, because="No.", at=START)


def test_contests_stand_in_their_order(draft: Election) -> None:
    shown = [(c.number, c.constituency, c.places) for c in draft.contests.all()]
    assert shown == [(1, "contributors", 2), (2, "members", 1)]
    assert draft.contests.all()[0].id_on_the_board == "2026-board/contributors"


def test_a_draft_is_changed_whole(draft: Election, officer: User) -> None:
    plan = ContestPlan({"constituency": "members", "places": 1, "method": "irv"})
    edit_election(
        actor=officer, election=draft, changed={"title": "Anew"}, contests=[plan], at=START
    )
    draft.refresh_from_db()
    assert draft.title == "Anew"
    assert [(c.constituency, c.method) for c in draft.contests.all()] == [("members", "irv")]


def test_what_was_announced_keeps_its_contests(draft: Election, officer: User) -> None:
    announce_election(actor=officer, election=draft, at=made.ANNOUNCED)
    later = made.CLOSES + DAY
    edit_election(
        actor=officer, election=draft, changed={"closes_at": later}, contests=[], at=START
    )
    draft.refresh_from_db()
    assert draft.closes_at == later
    assert draft.contests.count() == 2


def test_dates_out_of_order_are_refused_with_the_order(draft: Election, officer: User) -> None:
    wrong = {"opens_at": made.NOMINATIONS_END - timedelta(hours=1)}
    with pytest.raises(ValidationError, match="In this order"):
        edit_election(actor=officer, election=draft, changed=wrong, contests=[], at=START)


def test_an_election_without_a_contest_is_not_announced(board: Body, officer: User) -> None:
    empty = draft_election(
        actor=officer,
        election=Election(body=board, name="empty", title="Empty", **made.TIMES),
        contests=[],
        at=made.ANNOUNCED,
    )
    with pytest.raises(Refusal, match="Add a contest"):
        announce_election(actor=officer, election=empty, at=made.ANNOUNCED)


def test_an_election_is_announced_while_people_can_still_be_nominated(
    draft: Election, officer: User
) -> None:
    with pytest.raises(Refusal, match="Move the dates"):
        announce_election(actor=officer, election=draft, at=made.NOMINATIONS_END)
    announce_election(actor=officer, election=draft, at=made.ANNOUNCED)
    with pytest.raises(Refusal, match="already"):
        announce_election(actor=officer, election=draft, at=made.ANNOUNCED)


def test_a_contest_names_as_many_seats_as_it_fills(board: Body, officer: User) -> None:
    seats = [make_seat(board, 20, constituency=Seat.Constituency.MEMBERS)]
    election = draft_election(
        actor=officer,
        election=Election(body=board, name="seats", title="Seats", **made.TIMES),
        contests=[ContestPlan({"constituency": "members", "places": 2}, seats)],
        at=made.ANNOUNCED,
    )
    with pytest.raises(Refusal, match="1 seats are named and 2 are filled"):
        announce_election(actor=officer, election=election, at=made.ANNOUNCED)
    Election.objects.update(is_rehearsal=True)
    announce_election(actor=officer, election=election, at=made.ANNOUNCED)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"places": 0}, "at least one seat"),
        ({"places": 2, "method": "irv"}, "one seat"),
        ({"quorum_percent": 101}, "100 percent"),
        ({"most_of_one_affiliation": 0}, "one seat or more"),
    ],
)
def test_a_contest_that_cannot_be_is_refused(
    draft: Election, officer: User, fields: dict[str, object], why: str
) -> None:
    plan = ContestPlan({"constituency": "members", **fields})
    with pytest.raises(ValidationError, match=why):
        edit_election(actor=officer, election=draft, changed={}, contests=[plan], at=START)
    assert draft.contests.count() == 2


@pytest.mark.parametrize(
    ("percent", "voters", "needed"),
    [(0, 10, 0), (33, 10, 4), (50, 9, 5), (100, 7, 7), (10, 0, 0)],
)
def test_a_quorum_is_rounded_up(percent: int, voters: int, needed: int) -> None:
    assert Contest(quorum_percent=percent).quorum(voters) == needed


def test_who_calls_it_off_says_why(draft: Election, officer: User) -> None:
    with pytest.raises(Refusal, match="Say why"):
        cancel_election(actor=officer, election=draft, because=" ", at=START)
    cancel_election(actor=officer, election=draft, because="The roll was wrong.", at=START)
    draft.refresh_from_db()
    assert (draft.state, draft.cancelled_because) == ("cancelled", "The roll was wrong.")
    with pytest.raises(Refusal, match="over"):
        cancel_election(actor=officer, election=draft, because="Again.", at=START)


@pytest.mark.parametrize(
    ("model", "change"),
    [
        ("election", {"closes_at": made.CLOSES + DAY}),
        ("election", {"manifest": "{}"}),
        ("election", {"title": "Another"}),
        ("contest", {"places": 3}),
    ],
)
def test_the_database_keeps_what_was_frozen(
    draft: Election, model: str, change: dict[str, object]
) -> None:
    Election.objects.update(frozen_at=START, manifest_sha256="a" * 64, state="frozen")
    rows = {"election": Election.objects.all(), "contest": Contest.objects.all()}[model]
    with pytest.raises(IntegrityError, match="stays as it is"), transaction.atomic():
        rows.update(**change)
    Election.objects.update(state="closed", closed_at=START)


@pytest.mark.parametrize(
    ("state", "at", "takes"),
    [
        ("frozen", made.OPENS, True),
        ("frozen", made.OPENS - timedelta(seconds=1), False),
        ("frozen", made.CLOSES - timedelta(seconds=1), True),
        ("frozen", made.CLOSES, False),
        ("prepared", made.OPENS, False),
        ("cancelled", made.OPENS, False),
    ],
)
def test_votes_are_taken_between_two_moments(state: str, at: object, takes: bool) -> None:
    election = Election(state=state, opens_at=made.OPENS, closes_at=made.CLOSES)
    assert election.takes_votes(at) is takes  # type: ignore[arg-type]
