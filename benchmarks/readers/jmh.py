"""JMH's JSON: forks are processes, `rawData` is [fork][iteration].

`scoreError` may be "NaN" or above the score and is not used. The driver usually sits in `params`:
a parameter named driver, connector or client becomes the subject.
"""

from __future__ import annotations

from typing import Any, Final

from benchmarks.documents import Document, Measured, RefusedError, Subject
from benchmarks.readers import names
from benchmarks.readers.content import File
from benchmarks.readers.names import slug
from benchmarks.readers.numbers import number, numbers

SUBJECTS: Final = ("driver", "connector", "client")
RATES: Final = {"ops/s": 1.0, "ops/ms": 1e3, "ops/us": 1e6, "ops/ns": 1e9}
TIMES: Final = {"s/op": "s", "ms/op": "ms", "us/op": "us", "ns/op": "ns"}


def recognises(file: File) -> bool:
    return (
        isinstance(file.data, list)
        and bool(file.data)
        and all(isinstance(one, dict) and "primaryMetric" in one for one in file.data)
    )


def read(file: File) -> Document:
    return Document(
        format="jmh",
        results=[_read_benchmark(one, f"/{at}") for at, one in enumerate(file.data)],
        tool={"name": "JMH", "version": str(file.data[0].get("jmhVersion", ""))},
        order="sequential",
        remarks=[
            *names.left_out(f"{other} of {one['benchmark']}" for one, other in _others(file.data)),
            *_without_samples(file.data),
        ],
    )


def _others(rows: list[dict[str, Any]]) -> list[tuple[dict[str, Any], str]]:
    """Metrics of profilers, such as the rate of allocation."""
    return [
        (one, str(name))
        for one in rows
        if isinstance(one.get("secondaryMetrics"), dict)
        for name in one["secondaryMetrics"]
    ]


def _without_samples(rows: list[dict[str, Any]]) -> list[str]:
    count = sum(not one["primaryMetric"].get("rawData") for one in rows)
    return [f"{count} results have no rawData, only a score: no interval."] if count else []


def _read_benchmark(one: dict[str, Any], place: str) -> Measured:
    metric = one["primaryMetric"]
    if not isinstance(metric, dict) or not isinstance(one.get("benchmark"), str):
        raise RefusedError(place, "A benchmark with its primaryMetric is expected here.")
    unit, factor, kind = _unit(metric.get("scoreUnit"), f"{place}/primaryMetric/scoreUnit")
    all_params = _params(one, place)
    params = dict(all_params)
    name = next((params.pop(key) for key in SUBJECTS if key in params), one["benchmark"])
    runtime = f"{one.get('vmName', '')} {one.get('vmVersion', '')}".strip()
    raw = metric.get("rawData")
    samples = []
    if isinstance(raw, list):
        samples = [
            [factor * value for value in numbers(fork, f"{place}/primaryMetric/rawData/{at}")]
            for at, fork in enumerate(raw)
        ]
    score = number(metric.get("score"), f"{place}/primaryMetric/score")
    return Measured(
        place=place,
        name=" ".join([one["benchmark"], *(f"{key}={value}" for key, value in all_params.items())]),
        case=slug(".".join(one["benchmark"].split(".")[-2:])),
        subject=Subject(name, runtime=runtime),
        metric=kind,
        unit=unit,
        direction="higher" if kind == "throughput" else "lower",
        samples=samples,
        summary={} if samples else {"mean": factor * score},
        params={**names.parameters(params.items()), **_threads(one)},
    )


def _params(one: dict[str, Any], place: str) -> dict[str, str]:
    found = one.get("params") or {}
    if not isinstance(found, dict):
        raise RefusedError(f"{place}/params", "Names and values are expected here.")
    return {str(key): str(value) for key, value in found.items()}


def _threads(one: dict[str, Any]) -> dict[str, Any]:
    return {"threads": one["threads"]} if isinstance(one.get("threads"), int) else {}


def _unit(text: object, place: str) -> tuple[str, float, str]:
    """Our unit, what a value is multiplied with, and the metric."""
    if str(text) in RATES:
        return "op/s", RATES[str(text)], "throughput"
    if str(text) in TIMES:
        return TIMES[str(text)], 1.0, "latency"
    raise RefusedError(place, f"“{text}” is not a known unit of JMH.")
