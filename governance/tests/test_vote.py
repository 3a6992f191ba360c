"""Casting votes: who may, until when, and what is kept."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction

from governance import reasons
from governance.actions.motion import withdraw_motion
from governance.actions.seat import seat_person
from governance.actions.vote import cast_vote
from governance.models import Body, Motion, RosterSeat, Seat, Vote
from governance.motions import results
from governance.refusals import NotAllowed, Refusal
from governance.tally.rollcall import Choice, Count
from governance.tests.conftest import (
    DAY,
    FOUNDED,
    HOUR,
    START,
    CastVotes,
    make_draft,
    make_rules,
    make_vote,
)
from portal.accounts.models import User
from portal.lib.models import AuditEntry

pytestmark = pytest.mark.django_db
YES, NO = Vote.Choice.YES, Vote.Choice.NO
DEADLINE = START + 3 * DAY


def test_a_vote_can_be_changed_and_each_change_is_kept(motion: Motion, vote: CastVotes) -> None:
    vote(ada="no")
    vote(START + 2 * HOUR, ada="abstain")
    vote(START + 3 * HOUR, ada="yes")
    history = Vote.objects.filter(voter__motion=motion).values_list("choice", flat=True)
    assert list(history) == ["no", "abstain", "yes"]
    assert [row.choice for row in Vote.objects.standing()] == ["yes"]
    assert results.count(motion) == Count(yes=1, absent=4, vacant=2, casting=Choice.YES)


def test_the_same_vote_again_is_the_same_row(motion: Motion, directors: list[User]) -> None:
    first = cast_vote(actor=directors[1], motion=motion, choice=YES, at=START + HOUR)
    again = cast_vote(actor=directors[1], motion=motion, choice=YES, at=START + 2 * HOUR)
    assert first == again
    assert Vote.objects.count() == 1


def test_a_stranger_cannot_vote(motion: Motion, charlie: User) -> None:
    with pytest.raises(NotAllowed, match="Only those who held a voting seat"):
        cast_vote(actor=charlie, motion=motion, choice=YES, at=START + HOUR)
    assert not Vote.objects.exists()


def test_an_adviser_cannot_vote(board: Body, motion: Motion, charlie: User) -> None:
    adviser = board.seats.get(office=Seat.Office.ADVISER)
    seat_person(actor=None, seat=adviser, user=charlie, since=FOUNDED)
    with pytest.raises(NotAllowed, match="has no vote"):
        cast_vote(actor=charlie, motion=motion, choice=YES, at=START + HOUR)


def test_who_was_seated_after_the_opening_cannot_vote(
    board: Body, motion: Motion, charlie: User
) -> None:
    tomorrow = START + DAY
    seat = board.seats.get(number=6)
    seat_person(actor=None, seat=seat, user=charlie, since=tomorrow.date())
    with pytest.raises(NotAllowed, match="after the vote opened"):
        cast_vote(actor=charlie, motion=motion, choice=YES, at=tomorrow)


def test_a_visitor_is_told_to_sign_in(motion: Motion) -> None:
    refusal = reasons.not_to_vote(AnonymousUser(), motion, START + HOUR)
    assert "Sign in" in str(refusal)


def test_the_last_moment_before_the_deadline_counts(motion: Motion, vote: CastVotes) -> None:
    vote(DEADLINE - HOUR / 3600, ada="yes")
    with pytest.raises(Refusal, match="closed"):
        vote(DEADLINE, bea="yes")
    assert Vote.objects.count() == 1


def test_nobody_votes_on_a_draft_or_on_what_was_withdrawn(
    board: Body, motion: Motion, directors: list[User]
) -> None:
    draft = make_draft(board, directors[0], "Not yet")
    with pytest.raises(Refusal, match="not been opened"):
        cast_vote(actor=directors[0], motion=draft, choice=YES, at=START)
    withdraw_motion(actor=directors[0], motion=motion, at=START + HOUR)
    with pytest.raises(Refusal, match="withdrawn"):
        cast_vote(actor=directors[1], motion=motion, choice=YES, at=START + 2 * HOUR)


def test_a_vote_closes_early_when_the_rules_allow_and_nothing_can_change(
    board: Body, directors: list[User]
) -> None:
    make_rules(board, pass_base="fixed", early_close=True)
    motion = make_vote(board, directors, "Clear")
    for hours, person in enumerate(directors[:3], start=1):
        cast_vote(actor=person, motion=motion, choice=YES, at=START + hours * HOUR)
    motion.refresh_from_db()
    assert motion.state == Motion.State.OPEN
    cast_vote(actor=directors[3], motion=motion, choice=YES, at=START + 5 * HOUR)
    motion.refresh_from_db()
    assert (motion.state, motion.closed_early) == (Motion.State.ADOPTED, True)
    assert motion.decided_at == START + 5 * HOUR
    with pytest.raises(Refusal, match="closed"):
        cast_vote(actor=directors[4], motion=motion, choice=NO, at=START + 6 * HOUR)


def test_an_absent_chair_with_a_casting_vote_keeps_it_open(
    board: Body, directors: list[User]
) -> None:
    make_rules(board, tie="casting_vote", early_close=True, quorum="third", quorum_base="filled")
    motion = make_vote(board, directors, "Tied")
    for person, choice in zip(directors[1:], [YES, YES, NO, NO], strict=True):
        cast_vote(actor=person, motion=motion, choice=choice, at=START + HOUR)
    motion.refresh_from_db()
    assert motion.state == Motion.State.OPEN
    cast_vote(actor=directors[0], motion=motion, choice=NO, at=START + 2 * HOUR)
    motion.refresh_from_db()
    assert motion.state == Motion.State.FAILED


def test_the_database_keeps_votes_as_they_were_cast(motion: Motion, vote: CastVotes) -> None:
    vote(ada="no")
    with pytest.raises(IntegrityError), transaction.atomic():
        Vote.objects.update(choice="yes")
    with pytest.raises(IntegrityError), transaction.atomic():
        Vote.objects.all().delete()


def test_the_audit_log_does_not_tell_a_choice_while_others_vote(
    motion: Motion, vote: CastVotes
) -> None:
    vote(ada="no")
    vote(START + 2 * HOUR, ada="yes")
    entries = AuditEntry.objects.filter(verb__startswith="vote.").order_by("pk")
    assert [(entry.verb, entry.detail) for entry in entries] == [
        ("vote.cast", {"seat": 1}),
        ("vote.changed", {"seat": 1}),
    ]


def test_rows_name_themselves(motion: Motion, vote: CastVotes) -> None:
    vote(ada="no")
    assert str(Vote.objects.get()) == "Ada: No"
    assert str(RosterSeat.objects.get(number=7)) == "vacant"
