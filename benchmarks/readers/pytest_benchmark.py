"""pytest-benchmark's JSON: all rounds of a test ran in one process, so there is no verdict.

Without `--benchmark-save-data` there are no single times, only a summary.
"""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

from benchmarks.documents import Document, Measured, RefusedError, Subject
from benchmarks.readers.content import File
from benchmarks.readers.names import left_out, parameters, slug
from benchmarks.readers.numbers import number, numbers

PLAIN: Final = (str, int, float, bool)


def recognises(file: File) -> bool:
    return (
        isinstance(file.data, dict)
        and isinstance(file.data.get("machine_info"), dict)
        and isinstance(file.data.get("benchmarks"), list)
    )


def read(file: File) -> Document:
    machine = file.data["machine_info"]
    return Document(
        format="pytest-benchmark",
        results=[
            _read_test(one, machine, f"/benchmarks/{at}")
            for at, one in enumerate(file.data["benchmarks"])
        ],
        started_at=_moment(file.data.get("datetime")),
        tool={"name": "pytest-benchmark", "version": str(file.data.get("version", ""))},
        order="sequential",
        environment=_environment(machine),
        remarks=[
            "All rounds of a test come from one process: no verdict.",
            *left_out(_others(file.data["benchmarks"])),
        ],
    )


def _others(rows: list[Any]) -> list[str]:
    """What the author of a test wrote beside its times and is no plain value."""
    extra = [one["extra_info"] for one in rows if isinstance(one.get("extra_info"), dict)]
    return [
        f"extra_info {name}"
        for one in extra
        for name, value in one.items()
        if not isinstance(value, PLAIN)
    ]


def _extra(one: dict[str, Any]) -> dict[str, Any]:
    """Plain values of `extra_info`: what the author said of a test, such as its transport."""
    found = one.get("extra_info")
    pairs = found.items() if isinstance(found, dict) else []
    return {name: value for name, value in pairs if isinstance(value, PLAIN)}


def _read_test(one: Any, machine: dict[str, Any], place: str) -> Measured:
    if not isinstance(one, dict) or not isinstance(one.get("stats"), dict) or "name" not in one:
        raise RefusedError(place, "A test with its name and stats is expected here.")
    stats = one["stats"]
    python = f"{machine.get('python_implementation', '')} {machine.get('python_version', '')}"
    params = one.get("params") or {}
    if not isinstance(params, dict):
        raise RefusedError(f"{place}/params", "Names and values are expected here.")
    return Measured(
        place=place,
        name=str(one["name"])[:300],
        case=slug(str(one.get("group") or str(one["name"]).partition("[")[0])),
        subject=Subject(str(one["name"])[:300], runtime=python.strip()),
        metric="duration",
        unit="s",
        direction="lower",
        samples=[numbers(stats["data"], f"{place}/stats/data")] if stats.get("data") else [],
        summary={
            key: number(stats[key], f"{place}/stats/{key}")
            for key in ("mean", "median", "stddev", "min", "max")
            if key in stats
        },
        params=parameters(
            (str(key), str(value)) for key, value in {**params, **_extra(one)}.items()
        ),
    )


def _environment(machine: dict[str, Any]) -> dict[str, Any]:
    cpu = machine.get("cpu")
    cpu = cpu if isinstance(cpu, dict) else {}
    known = {
        "model": cpu.get("brand_raw"),
        "arch": machine.get("machine"),
        "threads": cpu.get("count"),
    }
    system = {"name": str(machine.get("system", "")), "kernel": str(machine.get("release", ""))}
    return {"cpu": {key: value for key, value in known.items() if value}, "os": system}


def _moment(text: object) -> dt.datetime | None:
    try:
        moment = dt.datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
