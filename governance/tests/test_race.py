"""Many at once: at the deadline, and at the counting. On real PostgreSQL, in real threads."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from itertools import pairwise

import pytest
from django.db import connection
from django.utils import timezone

from governance.actions.closing import close_due, close_motion
from governance.actions.motion import open_motion, second_motion
from governance.actions.seat import seat_person
from governance.actions.vote import cast_vote
from governance.models import Body, Motion, Vote
from governance.refusals import Refusal
from governance.tests.conftest import DAY, SEATED, START, make_draft, make_seat
from portal.accounts.models import User
from portal.lib.models import OutboxMail
from tests.cast import make_person

pytestmark = pytest.mark.django_db(transaction=True)
VOTERS = 20


@pytest.fixture
def crowd(board: Body, directors: list[User]) -> list[User]:
    """Twenty voters: the directors and fifteen more."""
    more = [make_person(f"voter{n}") for n in range(VOTERS - len(directors))]
    for number, person in enumerate(more, start=20):
        seat_person(actor=None, seat=make_seat(board, number), user=person, since=SEATED)
    return directors + more


def at_once(work: list[Callable[[], object]]) -> list[object]:
    """Do all of it in threads that start together; results, or the refusal, in order."""
    barrier = threading.Barrier(len(work))

    def started(job: Callable[[], object]) -> object:
        barrier.wait()
        try:
            return job()
        except Refusal as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(work)) as pool:
        return list(pool.map(started, work))


def voting(motion: Motion, person: User, until: float) -> Callable[[], object]:
    """Vote at a moment of this machine's clock, close to the deadline on either side."""

    def vote() -> object:
        time.sleep(max(0.0, until - time.time()))
        return cast_vote(actor=person, motion=motion, choice=Vote.Choice.YES)

    return vote


def test_a_vote_at_the_deadline_counts_or_is_refused_and_never_between(
    board: Body, crowd: list[User]
) -> None:
    """What was acknowledged is in the count, what was refused is not, and a worker counts
    while the last are voting.
    """
    draft = make_draft(board, crowd[0], "Now or never")
    second_motion(actor=crowd[1], motion=draft)
    deadline = timezone.now() + timedelta(seconds=2)
    motion = open_motion(actor=crowd[0], motion=draft, deadline=deadline)
    spread = [deadline.timestamp() + 0.04 * (n - VOTERS * 0.7) for n in range(VOTERS)]
    jobs = [voting(motion, person, when) for person, when in zip(crowd, spread, strict=True)]

    def count() -> object:
        while not close_due():
            time.sleep(0.002)
        return None

    *answers, _counted = at_once([*jobs, count])
    acknowledged = [answer for answer in answers if isinstance(answer, Vote)]
    refused = [answer for answer in answers if isinstance(answer, Refusal)]
    assert len(acknowledged) + len(refused) == VOTERS
    assert acknowledged, "the machine was too slow to vote before the deadline"
    assert refused
    assert all(vote.cast_at < deadline for vote in acknowledged)
    motion.refresh_from_db()
    assert motion.is_decided
    kept = set(Vote.objects.values_list("pk", flat=True))
    assert kept == {vote.pk for vote in acknowledged}
    letter = OutboxMail.objects.filter(key__startswith="motion_result")[0]
    assert f"Yes {len(acknowledged)}," in letter.text


def test_a_voter_in_many_windows_counts_once(motion: Motion, directors: list[User]) -> None:
    choices = [Vote.Choice.YES, Vote.Choice.NO] * 8
    at_once(
        [partial(cast_vote, actor=directors[0], motion=motion, choice=choice) for choice in choices]
    )
    assert Vote.objects.standing().count() == 1
    rows = list(Vote.objects.values_list("choice", flat=True))
    assert all(before != after for before, after in pairwise(rows))


def test_two_workers_count_once(motion: Motion, directors: list[User]) -> None:
    for person in directors[:4]:
        cast_vote(actor=person, motion=motion, choice=Vote.Choice.YES)
    over = START + 4 * DAY
    closed = at_once([lambda: close_motion(motion_id=motion.pk, at=over) for _ in range(8)])
    assert sorted(map(bool, closed)) == [False] * 7 + [True]


def test_numbers_have_no_gap_when_many_are_counted_at_once(
    board: Body, directors: list[User]
) -> None:
    motions = []
    for n in range(10):
        draft = make_draft(board, directors[0], f"Number {n}")
        second_motion(actor=directors[1], motion=draft, at=START)
        opened = open_motion(actor=directors[0], motion=draft, deadline=START + DAY, at=START)
        for person in directors[:4]:
            cast_vote(actor=person, motion=opened, choice=Vote.Choice.YES, at=START)
        motions.append(opened)
    over = START + 2 * DAY
    at_once([partial(close_motion, motion_id=motion.pk, at=over) for motion in motions])
    numbers = Motion.objects.order_by("number").values_list("number", flat=True)
    assert list(numbers) == list(range(1, 11))
