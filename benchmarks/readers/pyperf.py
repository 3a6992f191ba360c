"""pyperf's JSON: one process for each run.

The calibration run carries warm-ups only; it has no values and is left out.
"""

from __future__ import annotations

from typing import Any

from benchmarks.documents import Document, Measured, RefusedError, Subject
from benchmarks.readers.content import File
from benchmarks.readers.names import slug
from benchmarks.readers.numbers import numbers

UNITS = {"second": ("duration", "s"), "byte": ("memory", "B"), "integer": ("count", "1")}


def recognises(file: File) -> bool:
    if not isinstance(file.data, dict) or not isinstance(file.data.get("benchmarks"), list):
        return False
    return all(isinstance(one, dict) and "runs" in one for one in file.data["benchmarks"])


def read(file: File) -> Document:
    shared = _metadata(file.data, "")
    remarks: list[str] = []
    return Document(
        format="pyperf",
        results=[
            _read_benchmark(one, shared, f"/benchmarks/{at}", remarks)
            for at, one in enumerate(file.data["benchmarks"])
        ],
        tool={"name": "pyperf", "version": str(shared.get("perf_version", ""))},
        environment=_environment(shared),
        remarks=remarks,
    )


def _metadata(part: dict[str, Any], place: str) -> dict[str, Any]:
    found = part.get("metadata") or {}
    if not isinstance(found, dict):
        raise RefusedError(f"{place}/metadata", "Names and values are expected here.")
    return found


def _read_benchmark(
    one: dict[str, Any], shared: dict[str, Any], place: str, remarks: list[str]
) -> Measured:
    metadata = {**shared, **_metadata(one, place)}
    name = str(metadata.get("name", "benchmark"))
    told = str(metadata.get("unit", "second"))
    if told not in UNITS:
        raise RefusedError(f"{place}/metadata/unit", f"“{told}” is not a known unit.")
    metric, unit = UNITS[told]
    if not isinstance(one["runs"], list):
        raise RefusedError(f"{place}/runs", "A list of runs is expected here.")
    runs = list(enumerate(one["runs"]))
    samples = [
        numbers(run["values"], f"{place}/runs/{at}/values")
        for at, run in runs
        if isinstance(run, dict) and "values" in run
    ]
    if len(samples) < len(runs):
        left_out = len(runs) - len(samples)
        remarks.append(f"{left_out} calibration runs of “{name}” hold no values; left out.")
    runtime = f"{metadata.get('python_implementation', '')} {metadata.get('python_version', '')}"
    return Measured(
        place=place,
        name=name,
        case=slug(name),
        subject=Subject(name, runtime=runtime.strip()),
        metric=metric,
        unit=unit,
        direction="lower",
        samples=samples,
        error="" if samples else "No run of this benchmark holds a value.",
    )


def _environment(metadata: dict[str, Any]) -> dict[str, Any]:
    if "cpu_model_name" not in metadata:
        return {}
    cpu = {"model": metadata["cpu_model_name"], "threads": metadata.get("cpu_count")}
    return {
        "cpu": {key: value for key, value in cpu.items() if value},
        "os": {"name": str(metadata.get("platform", ""))},
    }
