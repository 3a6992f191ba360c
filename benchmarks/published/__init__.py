"""Figures that others have printed, as documents for the ready suites. Pure.

`published_results.json` holds the facts with their source. Nobody measured them here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.documents import Document, Measured, Subject
from benchmarks.readers.names import slug

TRANSPORTS: Final = {"named pipe": "pipe"}
CFLAGS: Final = re.compile(r"-(?:O\d|f\S+|mcpu\S+ \S+)")


@dataclass(frozen=True, slots=True)
class Published:
    """The figures of one suite, and where they were printed."""

    suite: str
    source: str
    document: Document


def published(text: str | None = None) -> list[Published]:
    """Every suite that has figures."""
    whole = text or (Path(__file__).parent / "published_results.json").read_text()
    return [
        Published(entry["suite"], entry["source"], _document(entry))
        for entry in json.loads(whole)["suites"]
        if entry["results"]
    ]


def _document(entry: Mapping[str, Any]) -> Document:
    read = SHAPES[entry["suite"]]
    results = [
        read(one, f"/results/{at}", entry["better"]) for at, one in enumerate(entry["results"])
    ]
    return Document(format="published", results=results, suite=entry["suite"])


def _summary(one: Mapping[str, Any]) -> dict[str, Any]:
    return {key: one[key] for key in ("value", "to", "bound", "note") if key in one}


def _fast_query(one: Mapping[str, Any], place: str, better: str) -> Measured:
    transport = one["transport"]
    return Measured(
        place=place,
        case=slug(one["query"]),
        subject=Subject(one["connector"], one["version"] or ""),
        metric="throughput",
        unit="op/s",
        direction=better,
        summary=_summary(one),
        params={
            "transport": TRANSPORTS.get(transport, transport),
            "prepare": "server" if one["prepared"] else "none",
            "threads": 1,
        },
    )


def _operations(one: Mapping[str, Any], place: str, better: str) -> Measured:
    return Measured(
        place=place,
        case=one["operation"].lower(),
        subject=Subject(one["connector"]),
        metric="duration",
        unit="s",
        direction=better,
        summary=_summary(one),
    )


def _parallel_load(one: Mapping[str, Any], place: str, better: str) -> Measured:
    setting = one["setting"]
    counted = setting.startswith("auto-increment")
    return Measured(
        place=place,
        case="bulk_load_auto_increment" if counted else "bulk_load",
        subject=Subject(one["connector"]),
        metric="rows_per_second",
        unit="row/s",
        direction=better,
        summary={**_summary(one), "note": f"{setting}, {one['minutes']} minutes"},
    )


def _fleet_query(one: Mapping[str, Any], place: str, better: str) -> Measured:
    return Measured(
        place=place,
        case="ask_1000_servers",
        subject=Subject(one["connector"]),
        metric="duration",
        unit="s",
        direction=better,
        summary=_summary(one),
    )


def _build_option(one: Mapping[str, Any], place: str, better: str) -> Measured:
    option = one["option"]
    return Measured(
        place=place,
        case="server_speed",
        subject=Subject(option),
        metric="ratio",
        unit="%",
        direction=better,
        summary=_summary(one),
        params={
            **({"link": "shared"} if "dynamically" in option else {}),
            **({"transport": "tcp"} if option.startswith("TCP") else {}),
            **({"cflags": flags[0]} if (flags := CFLAGS.search(option)) else {}),
        },
    )


SHAPES: Final[Mapping[str, Callable[[Mapping[str, Any], str, str], Measured]]] = {
    "fast_queries": _fast_query,
    "embedded_vs_client_server": _operations,
    "parallel_load": _parallel_load,
    "fleet_query": _fleet_query,
    "build_and_link_options": _build_option,
}
