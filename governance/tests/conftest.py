"""A board of seven seats for the tests: five directors in office, two vacant seats."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from governance.actions.body import save_body, save_seat
from governance.actions.motion import draft_motion, open_motion, second_motion
from governance.actions.rule_set import write_rule_set
from governance.actions.seat import seat_person
from governance.actions.vote import cast_vote
from governance.models import Body, Motion, RuleSet, Seat, Vote
from portal.accounts.models import User
from tests.cast import make_person

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
FOUNDED = date(2020, 1, 1)
DIRECTORS = ["ada", "bea", "cyd", "dov", "eve"]


@pytest.fixture
def board(db: None) -> Body:
    """Seven voting seats, three offices, rules for ordinary questions."""
    body = save_body(
        actor=None,
        body=Body(
            slug="board", name="Board", kind=Body.Kind.BOARD, purpose="Decides.", since=FOUNDED
        ),
    )
    for number in range(1, 8):
        half = Seat.Constituency.CONTRIBUTORS if number < 5 else Seat.Constituency.MEMBERS
        make_seat(body, number, constituency=half)
    make_seat(body, 8, is_voting=False, office=Seat.Office.CHAIR)
    make_seat(body, 9, is_voting=False, office=Seat.Office.ADVISER)
    make_rules(body)
    return body


def make_seat(body: Body, number: int, **fields: Any) -> Seat:
    seat = Seat(body=body, number=number, since=FOUNDED, **fields)
    return save_seat(actor=None, seat=seat)


def make_rules(body: Body, **fields: Any) -> RuleSet:
    defaults: dict[str, Any] = {
        "subject": "ordinary",
        "name": "Ordinary decisions",
        "since": FOUNDED,
        "seats_clause": "Bylaw 4.1",
        "quorum_clause": "Bylaw 5.2",
        "pass_clause": "Bylaw 5.4",
        "recusal_clause": "Bylaw 5.6",
        "tie_clause": "Bylaw 5.5",
        "opening_clause": "Bylaw 5.1",
    }
    return write_rule_set(actor=None, rule_set=RuleSet(body=body, **(defaults | fields)))


@pytest.fixture
def directors(board: Body) -> list[User]:
    """Ada (chair), Bea, Cyd, Dov and Eve on the seats 1 to 5."""
    people = [make_person(name) for name in DIRECTORS]
    for number, person in enumerate(people, start=1):
        seat = board.seats.get(number=number)
        seat_person(actor=None, seat=seat, user=person, since=date(2025, 1, 1))
    chair = board.seats.get(office=Seat.Office.CHAIR)
    seat_person(actor=None, seat=chair, user=people[0], since=date(2025, 1, 1))
    return people


@pytest.fixture
def draft(board: Body, directors: list[User]) -> Motion:
    """Written by Ada the day before, not seconded."""
    return draft_motion(
        actor=directors[0],
        body=board,
        subject="ordinary",
        title="Keep the release key in a hardware module",
        summary="The key moves into two modules.",
        text="The board resolves that\n\n1. two modules are bought.",
        papers="The offer was 400 each.",
        at=NOON - DAY,
    )


@pytest.fixture
def motion(draft: Motion, directors: list[User]) -> Motion:
    """Seconded by Bea, opened by Ada at noon, open for three days."""
    second_motion(actor=directors[1], motion=draft, at=NOON - DAY)
    return open_motion(actor=directors[0], motion=draft, deadline=NOON + 3 * DAY, at=NOON)


@pytest.fixture
def vote(motion: Motion, directors: list[User]) -> Callable[..., None]:
    """`vote(ada="yes", bea="recuse")`, an hour after the opening unless `at` is given."""

    def cast(at: datetime = NOON + timedelta(hours=1), **choices: str) -> None:
        for name, choice in choices.items():
            person = directors[DIRECTORS.index(name)]
            cast_vote(
                actor=person,
                motion=motion,
                choice=Vote.Choice(choice),
                reason="My employer sells it." if choice == "recuse" else "",
                at=at,
            )

    return cast
