"""Letters to a roll of members: in batches, each once, whoever is killed in between."""

import pytest
from django.db import transaction

from governance.actions import letter_round
from governance.actions.closing import close_motion, remind_due
from governance.actions.letter_round import promise_batch, promise_due
from governance.actions.motion import withdraw_motion
from governance.actions.vote import cast_vote
from governance.models import Body, LetterRound, Motion, Vote
from governance.tests.conftest import DAY, HOUR, START, make_rules
from governance.tests.rolls import ask, enrol
from portal.accounts.models import User
from portal.lib.models import OutboxMail
from tests.cast import make_person

pytestmark = pytest.mark.django_db
SIZE = 7


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letter_round, "BATCH", 3)


@pytest.fixture
def voters() -> list[User]:
    return [make_person(f"member{number}") for number in range(SIZE)]


@pytest.fixture
def members(
    board: Body, directors: list[User], voters: list[User], monkeypatch: pytest.MonkeyPatch
) -> Motion:
    make_rules(board, quorum_base="eligible", pass_base="cast")
    enrol(monkeypatch, [(f"org{n}", user) for n, user in enumerate(voters)])
    return ask(board, directors)


def letters(kind: str) -> list[str]:
    found = OutboxMail.objects.filter(key__startswith=f"{kind}:").order_by("pk")
    return list(found.values_list("recipient", flat=True))


def test_opening_writes_the_round_and_no_letter(members: Motion) -> None:
    [found] = LetterRound.objects.all()
    assert (found.kind, found.reached, found.done_at) == ("motion_opened", 0, None)
    assert letters("motion_opened") == []


def test_everybody_gets_one_letter_however_often_the_sweep_runs(
    members: Motion, voters: list[User]
) -> None:
    assert promise_due() == SIZE
    assert promise_due() == 0
    assert letters("motion_opened") == [user.email for user in voters]
    assert LetterRound.objects.get().done_at is not None


def test_who_is_killed_between_two_batches_loses_nothing_and_repeats_nothing(
    members: Motion, voters: list[User]
) -> None:
    pk = LetterRound.objects.get().pk
    assert promise_batch(round_id=pk) == 3
    with transaction.atomic():
        promise_batch(round_id=pk)
        transaction.set_rollback(True)  # the worker died before its transaction was kept
    assert len(letters("motion_opened")) == 3
    assert LetterRound.objects.get().reached == 3
    assert promise_due() == SIZE - 3
    assert letters("motion_opened") == [user.email for user in voters]


def test_a_run_ends_after_its_batches_and_the_next_goes_on(members: Motion) -> None:
    assert promise_due(batches=1) == 3
    assert promise_due(batches=1) == 3
    assert promise_due(batches=1) == 1


def test_a_round_that_breaks_keeps_no_other_from_going_on(
    members: Motion, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    withdraw_motion(actor=members.proposed_by, motion=members, at=START + HOUR)

    def broken(motion: Motion) -> letter_round.Write:
        raise LookupError(motion.title)

    writers = {**letter_round.WRITERS, LetterRound.Kind.OPENED: broken}
    monkeypatch.setattr(letter_round, "WRITERS", writers)
    assert promise_due() == SIZE
    assert len(letters("motion_withdrawn")) == SIZE
    assert "could not go on" in caplog.text


def test_nobody_is_asked_any_more_when_it_is_withdrawn(members: Motion) -> None:
    promise_due(batches=1)
    withdraw_motion(actor=members.proposed_by, motion=members, at=START + HOUR)
    promise_due()
    assert len(letters("motion_opened")) == 3
    assert len(letters("motion_withdrawn")) == SIZE
    assert not LetterRound.objects.running().exists()


def test_only_who_has_not_voted_is_reminded_and_everybody_gets_the_result(
    members: Motion, voters: list[User]
) -> None:
    cast_vote(actor=voters[1], motion=members, choice=Vote.Choice.YES, at=START + HOUR)
    remind_due(at=START + 2.5 * DAY)
    promise_due()
    assert voters[1].email not in letters("motion_reminder")
    assert len(letters("motion_reminder")) == SIZE - 1
    close_motion(motion_id=members.pk, at=START + 3 * DAY)
    promise_due()
    assert letters("motion_result") == [user.email for user in voters]
