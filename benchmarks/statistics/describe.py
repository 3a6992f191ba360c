"""One result: where its middle is, how far it spreads, how sure that is."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

DRAWS: Final = 2000  # of the bootstrap
FEWEST: Final = 5  # processes below which no interval and no verdict is given
_BLOCK: Final = 4_000_000  # numbers drawn at once, so that memory stays small
NORMAL_MAD: Final = 1.4826  # a MAD times this estimates the deviation of a normal distribution


@dataclass(frozen=True, slots=True)
class Description:
    """What is computed of one result, in its own unit; shares are fractions of the median.

    ``median`` is the median of process medians; ``mad`` is their median absolute deviation.
    Minimum, maximum and quartiles are of all samples. ``low`` and ``high`` bound the 95 % interval
    of ``median``; they are None below five processes.
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


def seed_of(key: str) -> int:
    """The same number for the same key on every machine, so that an interval can be repeated."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8])


def process_medians(samples: Sequence[Sequence[float]]) -> Floats:
    """One number for each process: the independent observations."""
    import numpy as np

    if len({len(process) for process in samples}) == 1:  # the usual case, in one pass
        medians: Floats = np.median(np.asarray(samples, dtype=float), axis=1)
        return medians
    return np.array([np.median(np.asarray(process, dtype=float)) for process in samples])


def drawn_medians(values: Floats, seed: int) -> Floats:
    """Medians of ``DRAWS`` samples with replacement of the size of ``values``."""
    import numpy as np

    generator = np.random.default_rng(seed)
    rows = max(1, min(DRAWS, _BLOCK // len(values)))
    parts = []
    for start in range(0, DRAWS, rows):
        count = min(rows, DRAWS - start)
        parts.append(
            np.median(values[generator.integers(len(values), size=(count, len(values)))], 1)
        )
    return np.concatenate(parts)


def describe(samples: Sequence[Sequence[float]], *, key: str) -> Description:
    """Describe samples given as [process][iteration]; ``key`` seeds the bootstrap.

    Raises ValueError without a sample.
    """
    import numpy as np

    if not samples or not all(len(process) for process in samples):
        raise ValueError("every process needs at least one sample")
    medians = process_medians(samples)
    everything = np.concatenate([np.asarray(process, dtype=float) for process in samples])
    middle = float(np.median(medians))
    lower, upper = (float(value) for value in np.percentile(everything, [25, 75]))
    low = high = None
    if len(medians) >= FEWEST:
        drawn = drawn_medians(medians, seed_of(key))
        low, high = (float(value) for value in np.percentile(drawn, [2.5, 97.5]))
    return Description(
        processes=len(medians),
        samples=len(everything),
        median=middle,
        mad=float(np.median(np.abs(medians - middle))),
        minimum=float(everything.min()),
        lower_quartile=lower,
        upper_quartile=upper,
        maximum=float(everything.max()),
        between=_variation(medians),
        within=_variation_within(samples),
        low=low,
        high=high,
    )


def _variation(values: Floats) -> float | None:
    """Standard deviation as a share of the mean; None for fewer than two values or a mean of 0."""
    mean = float(values.mean())
    if len(values) < 2 or mean == 0:
        return None
    share = float(values.std(ddof=1)) / abs(mean)
    return share if isfinite(share) else None


def _variation_within(samples: Sequence[Sequence[float]]) -> float | None:
    """The middle one of the variations inside single processes."""
    import numpy as np

    lengths = {len(process) for process in samples}
    if len(lengths) == 1 and max(lengths) > 1:
        table = np.asarray(samples, dtype=float)
        means = np.abs(table.mean(axis=1))
        if (means > 0).all():
            return float(np.median(table.std(axis=1, ddof=1) / means))
    found = [_variation(np.asarray(process, dtype=float)) for process in samples]
    known = [value for value in found if value is not None]
    return float(np.median(known)) if known else None
