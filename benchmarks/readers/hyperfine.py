"""hyperfine's JSON export: whole commands timed from outside.

The file knows no environment; each timed run is a process of its own, so there is one sample for
each process; the name of a subject is its command line. `parameters` appear with `-P` and `-L`.
Runs that failed (an exit code other than 0) are left out and said.
"""

from __future__ import annotations

from typing import Any

from benchmarks.documents import Document, Measured, RefusedError, Subject
from benchmarks.readers.content import File
from benchmarks.readers.names import left_out, parameters
from benchmarks.readers.numbers import number, numbers

CASE = "command"
KNOWN = {
    *("command", "mean", "stddev", "median", "min", "max", "times", "exit_codes", "parameters"),
}


def recognises(file: File) -> bool:
    results = file.data.get("results") if isinstance(file.data, dict) else None
    return (
        isinstance(results, list)
        and bool(results)
        and all(isinstance(one, dict) and "command" in one and "mean" in one for one in results)
    )


def read(file: File) -> Document:
    remarks: list[str] = []
    results = [
        _read_result(one, f"/results/{at}", remarks) for at, one in enumerate(file.data["results"])
    ]
    return Document(
        format="hyperfine",
        results=results,
        tool={"name": "hyperfine"},
        suite="commands",
        order="sequential",
        remarks=[*remarks, *left_out(_others(file.data["results"]))],
    )


def _others(rows: list[dict[str, Any]]) -> list[str]:
    """What is told of a command beside its times."""
    return [name for one in rows for name in one if name not in KNOWN]


def _read_result(one: dict[str, Any], place: str, remarks: list[str]) -> Measured:
    if not isinstance(one["command"], str):
        raise RefusedError(f"{place}/command", "The command is not a text.")
    name = " ".join(one["command"].split())[:300]
    said = one.get("parameters") or {}
    if not isinstance(said, dict):
        raise RefusedError(f"{place}/parameters", "Names and values are expected here.")
    times = one.get("times")
    samples: list[list[float]] = []
    summary: dict[str, float] = {}
    if times is None:  # an export without single times
        summary = {
            key: number(one[key], f"{place}/{key}")
            for key in ("mean", "median", "stddev", "min", "max")
            if one.get(key) is not None
        }
    else:
        samples = _succeeded(one, numbers(times, f"{place}/times"), place, name, remarks)
    return Measured(
        place=place,
        name=name,
        case=CASE,
        subject=Subject(name),
        metric="duration",
        unit="s",
        direction="lower",
        samples=samples,
        summary=summary,
        params=parameters((str(key), str(value)) for key, value in said.items()),
        error="" if samples or summary else "Every run of this command failed.",
    )


def _succeeded(
    one: dict[str, Any], times: list[float], place: str, name: str, remarks: list[str]
) -> list[list[float]]:
    """One process for each time whose command did not fail."""
    codes = one.get("exit_codes", [0] * len(times))
    if not isinstance(codes, list) or len(codes) != len(times):
        raise RefusedError(f"{place}/exit_codes", "There must be one exit code for each time.")
    good = [[time] for time, code in zip(times, codes, strict=True) if code == 0]
    if len(good) < len(times):
        remarks.append(f"{len(times) - len(good)} failed runs of “{name}” were left out.")
    return good
