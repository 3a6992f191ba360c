"""A vote of ten thousand members: what it costs to open, vote, read, count, write down and sign.

The figures stand in docs/proofs/governance.md; `pytest -s` prints them.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from governance.actions.bundle import sign_bundle
from governance.actions.closing import close_motion
from governance.actions.letter_round import promise_batch
from governance.actions.motion import open_motion
from governance.actions.records import write_records
from governance.actions.vote import cast_vote
from governance.bundle import check_bundle
from governance.models import Body, LetterRound, Motion, RosterSeat, Vote
from governance.tests.bundles import files_of
from governance.tests.conftest import DAY, HOUR, START, make_rules
from governance.tests.rolls import contributors, written
from portal.accounts.models import User
from releases.signer.local import LocalSigner
from tests.cast import sign_in

pytestmark = [pytest.mark.django_db, pytest.mark.proof]
SMALL, LARGE = 1_000, 10_000
Cost = tuple[float, int]


class Meter:
    """What each step costs: seconds of this process, and queries."""

    def __init__(self) -> None:
        self.costs: dict[str, Cost] = {}

    def take(self, name: str, act: Callable[[], Any]) -> Any:
        with CaptureQueriesContext(connection) as queries:
            began = process_time()
            answer = act()
            self.costs[name] = (process_time() - began, len(queries))
        return answer


def vote_of(size: int, board: Body, directors: list[User], signer: LocalSigner) -> dict[str, Cost]:
    """The whole life of a vote of so many, step by step."""
    meter, users = Meter(), contributors(size)
    draft = written(board, directors, Motion.Electorate.CONTRIBUTORS)
    deadline = START + 3 * DAY
    ada = sign_in(directors[0])
    draft_path = draft.get_absolute_url()
    meter.take("form that opens it", lambda: _read(ada, f"{draft_path}open/"))
    motion: Motion = meter.take(
        "open",
        lambda: open_motion(actor=directors[0], motion=draft, deadline=deadline, at=START),
    )
    letters = LetterRound.objects.get()
    meter.take("200 letters", lambda: promise_batch(round_id=letters.pk, at=START))
    voter, moment = users[size // 2], START + HOUR
    meter.take(
        "one vote",
        lambda: cast_vote(actor=voter, motion=motion, choice=Vote.Choice.YES, at=moment),
    )
    others = RosterSeat.objects.filter(motion=motion).exclude(user=voter)
    Vote.objects.bulk_create(
        Vote(voter=seat, choice="no" if seat.number % 4 == 0 else "yes", cast_at=moment)
        for seat in others
    )
    page = motion.get_absolute_url()
    visitor = Client()
    meter.take("page of the motion", lambda: _read(visitor, page))
    meter.take("roll", lambda: _read(visitor, f"{page}roll/"))
    meter.take("roll, searched", lambda: _read(visitor, f"{page}roll/?q=Member+00500"))
    meter.take("close and count", lambda: close_motion(motion_id=motion.pk, at=deadline))
    motion.refresh_from_db()
    assert motion.state == Motion.State.ADOPTED
    decided = motion.get_absolute_url()
    meter.take("page of the result", lambda: _read(visitor, decided))
    meter.take("JSON of the result", lambda: _read(visitor, f"{decided[:-1]}.json"))
    meter.take("record", lambda: write_records(at=deadline + HOUR))
    bundle = meter.take("sign the bundle", lambda: sign_bundle(signer=signer, at=START))
    files = files_of(bundle)
    assert meter.take("check the bundle", lambda: list(check_bundle.problems(files))) == []
    return meter.costs


@contextmanager
def _rolled_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _read(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200, path
    b"".join(answer) if answer.streaming else answer.content


def test_a_roll_that_is_ten_times_longer_costs_ten_times_more_and_asks_no_more(
    board: Body, directors: list[User], tmp_path: Path
) -> None:
    make_rules(board, quorum_base="eligible", pass_base="cast")
    costs = {}
    for size in (SMALL, LARGE):
        with _rolled_back():
            costs[size] = vote_of(size, board, directors, LocalSigner(tmp_path / str(size)))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    for name, (small, asked) in costs[SMALL].items():
        large, asked_of_many = costs[LARGE][name]
        row = f"| {name} | {small:.2f} | {asked} | {large:.2f} | {asked_of_many} |\n"
        sys.stdout.write(row)
    sys.stdout.write(f"most memory {memory} MB\n")
    for name, (small, asked) in costs[SMALL].items():
        large, asked_of_many = costs[LARGE][name]
        assert large < 30 * small + 0.5, name  # a hundred times, were it asked of each pair
        assert asked_of_many <= asked + BATCHES.get(name, 0), name
    assert costs[LARGE]["JSON of the result"][0] < 0.4  # anybody may ask for it


# Rows are written, and read along a key, in parts of some thousands.
BATCHES = {"open": 10, "record": 10, "form that opens it": 10}
