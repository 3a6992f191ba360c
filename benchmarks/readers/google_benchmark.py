"""Google Benchmark's JSON: repetitions inside one process.

Aggregates (mean, median, ...) are the tool's own and dropped. "debug" is said of the library that
Debian builds, so a flag tells it. Names carry arguments behind slashes.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from benchmarks.documents import Document, Measured, RefusedError, Subject
from benchmarks.readers.content import File
from benchmarks.readers.names import slug
from benchmarks.readers.numbers import number

UNITS = {"ns", "us", "ms", "s"}


def recognises(file: File) -> bool:
    return (
        isinstance(file.data, dict)
        and isinstance(file.data.get("context"), dict)
        and isinstance(file.data.get("benchmarks"), list)
        and "library_build_type" in file.data["context"]
    )


def read(file: File) -> Document:
    context = file.data["context"]
    debug = ("debug_build",) if context["library_build_type"] == "debug" else ()
    groups: dict[str, list[tuple[str, dict[str, Any]]]] = defaultdict(list)
    dropped = 0
    for at, one in enumerate(file.data["benchmarks"]):
        place = f"/benchmarks/{at}"
        if not isinstance(one, dict) or "name" not in one:
            raise RefusedError(place, "A measurement with its name is expected here.")
        if one.get("run_type") == "aggregate":
            dropped += 1
            continue
        groups[str(one.get("run_name", one["name"]))].append((place, one))
    return Document(
        format="google-benchmark",
        results=[_read_group(name, rows, debug) for name, rows in groups.items()],
        tool={"name": "Google Benchmark", "version": str(context.get("library_version", ""))},
        environment={"cpu": {"threads": context["num_cpus"]}} if "num_cpus" in context else {},
        remarks=[
            "All repetitions come from one process: no verdict.",
            *([f"{dropped} aggregates of the tool were left out."] if dropped else []),
        ],
    )


def _read_group(
    name: str, rows: list[tuple[str, dict[str, Any]]], flags: tuple[str, ...]
) -> Measured:
    place, first = rows[0]
    unit = first.get("time_unit", "ns")
    if unit not in UNITS:
        raise RefusedError(f"{place}/time_unit", f"“{unit}” is not a unit of time.")
    base, *arguments = name.split("/")
    failed = next(
        (str(row.get("error_message", "failed")) for _at, row in rows if _failed(row)), ""
    )
    samples = [
        number(row.get("real_time"), f"{at}/real_time") for at, row in rows if not _failed(row)
    ]
    return Measured(
        place=place,
        case=slug(base),
        subject=Subject(base),
        metric="latency",
        unit=unit,
        direction="lower",
        samples=[samples] if samples else [],
        params=_params(arguments),
        flags=flags,
        error=failed,
    )


def _failed(row: dict[str, Any]) -> bool:
    return bool(row.get("error_occurred"))


def _params(arguments: list[str]) -> dict[str, str]:
    """ "real_time/threads:1/64" as names and values; bare numbers are arguments in order."""
    found = {}
    for at, argument in enumerate(arguments):
        name, colon, value = argument.partition(":")
        if colon:
            found[slug(name)] = value
        elif name.isdigit():
            found[f"argument_{at}"] = name
        else:
            found[slug(name)] = "yes"
    return found
