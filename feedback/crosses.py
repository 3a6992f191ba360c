"""The tables of two and three facts of a month: within a series, within a system, or both."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from feedback.counting import QUESTIONS, Counted, Parts, Place
from feedback.crossing import Told, tell
from feedback.publication import OTHER, publish, publish_yes

SYSTEM: Final = "system"
NOT_TOLD: Final[Place] = ("", "")
WORTH: Final = 0.75  # of the servers that series alone can tell, for series and system to be told
# Asked by charts of their own, which tell more.
ASKED_ELSEWHERE: Final = frozenset({"replication", "Galera", "TLS"})


@dataclass(frozen=True, slots=True)
class CrossCell:
    """Servers of a label in a place; of `base` that are told apart there."""

    chart: str
    series: str
    system: str
    label: str
    servers: int
    base: int


def crosses(counted: Counted) -> Iterator[CrossCell]:
    """All cells that may be published."""
    blocks = _Blocks.of(counted)
    systems = {(series, ""): cells for series, cells in blocks.trunk.rows.items()}
    yield from _cells(SYSTEM, systems, blocks.trunk.rest)
    for chart, parts in counted.parts.items():
        total = sum(parts.values(), Counter[str]())
        names = _names(total)
        told = blocks.best({p: _renamed(labels, names) for p, labels in parts.items()}, joins=True)
        if told.tells_something:
            yield from _cells(chart, told.rows, told.rest)
    for chart, questions in counted.yes.items():
        for question in questions.keys() - ASKED_ELSEWHERE if chart in QUESTIONS else ():
            yield from _answer(chart, question, questions[question], counted, blocks)


def _answer(
    chart: str, question: str, yes: Mapping[Place, int], counted: Counted, blocks: _Blocks
) -> Iterator[CrossCell]:
    if publish_yes(sum(yes.values()), counted.places.total()) is None:
        return
    parts = {
        place: Counter({"yes": yes.get(place, 0), "no": servers - yes.get(place, 0)})
        for place, servers in counted.places.items()
    }
    told = blocks.best(parts, joins=False)
    rows = {**told.rows, NOT_TOLD: told.rest} if told.rest else told.rows
    for (series, system), answers in rows.items():
        yield CrossCell(
            chart, series, system, question, answers.get("yes", 0), sum(answers.values())
        )


def _cells(
    chart: str, rows: Mapping[Place, Mapping[str, int]], rest: Mapping[str, int]
) -> Iterator[CrossCell]:
    for (series, system), labels in [*rows.items(), (NOT_TOLD, rest)]:
        base = sum(labels.values())
        for label, servers in labels.items():
            yield CrossCell(chart, series, system, label, servers, base)


def _names(total: Mapping[str, int]) -> dict[str, str]:
    """What each label is called where one fact is told: small ones are `other`."""
    shown = publish(total).cells
    return {label: label if label in shown else OTHER for label in total}


def _renamed(labels: Mapping[str, int], names: Mapping[str, str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for label, servers in labels.items():
        found[names[label]] += servers
    return found


@dataclass(frozen=True, slots=True)
class _Blocks:
    """The blocks that third facts are told of: series, or series and system where told."""

    trunk: Told[str]
    series: Mapping[str, str]  # as they are called where they are told
    systems: Mapping[str, str]

    @classmethod
    def of(cls, counted: Counted) -> _Blocks:
        by_series, by_system = Counter[str](), Counter[str]()
        for (series, system), servers in counted.places.items():
            by_series[series] += servers
            by_system[system] += servers
        series_names, system_names = _names(by_series), _names(by_system)
        table: dict[str, Counter[str]] = defaultdict(Counter)
        for (series, system), servers in counted.places.items():
            table[series_names[series]][system_names[system]] += servers
        trunk = tell(table)
        columns = {label for cells in trunk.rows.values() for label in cells}
        told = {system: n if n in columns else OTHER for system, n in system_names.items()}
        return cls(trunk, series_names, told)

    def best(self, parts: Mapping[Place, Mapping[str, int]], *, joins: bool) -> Told[Place]:
        """Told of series and system, or of series alone where that tells much more."""
        fine: Parts = defaultdict(Counter)
        coarse: Parts = defaultdict(Counter)
        for (series, system), labels in parts.items():
            name = self.series[series]
            block = (name, self.systems[system]) if name in self.trunk.rows else NOT_TOLD
            fine[block].update(labels)
            coarse[(name, "")].update(labels)
        by_both, by_series = _told(fine, joins=joins), _told(coarse, joins=joins)
        return by_both if by_both.servers >= WORTH * by_series.servers > 0 else by_series


def _told(parts: Parts, *, joins: bool) -> Told[Place]:
    """What lies in no series that is told goes with the rest, which says no more."""
    told = tell(parts, joins=joins)
    rows = {place: labels for place, labels in told.rows.items() if place != NOT_TOLD}
    return Told(rows, Counter(told.rest) + Counter(told.rows.get(NOT_TOLD, {})))
