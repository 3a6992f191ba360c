"""Numbers of a file, checked where they stand."""

from __future__ import annotations

from math import isfinite
from typing import Any, Final

from benchmarks.documents import RefusedError, are_numbers

LARGEST: Final = 1e15  # a measurement: 30 million years in seconds, a petabyte in bytes
LARGEST_FACT: Final = 1e30  # any other number, such as a seed


def number(value: Any, place: str) -> float:
    """A finite number that is not negative."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RefusedError(place, "A number is expected here.")
    try:
        found = float(value)
    except OverflowError:
        raise RefusedError(place, "This number is too large.") from None
    if not isfinite(found):
        raise RefusedError(place, "NaN and infinity cannot be kept.")
    if found > LARGEST:
        raise RefusedError(place, "This number is too large.")
    if found < 0:
        raise RefusedError(place, "A measurement cannot be negative.")
    return found


def numbers(values: Any, place: str) -> list[float]:
    """A list of such numbers that holds at least one."""
    if not isinstance(values, list) or not values:
        raise RefusedError(place, "A list of measurements is expected here.")
    if (
        are_numbers(values)
        and min(values) >= 0
        and max(values) <= LARGEST
        and isfinite(sum(values))
    ):
        return list(map(float, values))  # the sum tells of NaN, which compares as nothing
    return [number(value, f"{place}/{at}") for at, value in enumerate(values)]


def finite(value: Any, place: str) -> None:
    """Refuse NaN, infinity and numbers beyond any meaning anywhere below ``value``."""
    if isinstance(value, float) and not isfinite(value):
        raise RefusedError(place, "NaN and infinity cannot be kept.")
    if isinstance(value, int | float) and abs(value) > LARGEST_FACT:
        raise RefusedError(place, "This number is too large.")
    if isinstance(value, dict):
        for key, item in value.items():
            finite(item, f"{place}/{key}")
    elif isinstance(value, list):
        for at, item in enumerate(value):
            finite(item, f"{place}/{at}")
