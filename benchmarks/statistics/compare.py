"""Two results against each other: how many times as good, how sure, how large the effect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from benchmarks.statistics.describe import (
    FEWEST,
    NORMAL_MAD,
    drawn_medians,
    process_medians,
    seed_of,
)

if TYPE_CHECKING:
    from benchmarks.statistics.describe import Floats

Direction = Literal["higher", "lower"]
TINIEST = 1e-100  # below, an inverse or a ratio may be more than a float holds
MEDIAN_ERROR = 1.2533  # the standard error of a median against that of a mean, normal distribution


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: samples as [process][iteration], and the key that seeds its draws."""

    samples: Sequence[Sequence[float]]
    key: str


@dataclass(frozen=True, slots=True)
class Contrast:
    """A against B before any verdict. Above 1 A is better, whichever direction is better.

    ``p`` is two-sided Mann-Whitney on process medians, not yet corrected; ``delta`` is Cliff's,
    positive when A is better; ``floor`` is the share below which a difference is noise here. The
    interval, ``p`` and ``delta`` are None when a side has fewer than five processes.
    """

    ratio: float
    low: float | None
    high: float | None
    p: float | None
    delta: float | None
    floor: float
    processes: tuple[int, int]


def contrast(a: Side, b: Side, *, direction: Direction) -> Contrast | None:
    """Compare two sides; None when a median is zero (or next to it): no ratio."""
    import numpy as np

    ours, theirs = process_medians(a.samples), process_medians(b.samples)
    if direction == "lower":  # a duration: the speed is its inverse
        if min(ours.min(), theirs.min()) < TINIEST:
            return None
        ours, theirs = 1 / ours, 1 / theirs
    middle_a, middle_b = float(np.median(ours)), float(np.median(theirs))
    if min(middle_a, middle_b) < TINIEST:
        return None
    low = high = p = delta = None
    if min(len(ours), len(theirs)) >= FEWEST:
        low, high = _interval(ours, theirs, a.key, b.key)
        p, delta = _ranks(ours, theirs)
    return Contrast(
        ratio=middle_a / middle_b,
        low=low,
        high=high,
        p=p,
        delta=delta,
        floor=max(_floor(ours), _floor(theirs)),
        processes=(len(ours), len(theirs)),
    )


def _interval(
    ours: Floats, theirs: Floats, key: str, other: str
) -> tuple[float | None, float | None]:
    """95 % percentile bootstrap of the ratio of medians; both sides are drawn independently."""
    import numpy as np

    above = drawn_medians(ours, seed_of(f"{key}|{other}|a"))
    below = drawn_medians(theirs, seed_of(f"{key}|{other}|b"))
    if below.min() < TINIEST:
        return None, None
    low, high = np.percentile(above / below, [2.5, 97.5])
    return float(low), float(high)


def _ranks(ours: Floats, theirs: Floats) -> tuple[float, float]:
    """The p value of Mann-Whitney and Cliff's delta, which is its statistic on another scale."""
    from scipy.stats import mannwhitneyu

    found = mannwhitneyu(ours, theirs, alternative="two-sided")
    delta = 2 * float(found.statistic) / (len(ours) * len(theirs)) - 1
    return float(found.pvalue), delta


def _floor(values: Floats) -> float:
    """The standard error of the median as a share of it: a smaller difference is noise."""
    import numpy as np

    middle = float(np.median(values))
    mad = float(np.median(np.abs(values - middle)))
    return float(MEDIAN_ERROR * NORMAL_MAD * mad / len(values) ** 0.5 / middle)
