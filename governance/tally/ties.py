"""Ties between candidates: by the stages before, then by a lot that everybody can draw again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tie:
    """Candidates who had the same number of votes where one had to be chosen."""

    candidates: tuple[int, ...]
    chosen: int
    stage: int | None  # that told them apart; None: the lot did


@dataclass(frozen=True, slots=True)
class Lot:
    """An order of candidates that follows from the seed of the election, anew at each stage."""

    seed: str

    def first(self, stage: int, candidates: Sequence[int]) -> int:
        """The one whose SHA-256 of `seed:stage:candidate` is the lowest; stages count from 1."""
        return min(
            candidates,
            key=lambda one: hashlib.sha256(f"{self.seed}:{stage}:{one}".encode()).digest(),
        )


def look_back(
    candidates: Sequence[int], stages: Sequence[Sequence[int]], *, highest: bool
) -> tuple[list[int], int | None]:
    """Who of those who are equal now had most (or fewest) votes at the most recent stage at which
    they were not; and the number of the last stage that told any apart, from 1.

    `stages` holds the votes of all candidates at the end of each stage before. Who is left was
    equal at all of them.
    """
    left, told = list(candidates), None
    for number in range(len(stages), 0, -1):
        votes = stages[number - 1]
        best = (max if highest else min)(votes[one] for one in left)
        narrowed = [one for one in left if votes[one] == best]
        if len(narrowed) < len(left):
            left, told = narrowed, number
    return left, told


def choose(
    candidates: Sequence[int], stages: Sequence[Sequence[int]], lot: Lot, *, highest: bool
) -> tuple[int, Tie | None]:
    """One of those who are equal now, and how; no tie where there is only one."""
    if len(candidates) == 1:
        return candidates[0], None
    left, told = look_back(candidates, stages, highest=highest)
    if len(left) > 1:
        told = None
    chosen = left[0] if len(left) == 1 else lot.first(len(stages) + 1, left)
    return chosen, Tie(tuple(candidates), chosen, told)


def in_order(
    candidates: Iterable[int], votes: Sequence[int], stages: Sequence[Sequence[int]], lot: Lot
) -> tuple[list[int], list[Tie]]:
    """These candidates, the one with most votes first; equal ones as `choose` has it."""
    left, order, ties = sorted(candidates), list[int](), list[Tie]()
    while left:
        most = max(votes[one] for one in left)
        equal = [one for one in left if votes[one] == most]
        chosen, tie = choose(equal, stages, lot, highest=True)
        left.remove(chosen)
        order.append(chosen)
        ties += [tie] if tie else []
    return order, ties
