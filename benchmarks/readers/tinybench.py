"""tinybench's results as JSON: a summary of one process.

The mean is ruled by a long tail (garbage collection, scheduling), so the median is the headline.
"""

from __future__ import annotations

from typing import Any, Final

from benchmarks.documents import Document, Measured, RefusedError, Subject
from benchmarks.readers.content import File
from benchmarks.readers.names import left_out
from benchmarks.readers.numbers import number

KEPT: Final = {
    "p50": "median",
    "mean": "mean",
    "sd": "stddev",
    "min": "min",
    "max": "max",
    "samplesCount": "n",
}
OTHERS: Final = {"throughput", "samples"}
CASE: Final = "task"


def recognises(file: File) -> bool:
    return (
        isinstance(file.data, list)
        and bool(file.data)
        and all(
            isinstance(one, dict) and "name" in one and isinstance(one.get("result"), dict)
            for one in file.data
        )
    )


def read(file: File) -> Document:
    return Document(
        format="tinybench",
        results=[_read_task(one, f"/{at}") for at, one in enumerate(file.data)],
        tool={"name": "tinybench"},
        order="sequential",
        remarks=[
            "The file has no samples: no interval, no verdict.",
            *left_out(name for one in file.data for name in one["result"] if name in OTHERS),
        ],
    )


def _words(error: object) -> str:
    """Why a task failed, in one line."""
    message = error.get("message") if isinstance(error, dict) else error
    return " ".join(str(message or "failed").split())[:300]


def _read_task(one: dict[str, Any], place: str) -> Measured:
    result = one["result"]
    if result.get("state") == "errored" or "error" in result:
        return Measured(
            place=place,
            name=str(one["name"])[:300],
            case=CASE,
            subject=Subject(str(one["name"])[:300]),
            metric="latency",
            unit="ms",
            direction="lower",
            error=_words(result.get("error")),
        )
    latency = result.get("latency")
    if not isinstance(latency, dict):
        raise RefusedError(f"{place}/result/latency", "The latency of the task is expected here.")
    runtime = f"{result.get('runtime', '')} {result.get('runtimeVersion', '')}".strip()
    return Measured(
        place=place,
        name=str(one["name"])[:300],
        case=CASE,
        subject=Subject(str(one["name"])[:300], runtime=runtime),
        metric="latency",
        unit="ms",
        direction="lower",
        summary={
            ours: number(latency[theirs], f"{place}/result/latency/{theirs}")
            for theirs, ours in KEPT.items()
            if latency.get(theirs) is not None
        },
    )
