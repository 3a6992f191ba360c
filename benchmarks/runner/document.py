"""What was measured in the portal's own format. Pure but for the clock and the machine's facts."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from benchmarks.runner.cases import definition_of
from benchmarks.runner.measuring import Taken
from benchmarks.runner.plan import Measurement

TOOL: Final = "connector-bench"
VERSION: Final = "1"
SCHEMA: Final = "bench-upload/1"
_RATES: Final = {"op/s": "throughput", "row/s": "rows_per_second"}


@dataclass
class Gathered:
    """All processes of one measurement, or why there are none."""

    measurement: Measurement
    taken: list[Taken] = field(default_factory=list)
    error: str = ""


def document(
    gathered: Sequence[Gathered],
    *,
    suite: str,
    seed: int,
    started: datetime,
    finished: datetime,
    environment: Mapping[str, Any],
    title: str,
    command: str,
) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "run": {
            "id": str(uuid.uuid4()),
            "started_at": started.isoformat(timespec="seconds"),
            "finished_at": finished.isoformat(timespec="seconds"),
            "tool": {"name": TOOL, "version": VERSION, "suite": f"{suite}@1", "command": command},
            "title": title,
            "tags": ["runner"],
            "seed": seed,
            "order": "interleaved",
        },
        "environment": dict(environment),
        "results": [result for one in gathered for result in results(one)],
    }


def results(one: Gathered) -> list[dict[str, Any]]:
    """The wall time in the case's unit and the client's processor time; or one error."""
    if one.error or not one.taken:
        return [{**_head(one), **_of_case(one), "error": (one.error or "not measured")[:1000]}]
    samples = [
        [_figure(one.measurement, taken.ops, w) for w, _c in taken.samples] for taken in one.taken
    ]
    cpu = [[round(c / taken.ops / 1000, 4) for _w, c in taken.samples] for taken in one.taken]
    wall = {**_head(one), **_of_case(one), "samples": samples, "evidence": evidence(one)}
    spent = {**_head(one), "metric": "cpu_time", "unit": "us", "direction": "lower"}
    return [wall, {**spent, "samples": cpu}]


def _figure(measurement: Measurement, ops: int, wall: int) -> float:
    """Operations or rows per second, or seconds for as many operations as the case is about."""
    times, rows = measurement.work.times, measurement.work.rows or 1
    value = times * wall / ops / 1e9 if times else rows * ops * 1e9 / wall
    return float(f"{value:.7g}")


def _head(one: Gathered) -> dict[str, Any]:
    measurement = one.measurement
    case = definition_of(measurement.suite, measurement.case)
    return {
        "case": case.slug,
        "case_sha256": case.hash,
        "subject": subject(one),
        "params": measurement.params(),
    }


def _of_case(one: Gathered) -> dict[str, str]:
    case = definition_of(one.measurement.suite, one.measurement.case)
    unit = "1" if case.unit == "%" else case.unit
    metric = "ratio" if unit == "1" else _RATES.get(unit, "duration")
    return {"metric": metric, "unit": unit, "direction": case.direction}


def subject(one: Gathered) -> dict[str, str]:
    """What was really loaded, as it says of itself; what was asked for where nothing was."""
    driver = one.measurement.driver
    told = one.taken[0].told if one.taken else {}
    found = {
        "name": driver.name,
        "version": told.get("version") or driver.version,
        "implementation": told.get("loaded", "")[:60],
        "package": driver.package,
        "sha256": driver.sha256,
        "runtime": told.get("runtime", "")[:100],
    }
    return {key: value for key, value in found.items() if value}


def evidence(one: Gathered) -> dict[str, float | str]:
    """Server counters per operation, all processes together."""
    found: dict[str, float | str] = {"result_check": one.taken[0].told["check"][:100]}
    ops = sum(taken.all_ops for taken in one.taken)
    names = {
        "Questions": "questions_per_op",
        "Com_stmt_execute": "stmt_execute_per_op",
        "Bytes_sent": "bytes_sent_per_op",
        "Bytes_received": "bytes_received_per_op",
    }
    for counter, name in names.items():
        if one.taken[0].counted:
            found[name] = round(sum(taken.counted[counter] for taken in one.taken) / ops, 3)
    return found
