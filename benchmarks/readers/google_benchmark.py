"""Google Benchmark's JSON: repetitions inside one process.

Aggregates (mean, median, ...) are the tool's own and dropped. "debug" is said of the library that
Debian builds, so a flag tells it. Names carry arguments behind slashes.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

from benchmarks.documents import Document, Measured, RefusedError, Subject
from benchmarks.readers import names
from benchmarks.readers.content import File
from benchmarks.readers.names import slug
from benchmarks.readers.numbers import number

UNITS: Final = {"ns", "us", "ms", "s"}
KNOWN: Final = {
    *("family_index", "per_family_instance_index", "repetitions", "repetition_index", "threads"),
    *("iterations", "real_time", "error_occurred"),
}


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
    if dropped and not groups:
        raise RefusedError(
            "/benchmarks",
            "The file has aggregates only. Run without --benchmark_report_aggregates_only.",
        )
    remarks: list[str] = []
    return Document(
        format="google-benchmark",
        results=[_read_group(name, rows, debug, remarks) for name, rows in groups.items()],
        tool={"name": "Google Benchmark", "version": str(context.get("library_version", ""))},
        environment={"cpu": {"threads": context["num_cpus"]}} if "num_cpus" in context else {},
        remarks=[
            *remarks,
            "All repetitions come from one process: no verdict.",
            *([f"{dropped} aggregates of the tool were left out."] if dropped else []),
            *names.left_out(_counters(groups)),
        ],
    )


def _counters(groups: dict[str, list[tuple[str, dict[str, Any]]]]) -> list[str]:
    """Names of what was measured beside the time: processor time and counters of the author."""
    return [
        name
        for rows in groups.values()
        for _at, row in rows
        for name, value in row.items()
        if name not in KNOWN and isinstance(value, int | float)
    ]


def _read_group(
    name: str,
    rows: list[tuple[str, dict[str, Any]]],
    flags: tuple[str, ...],
    remarks: list[str],
) -> Measured:
    place, first = rows[0]
    unit = str(first.get("time_unit", "ns"))
    if unit not in UNITS:
        raise RefusedError(f"{place}/time_unit", f"“{unit}” is not a unit of time.")
    base, *arguments = name.split("/")
    failed = next(
        (str(row.get("error_message", "failed")) for _at, row in rows if _failed(row)), ""
    )
    samples = [
        number(row.get("real_time"), f"{at}/real_time") for at, row in rows if not _failed(row)
    ]
    if failed and samples:
        remarks.append(f"{len(rows) - len(samples)} failed repetitions of “{name}” were left out.")
    return Measured(
        place=place,
        name=name,
        case=slug(base),
        subject=Subject(base),
        metric="latency",
        unit=unit,
        direction="lower",
        samples=[samples] if samples else [],
        params=_params(arguments),
        flags=flags,
        error="" if samples else failed,
    )


def _failed(row: dict[str, Any]) -> bool:
    return bool(row.get("error_occurred"))


def _params(arguments: list[str]) -> dict[str, Any]:
    """ "real_time/threads:1/64" as names and values; bare numbers are arguments in order."""
    pairs = []
    for at, argument in enumerate(arguments):
        name, colon, value = argument.partition(":")
        if colon:
            pairs.append((name, value))
        elif name.isdigit():
            pairs.append((f"argument_{at}", name))
        else:
            pairs.append((name, "yes"))
    return names.parameters(pairs)
