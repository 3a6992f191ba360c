"""sysbench's report: a summary of one process; the seconds of `--report-interval` depend on each
other and are left out.
"""

from __future__ import annotations

import re
from typing import Final

from benchmarks.documents import Document, Measured, RefusedError, Subject
from benchmarks.readers.content import File
from benchmarks.readers.names import left_out
from benchmarks.readers.numbers import number

_NUMBER: Final = r"(\d{1,15}(?:\.\d{1,15})?)"
_RATE: Final = re.compile(
    rf"[ \t]*(transactions|queries|events):[ \t]+{_NUMBER}[ \t]+\({_NUMBER} per sec\.\)"
)
_THREADS: Final = re.compile(r"Number of threads: (\d{1,6})$")
_LATENCY: Final = re.compile(rf"[ \t]*(min|avg|max):[ \t]+{_NUMBER}$")
_VERSION: Final = re.compile(r"sysbench (\S+)")
_OTHERS: Final = {
    "the seconds of --report-interval": re.compile(r"^\[ *\d+s \]", re.MULTILINE),
    "percentiles of the latency": re.compile(r"^[ \t]*\d+th percentile:", re.MULTILINE),
    "errors and reconnects": re.compile(
        r"^[ \t]*(?:ignored errors|reconnects):[ \t]+[1-9]", re.MULTILINE
    ),
}
_NAMES: Final = {"min": "min", "avg": "mean", "max": "max"}


def recognises(file: File) -> bool:
    return file.data is None and _VERSION.match(file.text.lstrip()) is not None


def _others(text: str) -> list[str]:
    """What the report says beside rates and latencies, each kind once."""
    return [name for name, pattern in _OTHERS.items() if pattern.search(text)]


def read(file: File) -> Document:
    version = _VERSION.match(file.text.lstrip())
    rates: list[tuple[str, float, str]] = []
    latency: dict[str, float] = {}
    params: dict[str, int] = {}
    for at, line in enumerate(file.text.splitlines(), start=1):
        place = f"line {at}"
        if found := _RATE.match(line):
            rates.append((found[1], number(float(found[3]), place), place))
        elif found := _LATENCY.match(line):
            latency[_NAMES[found[1]]] = number(float(found[2]), place)
        elif found := _THREADS.match(line):
            params = {"threads": int(found[1])}
    if not rates:
        raise RefusedError("", "The report is not complete: it has no rate per second.")
    subject = Subject("sysbench", version[1] if version else "")
    results = [
        Measured(
            place=place,
            case=name,
            subject=subject,
            metric="throughput",
            unit="op/s",
            direction="higher",
            summary={"mean": value},
            params=params,
        )
        for name, value, place in rates
    ]
    if latency:
        results.append(
            Measured(
                place="",
                case="latency",
                subject=subject,
                metric="latency",
                unit="ms",
                direction="lower",
                summary=latency,
                params=params,
            )
        )
    return Document(
        format="sysbench",
        results=results,
        tool={"name": "sysbench", "version": version[1] if version else ""},
        remarks=[
            "The report has no samples: no interval, no verdict.",
            *left_out(_others(file.text)),
        ],
    )
