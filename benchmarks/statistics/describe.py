"""One result: where its middle is, how far it spreads, how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Final

from benchmarks.statistics.draws import drawn_medians, middle_95
from benchmarks.statistics.shape import grade, has_two_levels, warm_up

if TYPE_CHECKING:
    from benchmarks.statistics.draws import Floats

FEWEST: Final = 5  # processes below which no interval and no verdict is given
RANKED: Final = 10  # processes below which nothing is ranked


@dataclass(frozen=True, slots=True)
class Description:
    """What is computed of one result, in its own unit; shares are fractions of the median.

    ``median`` is the median of process medians; ``mad`` is their median absolute deviation.
    Minimum, maximum and quartiles are of all samples. ``low`` and ``high`` bound the 95 % interval
    of ``median``; they are None below five processes. ``trend`` is by how much processes begin
    above their end, None when they do not; ``grade`` is the noise, A to E.
    """

    processes: int
    samples: int
    median: float
    mad: float
    minimum: float
    lower_quartile: float
    upper_quartile: float
    maximum: float
    between: float | None
    within: float | None
    low: float | None
    high: float | None
    trend: float | None
    two_levels: bool
    grade: str


def process_medians(samples: Sequence[Floats]) -> Floats:
    """One number for each process: the independent observations."""
    import numpy as np

    if len({len(process) for process in samples}) == 1:  # the usual case, in one pass
        medians: Floats = np.median(np.stack(samples), axis=1)
        return medians
    return np.array([np.median(process) for process in samples])


def as_arrays(samples: Sequence[Sequence[float]]) -> list[Floats]:
    """Samples given as [process][iteration]. Raises ValueError without a sample."""
    import numpy as np

    if not len(samples) or not all(len(process) for process in samples):
        raise ValueError("every process needs at least one sample")
    return [np.asarray(process, dtype=float) for process in samples]


def describe(samples: Sequence[Sequence[float]], *, key: str) -> Description:
    """Describe samples given as [process][iteration]; ``key`` seeds the bootstrap.

    Raises ValueError without a sample.
    """
    import numpy as np

    processes = as_arrays(samples)
    medians = process_medians(processes)
    everything = np.sort(np.concatenate(processes))
    middle = float(np.median(medians))
    between = _variation(medians)
    low = high = None
    if len(medians) >= FEWEST:
        one, other = drawn_medians(medians, key)
        low, high = middle_95(one / 2 + other / 2)
    lengths = np.array([len(process) for process in processes])
    spread = np.concatenate(processes) - np.repeat(medians, lengths)
    return Description(
        processes=len(medians),
        samples=len(everything),
        median=middle,
        mad=float(np.median(np.abs(medians - middle))),
        minimum=float(everything[0]),
        lower_quartile=_quantile(everything, 0.25),
        upper_quartile=_quantile(everything, 0.75),
        maximum=float(everything[-1]),
        between=between,
        within=_variation_within(processes),
        low=low,
        high=high,
        trend=warm_up(processes),
        two_levels=has_two_levels(medians, middle) or has_two_levels(spread, middle),
        grade=grade(between, len(medians), FEWEST),
    )


def _quantile(ordered: Floats, share: float) -> float:
    """Between neighbours in proportion (Hyndman and Fan's type 7, which numpy takes as well)."""
    place = share * (len(ordered) - 1)
    at = int(place)
    after = ordered[min(at + 1, len(ordered) - 1)]
    return float(ordered[at] * (1 - (place - at)) + after * (place - at))


def _variation(values: Floats) -> float | None:
    """Standard deviation as a share of the mean; None for fewer than two values or a mean of 0."""
    mean = float(values.mean())
    if len(values) < 2 or mean == 0:
        return None
    share = float(values.std(ddof=1)) / abs(mean)
    return share if isfinite(share) else None


def _variation_within(processes: Sequence[Floats]) -> float | None:
    """The middle one of the variations inside single processes."""
    import numpy as np

    lengths = {len(process) for process in processes}
    if len(lengths) == 1 and max(lengths) > 1:
        table = np.stack(processes)
        means = np.abs(table.mean(axis=1))
        if (means > 0).all():
            return float(np.median(table.std(axis=1, ddof=1) / means))
    known = [value for value in map(_variation, processes) if value is not None]
    return float(np.median(known)) if known else None
