"""The bodies and motions of the demonstration foundation."""

from datetime import UTC, datetime

import pytest
from pytest_django import Settings

from governance import demonstration, seating
from governance.models import Body, Motion, SeatTerm, Vote
from portal.accounts import demonstration as people
from portal.accounts.roles import Role, Scope, has_role
from portal.lib.models import AuditEntry
from tests.cast import PASSWORD

pytestmark = pytest.mark.django_db
MOMENTS = [
    datetime(2026, 11, 20, 18, 20, tzinfo=UTC),
    datetime(2027, 1, 2, 0, 10, tzinfo=UTC),
    datetime(2028, 2, 29, 23, 50, tzinfo=UTC),
]


@pytest.fixture
def at(request: pytest.FixtureRequest, settings: Settings) -> datetime:
    settings.DEMONSTRATION_PASSWORD = PASSWORD
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # many people
    moment: datetime = getattr(request, "param", MOMENTS[0])
    people.load(actor=None, at=moment)
    demonstration.load(actor=people.person(people.FRANK), at=moment)
    return moment


@pytest.mark.parametrize("at", MOMENTS, indirect=True, ids=str)
def test_a_board_of_two_halves_with_a_vacancy_and_a_council(at: datetime) -> None:
    board = Body.objects.get(slug="board")
    summary = seating.summary(board, at.date())
    assert (summary.seats, summary.filled, summary.chair) == (8, 7, "Ines Duarte")
    groups = seating.groups(board.seats.places(at.date()), at.date())
    assert [len(group.cards) for group in groups] == [4, 4]
    assert seating.summary(Body.objects.get(slug="council"), at.date()).filled == 5
    assert has_role(
        people.person(people.BOB), Role.DIRECTOR, scope_kind=Scope.BODY, scope_slug="board", at=at
    )


def test_motions_in_every_state(at: datetime) -> None:
    states = Motion.objects.values_list("state", flat=True)
    assert {state: list(states).count(state) for state in set(states)} == {
        "adopted": 4,
        "failed": 1,
        "void": 1,
        "open": 1,
        "draft": 1,
    }
    assert Motion.objects.being_decided(at).count() == 1
    assert Motion.objects.resolutions(at).count() == 4
    key = Motion.objects.get(title__contains="hardware module")
    choices = Vote.objects.filter(voter__motion=key).standing().values_list("choice", flat=True)
    assert {"recuse", "abstain", "yes"} <= set(choices)


def test_loading_again_changes_nothing(at: datetime) -> None:
    def everything() -> list[int]:
        return [model.objects.count() for model in (Motion, Vote, SeatTerm, AuditEntry)]

    before = everything()
    demonstration.load(actor=None, at=at)
    assert everything() == before
