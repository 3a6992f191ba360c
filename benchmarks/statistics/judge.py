"""From numbers to words: faster, slower, no difference shown, or no verdict and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from benchmarks.statistics.compare import Contrast

SURE: Final = 0.05  # p below which a difference counts, after Holm
SMALLEST: Final = 0.02  # difference below which nobody should care
EFFECTS: Final = ((0.15, "negligible"), (0.33, "small"), (0.47, "medium"))


class Verdict(StrEnum):
    """What a comparison says; "better" is read as faster where time is measured."""

    BETTER = "better"
    WORSE = "worse"
    NOT_SHOWN = "not_shown"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict with what it rests on; ``p`` is corrected over the table."""

    contrast: Contrast
    verdict: Verdict
    p: float | None
    effect: str


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
    return [
        Finding(one, _verdict(one, corrected.get(at)), corrected.get(at), effect(one.delta))
        for at, one in enumerate(contrasts)
    ]


def effect(delta: float | None) -> str:
    """Cliff's delta in words."""
    if delta is None:
        return ""
    return next((word for limit, word in EFFECTS if abs(delta) < limit), "large")


def _verdict(one: Contrast, p: float | None) -> Verdict:
    if p is None or one.low is None or one.high is None:
        return Verdict.NONE
    excludes = one.low > 1 or one.high < 1
    matters = abs(one.ratio - 1) > max(SMALLEST, one.floor)
    if not (excludes and p < SURE and matters):
        return Verdict.NOT_SHOWN
    return Verdict.BETTER if one.ratio > 1 else Verdict.WORSE
