"""What every reader returns: an upload in one form, whatever tool wrote it. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

METRICS: Final = (
    "throughput",
    "latency",
    "duration",
    "cpu_time",
    "bytes",
    "rows_per_second",
    "memory",
    "count",
    "ratio",
)
UNITS: Final = ("op/s", "row/s", "s", "ms", "us", "ns", "B", "B/s", "1")
SECONDS: Final[Mapping[str, float]] = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}  # of a unit
RATES: Final = frozenset({"op/s", "row/s", "B/s"})
DIRECTIONS: Final = ("higher", "lower")

Samples = list[list[float]]


class RefusedError(Exception):
    """The file cannot be taken. ``place`` is a JSON pointer, or a line as "line 7"."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}" if place else reason)
        self.place = place
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Subject:
    """What was measured: a connector, a library, a command."""

    name: str
    version: str = ""
    implementation: str = ""
    package: str = ""
    runtime: str = ""


@dataclass(frozen=True, slots=True)
class Measured:
    """One case of one subject. ``samples`` are [process][iteration]; empty with a summary only.

    ``place`` is where it stands in the file, ``name`` what the tool calls it, in one piece: of it
    a mapping may make connector, case and parameters.
    """

    place: str
    case: str
    subject: Subject
    metric: str
    unit: str
    direction: str
    samples: Samples = field(default_factory=list)
    summary: Mapping[str, Any] = field(default_factory=dict)
    params: Mapping[str, Any] = field(default_factory=dict)
    evidence: Mapping[str, Any] = field(default_factory=dict)
    flags: Sequence[str] = ()
    error: str = ""
    name: str = ""
    case_sha256: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A whole upload. ``remarks`` say what was left out or changed: nothing is dropped silently."""

    format: str
    results: Sequence[Measured]
    run_id: UUID | None = None
    started_at: dt.datetime | None = None
    finished_at: dt.datetime | None = None
    tool: Mapping[str, Any] = field(default_factory=dict)
    suite: str = ""
    title: str = ""
    notes: str = ""
    source_url: str = ""
    tags: Sequence[str] = ()
    order: str = "unknown"
    environment: Mapping[str, Any] = field(default_factory=dict)
    remarks: Sequence[str] = ()


def params_key(params: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Parameters as a key, whatever their order; tools write 4 and "4" for the same.

    >>> params_key({"threads": 4, "tls": False})
    (('threads', '4'), ('tls', 'False'))
    """
    return tuple(sorted((name, str(value)) for name, value in params.items()))


def better(metric: str, unit: str) -> str:
    """The direction that is better when the tool does not say."""
    return "higher" if metric in {"throughput", "rows_per_second"} or unit in RATES else "lower"


def are_numbers(values: list[Any]) -> bool:
    """Whether a list holds numbers alone: lists of samples are long, and are asked as a whole.

    >>> are_numbers([1, 2.5]), are_numbers([1, True]), are_numbers([1, "2"])
    (True, False, False)
    """
    return set(map(type, values)) <= {int, float}
