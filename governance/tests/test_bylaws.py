"""Versions of bylaws: recorded, adopted by a vote, in force from a day, never changed."""

from datetime import date, timedelta

import pytest
from django.db import IntegrityError, transaction

from governance.actions.bylaws import record_version
from governance.actions.closing import close_motion
from governance.actions.motion import open_motion
from governance.actions.vote import cast_vote
from governance.models import Body, Bylaws, Motion, Proposal, Version, Vote
from governance.refusals import Refusal
from governance.tests.bylaws import (
    CHANGED,
    TEXT,
    discuss,
    make_bylaws,
    make_proposal,
    make_version,
)
from governance.tests.conftest import DAY, FOUNDED, HOUR, START
from portal.accounts.models import User
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def bylaws(board: Body) -> Bylaws:
    return make_bylaws(board)


def carry(proposal: Proposal, people: list[User], choice: str = "yes") -> Motion:
    """Discuss, open, vote and count; the vote was opened at `START`."""
    discuss(proposal, people)
    motion = open_motion(
        actor=people[0], motion=proposal.motion, deadline=START + 3 * DAY, at=START
    )
    for person in people:
        cast_vote(actor=person, motion=motion, choice=Vote.Choice(choice), at=START + HOUR)
    close_motion(motion_id=motion.pk, at=START + 4 * DAY)
    motion.refresh_from_db()
    return motion


def test_versions_are_recorded_in_order(bylaws: Bylaws) -> None:
    first = make_version(bylaws)
    second = make_version(bylaws, CHANGED, date(2022, 1, 1))
    assert (first.number, second.number) == (1, 2)
    with pytest.raises(Refusal, match="after the version before it"):
        make_version(bylaws, TEXT, date(2021, 1, 1))
    with pytest.raises(Refusal, match="Line 1: The heading “Board” has no number"):
        make_version(bylaws, "## Board\n", date(2023, 1, 1))
    assert bylaws.versions.count() == 2


def test_the_version_in_force_is_a_question_about_a_day(bylaws: Bylaws) -> None:
    make_version(bylaws)
    make_version(bylaws, CHANGED, date(2022, 1, 1))
    found = bylaws.versions
    assert found.in_force(FOUNDED - timedelta(days=1)).first() is None
    assert [v.number for v in found.in_force(date(2021, 12, 31))] == [1]
    assert [v.number for v in found.in_force(date(2022, 1, 1))] == [2]
    assert [v.number for v in found.coming(date(2021, 12, 31))] == [2]


def test_the_database_keeps_a_version_as_it_is(bylaws: Bylaws) -> None:
    version = make_version(bylaws)
    with pytest.raises(IntegrityError), transaction.atomic():
        Version.objects.filter(pk=version.pk).update(text=CHANGED)
    with pytest.raises(IntegrityError), transaction.atomic():
        version.delete()


def test_what_is_carried_is_the_next_version(bylaws: Bylaws, directors: list[User]) -> None:
    make_version(bylaws)
    motion = carry(make_proposal(bylaws, directors[0]), directors)
    version = Version.objects.get(adopted_by=motion)
    assert motion.state == Motion.State.ADOPTED
    assert (version.number, version.text) == (2, motion.text)
    assert version.text_sha256 == motion.text_sha256
    assert version.adopted_on == version.effective_on == (START + 3 * DAY).date()
    with pytest.raises(Refusal, match="adopted here by a vote"):
        record_version(
            actor=None,
            bylaws=bylaws,
            text=TEXT,
            adopted_on=version.adopted_on,
            effective_on=version.effective_on,
        )


def test_it_is_in_force_from_the_day_that_was_proposed(
    bylaws: Bylaws, directors: list[User]
) -> None:
    make_version(bylaws)
    later = (START + 40 * DAY).date()
    motion = carry(make_proposal(bylaws, directors[0], effective_on=later), directors)
    version = Version.objects.get(adopted_by=motion)
    assert version.effective_on == later
    current = bylaws.versions.in_force(later - timedelta(days=1)).get()
    assert current.number == 1


def test_what_is_not_carried_changes_nothing(bylaws: Bylaws, directors: list[User]) -> None:
    make_version(bylaws)
    motion = carry(make_proposal(bylaws, directors[0]), directors, "no")
    assert motion.state == Motion.State.FAILED
    assert bylaws.versions.count() == 1
