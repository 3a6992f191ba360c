"""What a reader should look at before believing a median: a warm-up, two levels, much noise."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import TYPE_CHECKING, Final

from benchmarks.statistics.draws import medians

if TYPE_CHECKING:
    from benchmarks.statistics.draws import Floats

NOTED: Final = 0.05  # a shift or a gap below this share of the median is not spoken of
FEWEST_ITERATIONS: Final = 4  # of a process, to have a beginning and an end
FEWEST_AGREEING: Final = 5  # processes that can agree on a trend
SURE_OF_SIGN: Final = 1 / 16  # all of five agree, or nine of ten
FEWEST_LEVELS: Final = 10  # values that may show two levels
GRADES: Final = ((0.01, "A"), (0.03, "B"), (0.10, "C"), (0.20, "D"))


def warm_up(tables: Sequence[Floats]) -> float | None:
    """By which share the beginning of a process lies above its end, when the processes agree.

    ``tables`` have a row a process. The beginning is the first quarter, the end the second half;
    the middle process speaks. None when there is nothing to see: less than 5 %, fewer than five
    processes with four iterations, or processes that disagree (sign test).
    """
    import numpy as np

    long = [_shifts(table) for table in tables if table.shape[1] >= FEWEST_ITERATIONS]
    shifts = np.concatenate(long) if long else np.empty(0)
    count = len(shifts)
    if count < FEWEST_AGREEING:
        return None
    middle = float(medians(shifts))
    if abs(middle) <= NOTED:
        return None
    agreeing = int(np.count_nonzero(np.sign(shifts) == np.sign(middle)))
    tail = sum(comb(count, n) for n in range(agreeing, count + 1)) / 2**count
    return middle if 2 * tail <= SURE_OF_SIGN else None


def _shifts(table: Floats) -> Floats:
    length = table.shape[1]
    begin, end = medians(table[:, : length // 4]), medians(table[:, length // 2 :])
    known = end != 0
    shifts: Floats = begin[known] / end[known] - 1
    return shifts


def has_two_levels(values: Floats, middle: float) -> bool:
    """Whether values stand in two groups that lie far apart, each with a fifth of them or more.

    The best split in two (least squares); their distance in deviations inside the groups must
    exceed 4 + 30 / n. In simulation fewer than 3 % of normal, uniform, exponential, log-normal and
    heavy-tailed sets of 10 to 400 values do. Groups nearer than 5 % of ``middle`` are not told.
    """
    import numpy as np

    size = len(values)
    if size < FEWEST_LEVELS or middle == 0:
        return False
    ordered = np.sort(values) / abs(middle)
    ordered = ordered - ordered[size // 2]  # small numbers keep their digits
    least = -(-size // 5)
    left = np.arange(least, size - least + 1)
    right = size - left
    sums, squares = np.cumsum(ordered), np.cumsum(ordered * ordered)
    mean_left = sums[left - 1] / left
    mean_right = (sums[-1] - sums[left - 1]) / right
    gaps = mean_right - mean_left
    at = int(np.argmax(left * right * gaps * gaps))
    inside = squares[-1] - left[at] * mean_left[at] ** 2 - right[at] * mean_right[at] ** 2
    deviation = (max(float(inside), 0.0) / (size - 2)) ** 0.5
    gap = float(gaps[at])
    return gap > NOTED and gap > (4 + 30 / size) * deviation


def grade(between: float | None, processes: int, fewest: int) -> str:
    """How quiet a result is, by its variation between processes: A to 1 %, B to 3 %, C to 10 %,
    D to 20 %, E beyond; empty where there are too few processes to say.
    """
    if between is None or processes < fewest:
        return ""
    return next((letter for limit, letter in GRADES if between <= limit), "E")
