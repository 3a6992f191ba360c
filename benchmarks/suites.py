"""The suites that come with the portal, read from `suites.json`. Pure: data in, dataclasses out.

A suite row is made from here when the first run names it, or by `manage.py benchmark_suites`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from benchmarks.documents import DIRECTIONS, UNITS

RESERVED: Final = frozenset(
    {
        "badges",
        "compare",
        "compatibility",
        "machines",
        "methodology",
        "moderation",
        "runs",
        "signers",
        "suites",
        "upload",
    }
)
SUITE_SLUG: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}", re.ASCII)
CASE_SLUG: Final = re.compile(r"[a-z0-9][a-z0-9_.-]{0,79}", re.ASCII)
MOST_CASES: Final = 100
PERCENT: Final = "%"  # of published figures: no tool may upload it
LONGEST_DEFINITION: Final = 10_000
CONNECTORS: Final = "connectors"

# What a parameter of a case may be; None where any text or number will do.
PARAMETERS: Final[Mapping[str, Sequence[str] | None]] = {
    "transport": ("tcp", "unix", "pipe", "shm", "embedded"),
    "prepare": ("none", "client", "server"),
    "threads": None,
    "tls": None,
    "compression": None,
    "batch": ("loop", "rewrite", "bulk"),
    "link": ("shared", "static"),
    "cflags": None,
    "cpu_placement": ("same", "different", "free", "unknown"),
    "server_host": ("same", "remote"),
    "thread": ("main", "worker"),
}


@dataclass(frozen=True, slots=True)
class CaseDefinition:
    """One case; ``definition`` says exactly what is done and is what its hash is taken of."""

    slug: str
    name: str
    unit: str
    direction: str
    definition: Mapping[str, Any]
    version: int = 1

    @property
    def hash(self) -> str:
        return definition_hash(self.definition)


@dataclass(frozen=True, slots=True)
class SuiteDefinition:
    slug: str
    name: str
    summary: str
    cases: Sequence[CaseDefinition]
    source: str = ""
    is_open: bool = False
    position: int = 100


def definition_hash(definition: Mapping[str, Any]) -> str:
    """SHA-256 of the definition as JSON with sorted keys and no space."""
    text = json.dumps(definition, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def suite_hash(cases: Mapping[str, str]) -> str:
    """A hash of the cases of a suite, by the hashes of their definitions."""
    return definition_hash(dict(cases))


def outside_vocabulary(definition: Mapping[str, Any]) -> list[str]:
    """The parameters of a definition that no runner would understand: "transport=carrier"."""
    found = []
    for name, values in definition.get("parameters", {}).items():
        if name not in PARAMETERS:
            found.append(name)
            continue
        known = PARAMETERS[name]
        given = values if isinstance(values, list) else [values]
        found += [f"{name}={one}" for one in given if known is not None and one not in known]
    return found


class FaultError(ValueError):
    """A definition that cannot be taken. ``place`` says where, as "cases/0/unit"."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}" if place else reason)


def read_suite(data: object) -> SuiteDefinition:
    """A definition that somebody sends, in the form of `suites.json`. Raises `FaultError`."""
    if not isinstance(data, dict):
        raise FaultError("", "A JSON object is expected here.")
    _no_others(data, "", {"slug", "name", "summary", "source", "is_open", "cases"})
    slug = _text(data, "slug", "", SUITE_SLUG)
    if slug in RESERVED:
        raise FaultError("slug", f"“{slug}” is the address of a page.")
    cases = data.get("cases")
    if not isinstance(cases, list) or len(cases) > MOST_CASES:
        raise FaultError("cases", f"A list of at most {MOST_CASES} cases is expected here.")
    is_open = data.get("is_open", False)
    if not isinstance(is_open, bool):
        raise FaultError("is_open", "true or false is expected here.")
    if not cases and not is_open:
        raise FaultError("cases", "Only a suite that takes undefined cases may be without any.")
    read = [_read_case(case, f"cases/{at}") for at, case in enumerate(cases)]
    if len({case.slug for case in read}) < len(read):
        raise FaultError("cases", "Two cases have the same address.")
    return SuiteDefinition(
        slug=slug,
        name=_text(data, "name", "", longest=120),
        summary=_text(data, "summary", "", longest=300),
        source=_text(data, "source", "", longest=300, may_lack=True),
        is_open=is_open,
        cases=read,
    )


def _read_case(data: object, place: str) -> CaseDefinition:
    if not isinstance(data, dict):
        raise FaultError(place, "A JSON object is expected here.")
    _no_others(data, place, {"slug", "name", "unit", "direction", "definition"})
    unit, direction = (_text(data, name, place) for name in ("unit", "direction"))
    if unit not in (*UNITS, PERCENT):
        raise FaultError(f"{place}/unit", f"Known units: {', '.join(UNITS)}.")
    if direction not in DIRECTIONS:
        raise FaultError(f"{place}/direction", f"Known: {', '.join(DIRECTIONS)}.")
    definition = data.get("definition")
    if not isinstance(definition, dict) or not definition:
        raise FaultError(f"{place}/definition", "Say here what is done, as a JSON object.")
    if len(json.dumps(definition)) > LONGEST_DEFINITION:
        raise FaultError(f"{place}/definition", "This is longer than 10,000 characters.")
    if not isinstance(definition.get("parameters", {}), dict):
        raise FaultError(f"{place}/definition/parameters", "A JSON object is expected here.")
    if unknown := outside_vocabulary(definition):
        known = ", ".join(PARAMETERS)
        reason = f"Not in the vocabulary: {', '.join(unknown)}. Known parameters: {known}."
        raise FaultError(f"{place}/definition/parameters", reason)
    return CaseDefinition(
        slug=_text(data, "slug", place, CASE_SLUG),
        name=_text(data, "name", place, longest=120),
        unit=unit,
        direction=direction,
        definition=definition,
    )


def _no_others(data: Mapping[str, Any], place: str, known: Set[str]) -> None:
    if others := sorted(data.keys() - known):
        raise FaultError(place, f"Not known here: {', '.join(map(str, others))[:200]}.")


def _text(
    data: Mapping[str, Any],
    name: str,
    place: str,
    form: re.Pattern[str] | None = None,
    *,
    longest: int = 80,
    may_lack: bool = False,
) -> str:
    where = f"{place}/{name}".strip("/")
    value = data.get(name, "" if may_lack else None)
    if not isinstance(value, str) or (not value.strip() and not may_lack):
        raise FaultError(where, "A text is expected here.")
    if len(value) > longest or not value.isprintable():
        raise FaultError(where, f"One line of at most {longest} characters is expected here.")
    if form is not None and not form.fullmatch(value):
        raise FaultError(where, "Small letters, digits, “_” and “-” only, a letter or digit first.")
    return value.strip()


@cache
def ready_suites() -> Mapping[str, SuiteDefinition]:
    """Suites by their address, in the order in which pages list them."""
    entries = json.loads((Path(__file__).parent / "suites.json").read_text())
    return {
        entry["slug"]: SuiteDefinition(
            **{**entry, "cases": [CaseDefinition(**case) for case in entry["cases"]]},
            position=at,
        )
        for at, entry in enumerate(entries)
    }
