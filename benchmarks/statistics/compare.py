"""Two results against each other: how many times as good, how sure, how large the effect.

Everything here is done with logarithms. There a duration and its rate differ by a sign only, and a
unit by a constant, so neither can change what is found; the median of an even number of values is
the geometric mean of the middle two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, expm1
from typing import TYPE_CHECKING, Final, Literal

from benchmarks.statistics.describe import FEWEST, as_tables, process_medians
from benchmarks.statistics.draws import drawn_medians, medians, middle_95

if TYPE_CHECKING:
    from benchmarks.statistics.draws import Floats

Direction = Literal["higher", "lower"]
TINIEST: Final = 1e-100  # below, a value counts as zero: its inverse may be more than a float holds
LARGEST: Final = 700.0  # logarithm of about the largest number that a float holds
NORMAL_MAD: Final = 1.4826  # a MAD times this estimates the deviation of a normal distribution
MEDIAN_ERROR: Final = 1.2533  # the standard error of a median against that of a mean, normal


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: samples as [process][iteration], and the key that seeds its draws."""

    samples: Sequence[Sequence[float]]
    key: str


@dataclass(frozen=True, slots=True)
class Contrast:
    """A against B before any verdict. Above 1 A is better, whichever direction is better.

    ``p`` is two-sided Mann-Whitney on process medians, not yet corrected; ``delta`` is Cliff's,
    positive when A is better; ``floor`` is the share below which a difference is noise here;
    ``spread`` the deviation between processes of the noisier side, as a share. The interval, ``p``
    and ``delta`` are None when a side has fewer than five processes.
    """

    ratio: float
    low: float | None
    high: float | None
    p: float | None
    delta: float | None
    floor: float
    processes: tuple[int, int]
    spread: float = 0.0


def contrast(a: Side, b: Side, *, direction: Direction) -> Contrast | None:
    """Compare two sides; None when a median is zero (or next to it): no ratio."""
    ours, theirs = _speeds(a, direction), _speeds(b, direction)
    if ours is None or theirs is None:
        return None
    found = float(medians(ours) - medians(theirs))
    low = high = p = delta = None
    if min(len(ours), len(theirs)) >= FEWEST:
        low, high = _interval(ours, theirs, a.key, b.key)
        p, delta = _ranks(ours, theirs)
    noisier = max(_deviation(ours), _deviation(theirs))
    floor = max(_deviation(side) / len(side) ** 0.5 for side in (ours, theirs))
    return Contrast(
        ratio=_times(found),
        low=low,
        high=high,
        p=p,
        delta=delta,
        floor=expm1(min(MEDIAN_ERROR * floor, LARGEST)),
        processes=(len(ours), len(theirs)),
        spread=noisier,
    )


def _speeds(side: Side, direction: Direction) -> Floats | None:
    """Logarithms of the process medians as speeds; a zero is minus infinity. None when the middle
    process has none.
    """
    import numpy as np

    with np.errstate(divide="ignore"):
        logs = [np.log(np.where(one < TINIEST, 0, one)) for one in as_tables(side.samples)]
    found = np.sort(np.round(process_medians(logs), 12))  # equal ones stay equal in any unit
    needed = found[0] if direction == "lower" else found[(len(found) - 1) // 2]
    if needed == -np.inf:
        return None
    return -found[::-1] if direction == "lower" else found


def _interval(
    ours: Floats, theirs: Floats, key: str, other: str
) -> tuple[float | None, float | None]:
    """95 % percentile bootstrap of the ratio of medians; each side has its own draws."""
    import numpy as np

    if min(ours[0], theirs[0]) == -np.inf:
        return None, None
    above, below = drawn_medians(ours, key), drawn_medians(theirs, other)
    low, high = middle_95((above[0] + above[1] - below[0] - below[1]) / 2)
    return _times(low), _times(high)


def _times(logarithm: float) -> float:
    """Ten digits of the factor: further ones come from the logarithms."""
    return float(f"{exp(max(-LARGEST, min(LARGEST, logarithm))):.10g}")


def _ranks(ours: Floats, theirs: Floats) -> tuple[float, float]:
    """The p value of Mann-Whitney and Cliff's delta, which is its statistic on another scale."""
    from scipy.stats import mannwhitneyu

    found = mannwhitneyu(ours, theirs, alternative="two-sided")
    delta = 2 * float(found.statistic) / (len(ours) * len(theirs)) - 1
    return float(found.pvalue), delta


def _deviation(values: Floats) -> float:
    """The deviation between processes, estimated from their median absolute deviation."""
    import numpy as np

    finite = values[np.isfinite(values)]
    return NORMAL_MAD * float(medians(np.abs(finite - medians(finite))))
