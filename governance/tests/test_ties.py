"""Ties of every kind: told apart at once, by one of several stages, partly, or by lot."""

from __future__ import annotations

import hashlib

import pytest

from governance.tally.ties import Lot, Tie, choose, look_back
from governance.tests.papers import LOT


def test_one_candidate_is_no_tie() -> None:
    assert choose([3], [], LOT, highest=True) == (3, None)


@pytest.mark.parametrize(
    ("stages", "highest", "chosen", "stage"),
    [
        ([(1, 2)], True, 1, 1),
        ([(1, 2)], False, 0, 1),
        ([(2, 1), (1, 2)], True, 1, 2),  # the most recent stage speaks
        ([(2, 1), (1, 1)], True, 0, 1),  # unless it says nothing
    ],
)
def test_the_most_recent_stage_that_tells_candidates_apart_decides(
    stages: list[tuple[int, ...]], highest: bool, chosen: int, stage: int
) -> None:
    assert choose([0, 1], stages, LOT, highest=highest) == (chosen, Tie((0, 1), chosen, stage))


def test_three_are_narrowed_stage_by_stage() -> None:
    left, stage = look_back([0, 1, 2], [(4, 3, 9), (2, 2, 1)], highest=True)
    assert (left, stage) == ([0], 1)


def test_what_no_stage_tells_apart_the_lot_does() -> None:
    chosen, tie = choose([0, 1, 2], [(5, 5, 1), (4, 4, 1)], LOT, highest=True)
    assert chosen == LOT.first(3, [0, 1])
    assert tie == Tie((0, 1, 2), chosen, None)


def test_anybody_can_draw_the_lot_again() -> None:
    digests = {one: hashlib.sha256(f"seed:4:{one}".encode()).hexdigest() for one in range(5)}
    assert Lot("seed").first(4, range(5)) == min(digests, key=digests.__getitem__)


def test_the_lot_is_another_one_with_another_seed_and_at_another_stage() -> None:
    assert len({Lot(f"seed {n}").first(1, range(5)) for n in range(50)}) == 5
    assert len({Lot("seed").first(n, range(5)) for n in range(50)}) == 5
