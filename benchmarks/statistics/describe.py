"""One result: where its middle is, how far it spreads, how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Final

from benchmarks.statistics.draws import drawn_medians, medians, middle_95
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


def as_tables(samples: Sequence[Sequence[float]]) -> list[Floats]:
    """Samples given as [process][iteration] as tables with a row a process: one for all when they
    are of one length, else one for each. Raises ValueError without a sample.
    """
    import numpy as np

    lengths = {len(process) for process in samples}
    if not lengths or 0 in lengths:
        raise ValueError("every process needs at least one sample")
    if len(lengths) == 1:
        return [np.asarray(samples, dtype=float)]
    return [np.asarray([process], dtype=float) for process in samples]


def process_medians(tables: Sequence[Floats]) -> Floats:
    """One number for each process: the independent observations."""
    import numpy as np

    return np.concatenate([medians(table) for table in tables])


def describe(samples: Sequence[Sequence[float]], *, key: str) -> Description:
    """Describe samples given as [process][iteration]; ``key`` seeds the bootstrap.

    Raises ValueError without a sample.
    """
    import numpy as np

    tables = as_tables(samples)
    levels = process_medians(tables)
    everything = np.concatenate([table.ravel() for table in tables])
    repeats = [table.shape[1] for table in tables for _row in table]
    ordered = np.sort(everything)
    middle = float(medians(levels))
    between = _variation(levels)
    low = high = None
    if len(levels) >= FEWEST:
        one, other = drawn_medians(levels, key)
        low, high = middle_95(one / 2 + other / 2)
    return Description(
        processes=len(levels),
        samples=len(ordered),
        median=middle,
        mad=float(medians(np.abs(levels - middle))),
        minimum=float(ordered[0]),
        lower_quartile=_quantile(ordered, 0.25),
        upper_quartile=_quantile(ordered, 0.75),
        maximum=float(ordered[-1]),
        between=between,
        within=_variation_within(tables),
        low=low,
        high=high,
        trend=warm_up(tables),
        two_levels=has_two_levels(levels, middle)
        or has_two_levels(everything - np.repeat(levels, repeats), middle),
        grade=grade(between, len(levels), FEWEST),
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


def _variation_within(tables: Sequence[Floats]) -> float | None:
    """The middle one of the variations inside single processes."""
    import numpy as np

    found = []
    for table in tables:
        means = np.abs(table.mean(axis=1))
        if table.shape[1] > 1 and means.all():
            found.append(table.std(axis=1, ddof=1) / means)
    known = np.concatenate(found) if found else np.empty(0)
    known = known[np.isfinite(known)]
    return float(medians(known)) if len(known) else None
