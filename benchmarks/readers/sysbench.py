"""sysbench's report: a summary of one process; the seconds of `--report-interval` depend on each
other and are left out.
"""

from __future__ import annotations

import re
from typing import Final

from benchmarks.documents import Document, Measured, RefusedError, Subject
from benchmarks.readers.content import File
from benchmarks.readers.numbers import number

_RATE: Final = re.compile(r"^\s*(transactions|queries|events):.*\(([\d.]+) per sec\.\)", re.M)
_THREADS: Final = re.compile(r"^Number of threads: (\d+)", re.M)
_LATENCY: Final = re.compile(r"^\s*(min|avg|max):\s+([\d.]+)$", re.M)
_VERSION: Final = re.compile(r"^sysbench (\S+)")
_NAMES: Final = {"min": "min", "avg": "mean", "max": "max"}


def recognises(file: File) -> bool:
    return file.data is None and _VERSION.match(file.text.lstrip()) is not None


def read(file: File) -> Document:
    version = _VERSION.match(file.text.lstrip())
    rates = [
        (found[1], found[2], _line(file, found.start(1))) for found in _RATE.finditer(file.text)
    ]
    latency = {
        _NAMES[found[1]]: number(float(found[2]), _line(file, found.start(1)))
        for found in _LATENCY.finditer(file.text)
    }
    if not rates:
        raise RefusedError("", "The report is not complete: it has no rate per second.")
    threads = _THREADS.search(file.text)
    params = {"threads": int(threads[1])} if threads else {}
    subject = Subject("sysbench", version[1] if version else "")
    results = [
        Measured(
            place=place,
            case=name,
            subject=subject,
            metric="throughput",
            unit="op/s",
            direction="higher",
            summary={"mean": number(float(value), place)},
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
        remarks=["The report has no samples: no interval, no verdict."],
    )


def _line(file: File, position: int) -> str:
    return f"line {file.text.count(chr(10), 0, position) + 1}"
