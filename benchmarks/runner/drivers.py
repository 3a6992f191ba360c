"""The drivers that can be measured, pinned: read from `drivers.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache as remembered
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Driver:
    """One version of one driver; ``module`` is what its language installs and loads.

    ``url`` is for JDBC: a pattern for each transport that the driver has.
    """

    slug: str
    name: str
    version: str
    language: str
    module: str
    package: str
    sha256: str = ""
    from_source: bool = False
    url: Mapping[str, str] = field(default_factory=dict, hash=False)
    prepared: str = ""

    @property
    def label(self) -> str:
        return f"{self.name} {self.version}".strip()

    @property
    def is_embedded(self) -> bool:
        return self.module == "embedded"


@remembered
def all_drivers() -> Mapping[str, Driver]:
    entries = json.loads((Path(__file__).parent / "drivers.json").read_text())
    return {entry["slug"]: Driver(**entry) for entry in entries}
