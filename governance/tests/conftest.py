"""A board of seven voting seats for the tests: five directors in office, two vacant seats."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

from governance.actions.body import save_body, save_seat
from governance.actions.closing import close_motion
from governance.actions.discussion import open_discussion
from governance.actions.motion import draft_motion, open_motion, second_motion
from governance.actions.rule_set import write_rule_set
from governance.actions.seat import seat_person
from governance.actions.vote import cast_vote
from governance.models import Body, Motion, RuleSet, Seat, Vote
from portal.accounts.models import User
from releases import tasks
from releases.signer.local import LocalSigner
from tests.cast import make_person
from tests.shared import shared

START = datetime.now(UTC).replace(microsecond=0)  # when the vote of `motion` opens
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
FOUNDED = date(2020, 1, 1)
SEATED = date(2025, 1, 1)
DIRECTORS = ["ada", "bea", "cyd", "dov", "eve"]
CastVotes = Callable[..., None]


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


def make_draft(body: Body, author: User, title: str, at: datetime = START - DAY) -> Motion:
    return draft_motion(
        actor=author,
        body=body,
        subject="ordinary",
        title=title,
        summary="What would change.",
        text="The board resolves that\n\n1. **two** modules are bought.",
        papers="The offer was 400 each.",
        at=at,
    )


def make_vote(
    body: Body, people: list[User], title: str, at: datetime = START, days: float = 3
) -> Motion:
    """A motion of the first person, seconded by the second, open from `at` for some days."""
    draft = make_draft(body, people[0], title, at - DAY)
    second_motion(actor=people[1], motion=draft, at=at - HOUR)
    return open_motion(actor=people[0], motion=draft, deadline=at + days * DAY, at=at)


def make_decided(
    body: Body, people: list[User], title: str, votes: dict[int, str], days_ago: int = 10
) -> Motion:
    """A vote of three days that began some days ago and is over; `votes` by index of the person."""
    opened = START - days_ago * DAY
    motion = make_vote(body, people, title, at=opened)
    for index, choice in votes.items():
        cast_vote(
            actor=people[index],
            motion=motion,
            choice=Vote.Choice(choice),
            reason="My employer sells it." if choice == "recuse" else "",
            at=opened + HOUR * (index + 1),
        )
    close_motion(motion_id=motion.pk, at=START)
    motion.refresh_from_db()
    return motion


def make_discussion(
    body: Body, people: list[User], title: str = "Keep the key", at: datetime = START
) -> Motion:
    """A motion of the first person, seconded by the second, discussed from `at` on."""
    draft = make_draft(body, people[0], title, at - DAY)
    second_motion(actor=people[1], motion=draft, at=at - HOUR)
    return open_discussion(actor=people[0], motion=draft, at=at)


@shared
def board() -> Body:
    """Seven voting seats, a chair, an adviser, rules for ordinary questions."""
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


@shared
def directors(board: Body) -> list[User]:
    """Ada (also chair), Bea, Cyd, Dov and Eve on the seats 1 to 5, with second factors."""
    people = [make_person(name) for name in DIRECTORS]
    for number, person in enumerate(people, start=1):
        TOTP.activate(person, generate_totp_secret())
        seat = board.seats.get(number=number)
        seat_person(actor=None, seat=seat, user=person, since=SEATED, affiliation="Independent")
    chair = board.seats.get(office=Seat.Office.CHAIR)
    seat_person(actor=None, seat=chair, user=people[0], since=SEATED)
    return people


@shared
def draft(board: Body, directors: list[User]) -> Motion:
    """Written by Ada the day before, not seconded."""
    return make_draft(board, directors[0], "Keep the key in a module")


@shared
def motion(board: Body, directors: list[User]) -> Motion:
    """Written by Ada, seconded by Bea, open for three days from now."""
    return make_vote(board, directors, "Keep the key in a module")


@shared
def discussed(board: Body, directors: list[User]) -> Motion:
    """Written by Ada, seconded by Bea, discussed from now on."""
    return make_discussion(board, directors)


@pytest.fixture
def vote(motion: Motion, directors: list[User]) -> CastVotes:
    """`vote(ada="yes", bea="recuse")`, an hour after the opening unless `at` is given."""

    def cast(at: datetime = START + HOUR, **choices: str) -> None:
        for name, choice in choices.items():
            cast_vote(
                actor=directors[DIRECTORS.index(name)],
                motion=motion,
                choice=Vote.Choice(choice),
                reason="My employer sells it." if choice == "recuse" else "",
                at=at,
            )

    return cast


@pytest.fixture
def signer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LocalSigner:
    """The twin in place of the signer process, with an empty log."""
    local = LocalSigner(tmp_path / "signer")
    monkeypatch.setattr(tasks, "signer", lambda: local)
    return local
