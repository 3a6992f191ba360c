"""Results of one connector as lines over its versions. Nothing is averaged: a version is one point,
its newest result of the highest trust.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks import machines
from benchmarks.conditions import series_key
from benchmarks.models import Result

_PARTS = re.compile(r"[0-9]+|[a-z]+")


@dataclass(frozen=True, slots=True)
class Series:
    """Points in the order of versions, all under the same conditions."""

    key: str
    points: Sequence[Result]
    others: int  # results of the same versions that are not drawn

    @property
    def last(self) -> Result:
        return self.points[-1]

    @property
    def params(self) -> Mapping[str, Any]:
        params: Mapping[str, Any] = self.last.params
        return params

    @property
    def values(self) -> list[float]:
        return [one.statistics.median for one in self.points]

    @property
    def place(self) -> str:
        """Server and machine in one line."""
        environment = self.last.run.environment
        parts = [machines.server_major(environment), machines.in_words(environment)]
        return ", ".join(part for part in parts if part)


def series_of(results: Iterable[Result]) -> list[Series]:
    """All lines, those with most versions first; results without a number are left out."""
    found: dict[tuple[object, ...], dict[str, list[Result]]] = {}
    for one in results:
        if hasattr(one, "statistics"):
            found.setdefault(series_key(one), {}).setdefault(one.version, []).append(one)
    lines = [_series(key, versions) for key, versions in found.items()]
    return sorted(lines, key=lambda line: (-len(line.points), line.key))


def _series(key: tuple[object, ...], versions: Mapping[str, list[Result]]) -> Series:
    order = sorted(versions, key=version_order)
    points = [max(versions[one], key=lambda r: (r.trust, r.run.uploaded_at, r.pk)) for one in order]
    count = sum(len(one) for one in versions.values())
    return Series(hashlib.sha256(repr(key).encode()).hexdigest()[:16], points, count - len(points))


def version_order(version: str) -> tuple[tuple[int, int, str], ...]:
    """A key that orders versions of any maker: numbers as numbers, "2.0-rc1" before "2.0".

    >>> sorted(["1.10", "1.9", "2.0", "2.0-rc1"], key=version_order)
    ['1.9', '1.10', '2.0-rc1', '2.0']
    """
    parts = [
        (2, int(one), "") if one.isdigit() else (0, 0, one)
        for one in _PARTS.findall(version.lower().removeprefix("v"))
    ]
    return (*parts, (1, 0, ""))
