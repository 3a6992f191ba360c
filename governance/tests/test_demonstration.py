"""The bodies and motions of the demonstration foundation."""

from datetime import UTC, datetime, timedelta

import pytest
from pytest_django import Settings

from governance import demonstration
from governance.bodies import seating
from governance.bodies.day import Day
from governance.demonstrations.texts import MOTIONS
from governance.meetings import writing
from governance.models import ActionItem, Body, Meeting, Minutes, Motion, Outing, SeatTerm, Vote
from portal.accounts import demonstration as people
from portal.accounts.roles import Role, Scope, has_role
from portal.lib.models import AuditEntry
from tests.cast import PASSWORD
from tests.shared import shared

pytestmark = pytest.mark.django_db
MOMENTS = [
    datetime(2026, 11, 20, 18, 20, tzinfo=UTC),
    datetime(2027, 1, 2, 0, 10, tzinfo=UTC),
    datetime(2028, 2, 29, 23, 50, tzinfo=UTC),
]


@pytest.fixture(autouse=True)
def _password(settings: Settings) -> None:
    settings.DEMONSTRATION_PASSWORD = PASSWORD


def load(moment: datetime) -> datetime:
    people.load(actor=None, at=moment)
    demonstration.load(actor=people.person(people.FRANK), at=moment)
    return moment


@shared
def at(_password: None) -> datetime:
    return load(MOMENTS[0])


@pytest.mark.proof
@pytest.mark.parametrize("moment", MOMENTS[1:], ids=str)
def test_a_board_of_two_halves_with_a_vacancy_at_awkward_moments(moment: datetime) -> None:
    two_halves_with_a_vacancy_and_a_council(load(moment))


def test_a_board_of_two_halves_with_a_vacancy_and_a_council(at: datetime) -> None:
    two_halves_with_a_vacancy_and_a_council(at)


def two_halves_with_a_vacancy_and_a_council(at: datetime) -> None:
    board = Body.objects.get(slug="board")
    summary = seating.summary(board, at.date())
    assert (summary.seats, summary.filled, summary.chair) == (8, 7, "Ines Duarte")
    groups = seating.groups(Day(board, at.date()))
    assert [len(group.cards) for group in groups] == [4, 4]
    assert seating.summary(Body.objects.get(slug="council"), at.date()).filled == 5
    assert has_role(
        people.person(people.BOB), Role.DIRECTOR, scope_kind=Scope.BODY, scope_slug="board", at=at
    )


def test_motions_in_every_state(at: datetime) -> None:
    states = Motion.objects.filter(approves=None).values_list("state", flat=True)
    assert {state: list(states).count(state) for state in set(states)} == {
        "adopted": 7,
        "superseded": 1,
        "failed": 1,
        "void": 1,
        "open": 2,
        "discussion": 2,
        "on_hold": 1,
        "draft": 5,
    }
    assert Motion.objects.being_decided(at).count() == 1
    assert Motion.objects.resolutions(at).filter(approves=None).count() == 8
    key = Motion.objects.get(title__contains="hardware module")
    choices = Vote.objects.filter(voter__motion=key).standing().values_list("choice", flat=True)
    assert {"recuse", "abstain", "yes"} <= set(choices)


def test_a_year_of_meetings_with_minutes(at: datetime) -> None:
    held = Meeting.objects.held(at - timedelta(days=366), at)
    assert held.filter(body__slug="board").count() == 6
    assert held.filter(body__slug="council").count() == 2
    assert Meeting.objects.upcoming(at).count() == 3
    assert Minutes.objects.current(at).count() == 6
    assert Minutes.objects.filter(number=2).approved(at).count() == 1
    assert {item.state(at.date()).value for item in ActionItem.objects.all()} == {
        "open",
        "overdue",
        "done",
    }
    for minutes in Minutes.objects.all():
        assert writing.write(minutes.document) == minutes.text


def test_whom_a_point_concerned_was_outside_meanwhile(at: datetime) -> None:
    outing = Outing.objects.get()
    assert (outing.attendance.name, outing.back_at - outing.left_at) == (
        "Mira Solano",
        timedelta(minutes=19),
    )
    [told] = Minutes.objects.filter(meeting=outing.attendance.meeting)
    assert "16:22–16:41" in told.text.partition("| Mira Solano |")[2].partition("\n")[0]


def test_resolutions_are_numbered_by_their_day(at: datetime) -> None:
    found = Motion.objects.resolutions(at)
    decided = [motion.decided_at for motion in found if motion.decided_at]
    assert len(decided) == len(found) > len(MOTIONS)
    assert decided == sorted(decided, reverse=True)


def test_loading_again_changes_nothing(at: datetime) -> None:
    def everything() -> list[int]:
        return [model.objects.count() for model in (Motion, Vote, SeatTerm, Meeting, AuditEntry)]

    before = everything()
    demonstration.load(actor=None, at=at)
    assert everything() == before
