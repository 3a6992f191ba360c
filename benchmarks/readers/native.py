"""The portal's own format, ``bench-upload/1``: described by `native_schema.json`, checked by it."""

from __future__ import annotations

import datetime as dt
import json
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

import jsonschema
from jsonschema.protocols import Validator

from benchmarks.documents import Document, Measured, RefusedError, Subject, better
from benchmarks.readers.content import File
from benchmarks.readers.numbers import finite, number, numbers

SCHEMA = "bench-upload/1"


@cache
def validator() -> Validator:
    text = (Path(__file__).parent / "native_schema.json").read_text()
    return jsonschema.Draft202012Validator(json.loads(text))


def recognises(file: File) -> bool:
    return isinstance(file.data, dict) and str(file.data.get("schema", "")).startswith(
        "bench-upload/"
    )


def read(file: File) -> Document:
    check_schema(_skeleton(file.data))
    for part in ("run", "environment"):
        finite(file.data[part], f"/{part}")
    run = file.data["run"]
    return Document(
        format="native",
        results=[
            _read_result(one, f"/results/{at}") for at, one in enumerate(file.data["results"])
        ],
        run_id=_uuid(run["id"]),
        started_at=_moment(run["started_at"], "/run/started_at"),
        finished_at=_moment(run["finished_at"], "/run/finished_at")
        if "finished_at" in run
        else None,
        tool=run["tool"],
        suite=run["tool"].get("suite", "").partition("@")[0],
        title=run.get("title", ""),
        notes=run.get("notes", ""),
        source_url=_address(run.get("source_url", "")),
        tags=run.get("tags", []),
        order=run.get("order", "unknown"),
        environment=file.data["environment"],
    )


def check_schema(data: Any, *, under: str = "") -> None:
    """Refuse at the deepest place that the schema does not allow."""
    part = validator()
    if under:
        part = part.evolve(schema=part.schema["properties"][under])  # type: ignore[index]
    error = jsonschema.exceptions.best_match(part.iter_errors(data))
    if error is not None:
        place = "".join(f"/{step}" for step in ([under] if under else []) + list(error.path))
        raise RefusedError(place, f"{error.message[:300]}.")


def _skeleton(data: dict[str, Any]) -> dict[str, Any]:
    """The same without the single samples: they are checked one by one, with their place."""
    results = data.get("results")
    if not isinstance(results, list):
        return data
    light = [
        {**one, "samples": [[0.0]]} if isinstance(one, dict) and "samples" in one else one
        for one in results
    ]
    return {**data, "results": light}


def _read_result(one: dict[str, Any], place: str) -> Measured:
    subject = one["subject"]
    finite(one.get("params", {}), f"{place}/params")
    samples = _processes(one["samples"], f"{place}/samples") if "samples" in one else []
    summary = one.get("summary", {})
    evidence = one.get("evidence", {})
    for name, part in (("summary", summary), ("evidence", evidence)):
        for key, value in part.items():
            if not isinstance(value, str):
                number(value, f"{place}/{name}/{key}")
    return Measured(
        place=place,
        case=one["case"],
        subject=Subject(
            name=subject["name"],
            version=subject.get("version", ""),
            implementation=subject.get("implementation", ""),
            package=subject.get("package", ""),
            runtime=subject.get("runtime", ""),
        ),
        metric=one["metric"],
        unit=one["unit"],
        direction=one.get("direction") or better(one["metric"], one["unit"]),
        samples=samples,
        summary=summary,
        params=one.get("params", {}),
        evidence=evidence,
        error=one.get("error", ""),
        case_sha256=one.get("case_sha256", ""),
    )


def _processes(value: Any, place: str) -> list[list[float]]:
    if not isinstance(value, list) or not value:
        raise RefusedError(
            place, "A list of processes is expected here, each a list of measurements."
        )
    return [numbers(process, f"{place}/{at}") for at, process in enumerate(value)]


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise RefusedError("/run/id", "This is not a UUID.") from None


def _moment(text: str, place: str) -> dt.datetime:
    try:
        moment = dt.datetime.fromisoformat(text)
    except ValueError:
        raise RefusedError(place, "This is not a date and time.") from None
    if moment.tzinfo is None:
        raise RefusedError(place, "The time zone is missing; write Z for UTC.")
    return moment.astimezone(dt.UTC)


def _address(text: str) -> str:
    if text and not text.startswith(("https://", "http://")):
        raise RefusedError("/run/source_url", "The address must begin with https:// or http://.")
    return text
