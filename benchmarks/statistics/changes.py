"""Where a line over versions changes its level: E-divisive with a t-test, as Apache Otava does it.

Matteson and James (2014) find the place by the energy distance between before and after; their
permutation test is replaced by Student's t-test, which needs no draws and gives the same answer
each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING, Final

from benchmarks.statistics.judge import SMALLEST, difference

if TYPE_CHECKING:
    from benchmarks.statistics.draws import Floats

FEWEST_POINTS: Final = 8  # below, a line is not searched
LASTS: Final = 2  # points on each side of a change, at least
SURE_CHANGE: Final = 0.001  # small, because the place is chosen before it is tested
WRONG_CHANGE: Final = 0.05  # at most so many lines of 8 to 40 points without a change show one


@dataclass(frozen=True, slots=True)
class Change:
    """``at`` is the first point of the new level; ``ratio`` is new to old, in the line's unit."""

    at: int
    ratio: float
    p: float


def change_points(values: Sequence[float]) -> list[Change]:
    """The changes of a line of positive values, in order; none below eight points."""
    import numpy as np

    if len(values) < FEWEST_POINTS or min(values) <= 0:
        return []
    logs = np.log(np.asarray(values, dtype=float))
    return _held(logs, _candidates(logs, 0, len(logs)))


def _candidates(logs: Floats, start: int, end: int) -> list[int]:
    """Places where a part of the line splits surely, found part by part."""
    if end - start < 2 * LASTS:
        return []
    at, until = _best_split(logs[start:end])
    if _tested(logs, start, start + at, start + until).p >= SURE_CHANGE:
        return []
    place = start + at
    return [*_candidates(logs, start, place), place, *_candidates(logs, place, end)]


def _best_split(part: Floats) -> tuple[int, int]:
    """Where before and after differ most, and where "after" ends: a hump has an end, too."""
    import numpy as np

    size = len(part)
    sums = np.zeros((size + 1, size + 1))
    sums[1:, 1:] = np.abs(part[:, None] - part[None, :]).cumsum(0).cumsum(1)
    at, until = np.meshgrid(np.arange(size + 1), np.arange(size + 1), indexing="ij")
    before, after = np.maximum(at, 1), np.maximum(until - at, 1)
    inside = sums[at, at]
    across = sums[at, until] - inside
    beyond = sums[until, until] - 2 * sums[at, until] + inside
    energy = 2 * across / (before * after) - inside / before**2 - beyond / after**2
    scaled = energy * before * after / (before + after)
    scaled[(at < LASTS) | (until - at < LASTS)] = -np.inf
    place, end = divmod(int(np.argmax(scaled)), size + 1)
    return place, end


def _held(logs: Floats, places: list[int]) -> list[Change]:
    """The changes that hold between their neighbours; the weakest is dropped first."""
    while places:
        ends = [0, *places, len(logs)]
        tested = [_tested(logs, *ends[n : n + 3]) for n in range(len(places))]
        weak = [one for one in tested if one.p >= SURE_CHANGE or difference(one.ratio) <= SMALLEST]
        if not weak:
            return tested
        places.remove(max(weak, key=lambda one: one.p).at)
    return []


def _tested(logs: Floats, start: int, at: int, end: int) -> Change:
    """The step at ``at``, with Student's t-test of what lies before and after it."""
    import numpy as np
    from scipy.special import stdtr

    before, after = logs[start:at], logs[at:end]
    step = float(after.mean() - before.mean())
    freedom = end - start - 2
    squares = float(((before - before.mean()) ** 2).sum() + ((after - after.mean()) ** 2).sum())
    error = (squares / freedom * (1 / len(before) + 1 / len(after))) ** 0.5
    if error <= 1e-12:  # nothing scatters but the last digits
        return Change(at, exp(step), 1.0 if abs(step) <= 1e-9 else 0.0)
    return Change(at, exp(step), float(2 * stdtr(freedom, -np.abs(step) / error)))
