"""From numbers to words: faster, slower, no difference shown, or no verdict and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import ceil, expm1, log1p
from typing import Final

from benchmarks.statistics.compare import LARGEST, Contrast
from benchmarks.statistics.describe import FEWEST

SURE: Final = 0.05  # p below which a difference counts, after Holm
SMALLEST: Final = 0.02  # difference below which nobody should care
POWER: Final = 1.96 + 0.8416  # of the normal distribution: p 0.05 on two sides, four of five found
MEDIAN_COST: Final = 1.7725  # sqrt(2 * pi / 2): two sides, and a median instead of a mean
EFFECTS: Final = ((0.15, "negligible"), (0.33, "small"), (0.47, "medium"))


class Verdict(StrEnum):
    """What a comparison says; "better" is read as faster where time is measured."""

    BETTER = "better"
    WORSE = "worse"
    NOT_SHOWN = "not_shown"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict with what it rests on; ``p`` is corrected over the table. ``sure`` says that there
    is a difference, however small; a verdict asks for one that matters, too.
    """

    contrast: Contrast
    verdict: Verdict
    p: float | None
    effect: str
    sure: bool = False


def holm(values: Sequence[float]) -> list[float]:
    """p values corrected for having looked at all of them (Holm, step down), in the given order."""
    order = sorted(range(len(values)), key=values.__getitem__)
    corrected = [1.0] * len(values)
    highest = 0.0
    for rank, at in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - rank) * values[at]))
        corrected[at] = highest
    return corrected


def judge(contrasts: Sequence[Contrast]) -> list[Finding]:
    """A finding for each contrast of one table; those without a p value get no verdict."""
    tested = [at for at, one in enumerate(contrasts) if one.p is not None]
    corrected = dict(
        zip(tested, holm([one.p for one in contrasts if one.p is not None]), strict=True)
    )
    return [_finding(one, corrected.get(at)) for at, one in enumerate(contrasts)]


def effect(delta: float | None) -> str:
    """Cliff's delta in words."""
    if delta is None:
        return ""
    return next((word for limit, word in EFFECTS if abs(delta) < limit), "large")


def difference(ratio: float) -> float:
    """How far a ratio is from 1 as a share, the same for twice and for half."""
    return max(ratio, 1 / ratio) - 1


def processes_needed(*, share: float, spread: float) -> int:
    """How many processes a side show a difference of ``share`` in four comparisons of five.

    ``spread`` is the deviation between processes as a share. The deviation of a difference of two
    medians is ``MEDIAN_COST`` times that of one process, divided by the root of their number. One
    more makes up for the coarse steps of ranks of a few.
    """
    room = log1p(share) / spread if spread else float("inf")
    return max(FEWEST, 1 + ceil((POWER * MEDIAN_COST / room) ** 2))


def detectable(*, processes: int, spread: float) -> float:
    """The smallest difference, as a share, that so many a side show in four comparisons of five."""
    room = POWER * MEDIAN_COST * spread / (processes - 1) ** 0.5
    return max(SMALLEST, expm1(min(room, LARGEST)))


def _finding(one: Contrast, p: float | None) -> Finding:
    said = effect(one.delta)
    if p is None or one.low is None or one.high is None:
        return Finding(one, Verdict.NONE, p, said)
    sure = p < SURE and (one.low > 1 or one.high < 1)
    if not sure or difference(one.ratio) <= max(SMALLEST, one.floor):
        return Finding(one, Verdict.NOT_SHOWN, p, said, sure)
    return Finding(one, Verdict.BETTER if one.ratio > 1 else Verdict.WORSE, p, said, sure)
