"""The suites that come with the portal, read from `suites.json`. Pure: data in, dataclasses out.

A suite row is made from here when the first run names it, or by `manage.py benchmark_suites`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

RESERVED: Final = frozenset(
    {
        "badges",
        "compare",
        "compatibility",
        "machines",
        "methodology",
        "moderation",
        "runs",
        "suites",
        "upload",
    }
)
COMMANDS: Final = "commands"
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
