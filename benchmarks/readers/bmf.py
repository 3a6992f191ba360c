"""Bencher Metric Format: name -> measure -> value with bounds. No samples.

The unit hides in the name of the measure: `latency` is nanoseconds, `throughput` operations a
second; others are refused rather than guessed.
"""

from __future__ import annotations

from typing import Any, Final

from benchmarks.documents import Document, Measured, RefusedError, Subject
from benchmarks.readers.content import File
from benchmarks.readers.names import slug
from benchmarks.readers.numbers import number

MEASURES: Final = {
    "latency": ("latency", "ns", "lower"),
    "throughput": ("throughput", "op/s", "higher"),
}
BOUNDS: Final = {"value": "mean", "lower_value": "min", "upper_value": "max"}


def recognises(file: File) -> bool:
    return (
        isinstance(file.data, dict)
        and bool(file.data)
        and all(
            isinstance(measures, dict)
            and bool(measures)
            and all(isinstance(one, dict) and "value" in one for one in measures.values())
            for measures in file.data.values()
        )
    )


def read(file: File) -> Document:
    return Document(
        format="bmf",
        results=[
            _read_measure(str(name), str(measure), one)
            for name, measures in file.data.items()
            for measure, one in measures.items()
        ],
        tool={"name": "Bencher Metric Format"},
        remarks=["The format has no samples: no interval, no verdict."],
    )


def _read_measure(name: str, measure: str, one: dict[str, Any]) -> Measured:
    escaped = name.replace("~", "~0").replace("/", "~1")
    place = f"/{escaped}/{measure}"
    if measure not in MEASURES:
        raise RefusedError(place, f"The unit of “{measure}” is not known: latency, throughput are.")
    metric, unit, direction = MEASURES[measure]
    return Measured(
        place=place,
        name=name,
        case=slug(name),
        subject=Subject(name),
        metric=metric,
        unit=unit,
        direction=direction,
        summary={
            ours: number(one[theirs], f"{place}/{theirs}")
            for theirs, ours in BOUNDS.items()
            if one.get(theirs) is not None
        },
    )
