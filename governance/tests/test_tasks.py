"""What the clock calls: each sweep finds its work in the rows, and a second call finds none.

Rows are made at moments of the real time, since a task asks for no other.
"""

from collections.abc import Callable
from datetime import timedelta

import pytest

from governance import tasks
from governance.actions.action_item import give_action_item
from governance.actions.motion import open_motion
from governance.models import Body, Motion, SeatTerm
from governance.tests.conftest import (
    DAY,
    HOUR,
    START,
    make_discussion,
    make_draft,
    make_rules,
    make_vote,
)
from governance.tests.meeting_cast import make_meeting
from governance.tests.rolls import ask, enrol
from portal.accounts.models import User
from portal.accounts.roles import Role, Scope, has_role
from portal.lib.models import OutboxMail
from tests.cast import make_person

pytestmark = pytest.mark.django_db


def letters(template: str) -> list[str]:
    found = OutboxMail.objects.filter(key__startswith=f"{template}:").order_by("recipient")
    return list(found.values_list("recipient", flat=True))


def twice(task: Callable[[], None]) -> None:
    """As a doubled message of the queue would have it."""
    task()
    task()


def test_the_roll_of_members_gets_its_letters(
    board: Body, directors: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_rules(board, quorum_base="eligible", pass_base="cast")
    enrol(monkeypatch, [("acme", make_person("olga"))])
    ask(board, directors)
    assert letters("motion_opened") == []
    twice(tasks.promise_letters)
    assert letters("motion_opened") == ["olga@example.org"]


def test_who_has_not_voted_is_reminded(board: Body, directors: list[User]) -> None:
    make_vote(board, directors, "Soon over", at=START - 2 * DAY, days=2.5)
    twice(tasks.remind_due)
    assert letters("motion_reminder") == [person.email for person in directors]


def test_what_nobody_touched_for_weeks_lapses(board: Body, directors: list[User]) -> None:
    make_rules(board, lapses_after_weeks=2)
    motion = make_discussion(board, directors, at=START - 20 * DAY)
    twice(tasks.lapse_due)
    motion.refresh_from_db()
    assert motion.state == Motion.State.LAPSED
    assert letters("motion_lapsed") == ["ada@example.org"]


def test_a_role_that_was_lost_comes_back_with_the_seat(board: Body, directors: list[User]) -> None:
    bea = directors[1]
    bea.role_grants.all().delete()
    twice(tasks.correct_seat_roles)
    assert has_role(bea, Role.DIRECTOR, scope_kind=Scope.BODY, scope_slug="board")
    assert bea.role_grants.count() == 1


def test_the_end_of_a_term_is_announced(board: Body, directors: list[User]) -> None:
    term = SeatTerm.objects.voting().get(user=directors[1])
    term.until = START.date() + timedelta(days=80)
    term.save()
    twice(tasks.announce_ends_of_terms)
    assert letters("term_ends") == ["bea@example.org"]


def test_who_holds_a_seat_is_reminded_of_the_meeting(board: Body, directors: list[User]) -> None:
    make_meeting(directors[0], board, days=0.9)
    twice(tasks.remind_of_meetings)
    assert letters("meeting_reminder") == [person.email for person in directors]


def test_the_owner_is_reminded_of_what_they_took_on(board: Body, directors: list[User]) -> None:
    give_action_item(
        actor=directors[0],
        meeting=make_meeting(directors[0], board, days=-20),
        text="Publish the budget",
        owner=directors[1],
        due=START.date() + timedelta(days=1),
        at=START - 10 * DAY,
    )
    twice(tasks.remind_of_action_items)
    assert letters("action_due") == ["bea@example.org"]


def test_a_vote_that_ran_out_is_counted(board: Body, directors: list[User]) -> None:
    draft = make_draft(board, directors[0], "Over")
    make_rules(board, seconds_needed=0)
    motion = open_motion(
        actor=directors[0], motion=draft, deadline=START - HOUR, at=START - 2 * HOUR
    )
    twice(tasks.close_due)
    motion.refresh_from_db()
    assert motion.state == Motion.State.VOID
