"""What may be shown of the counts of one month: each chart by its own rule. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from feedback.labels import ESTABLISHED, FIRST_SEEN, SERVERS, Cell
from feedback.publication import (
    SMALLEST,
    publish,
    publish_groups,
    publish_yes,
    round_down,
)

# chart -> group -> label -> servers, as the roll-up counted them
Counted = Mapping[str, Mapping[str, Mapping[str, int]]]


@dataclass(frozen=True, slots=True)
class Breakdown:
    """What is shown of one chart in one month; `base` is what percentages are taken of."""

    base: int
    cells: tuple[Cell, ...] = ()
    hidden: int = 0
    rounded_to: int = 1  # tens while the month runs

    def about(self) -> Breakdown:
        """The same while the month runs: in tens, and without how many cells are hidden."""
        cells = tuple(replace(cell, servers=round_down(cell.servers)) for cell in self.cells)
        return Breakdown(round_down(self.base), cells, rounded_to=SMALLEST)

    @property
    def is_split(self) -> bool:
        """Whether established and first-seen servers may be told apart."""
        return self.servers(ESTABLISHED) is not None

    def servers(self, label: str) -> int | None:
        """The servers of a label; None when it is not shown."""
        return next((cell.servers for cell in self.cells if cell.label == label), None)

    def percent(self, servers: int | None) -> float | None:
        return None if servers is None or not self.base else 100 * servers / self.base

    def share(self, cell: Cell) -> float | None:
        """Percent of the servers that could be in the cell."""
        base = cell.base or self.base
        return 100 * cell.servers / base if base else None


def _total(counted: Counted) -> int:
    total = sum(counted.get("servers", {}).get("", {}).values())
    return total if total >= SMALLEST else 0


def plain(counted: Counted, chart: str) -> Breakdown:
    published = publish(counted.get(chart, {}).get("", {}))
    cells = tuple(Cell(label, servers) for label, servers in published.cells.items())
    return Breakdown(published.base, cells, published.hidden)


def ranges(counted: Counted, chart: str) -> Breakdown:
    """Cells in the order of their numbers; those without a number come last."""
    breakdown = plain(counted, chart)
    numbers = sorted((c for c in breakdown.cells if c.label.isdigit()), key=lambda c: int(c.label))
    words = (cell for cell in breakdown.cells if not cell.label.isdigit())
    return replace(breakdown, cells=(*numbers, *words))


def groups(counted: Counted, chart: str) -> Breakdown:
    sums = {group: sum(labels.values()) for group, labels in counted.get(chart, {}).items()}
    published = publish(sums)
    cells = tuple(Cell(label, servers) for label, servers in published.cells.items())
    return Breakdown(published.base, cells, published.hidden)


def inside(counted: Counted, chart: str) -> Breakdown:
    published = publish_groups(counted.get(chart, {}))
    cells = tuple(
        Cell(label, servers, group)
        for group, shown in published.items()
        for label, servers in shown.cells.items()
    )
    hidden = sum(shown.hidden for shown in published.values())
    return Breakdown(sum(cell.servers for cell in cells), cells, hidden)


def established(counted: Counted, chart: str) -> Breakdown:
    """Established and first-seen servers; only their sum where one of them is a small group."""
    total = _total(counted)
    split = counted.get(chart, {}).get("", {})
    established, first_seen = split.get(ESTABLISHED, 0), split.get(FIRST_SEEN, 0)
    if not total:
        return Breakdown(0)
    if publish_yes(established, total) is None:
        return Breakdown(total, (Cell(SERVERS, total),), hidden=2)
    return Breakdown(total, (Cell(ESTABLISHED, established), Cell(FIRST_SEEN, first_seen)))


def answers(counted: Counted, chart: str) -> Breakdown:
    """Questions that each server answers for itself: the base is all servers."""
    base = _total(counted)
    asked = counted.get(chart, {}).get("", {}) if base else {}
    shown = {label: publish_yes(servers, base) for label, servers in asked.items()}
    shown |= {
        label: _others(counted, base, *ASKED_TWICE[label])
        for label in asked.keys() & ASKED_TWICE.keys()
    }
    known = {label: servers for label, servers in shown.items() if servers is not None}
    cells = [Cell(*item) for item in sorted(known.items(), key=lambda cell: (-cell[1], cell[0]))]
    return Breakdown(base, tuple(cells), len(shown) - len(known))


# A question whose answer a chart tells in parts, and the part that says no. The answer follows
# from what is shown there, since the two numbers together could give away what is hidden.
ASKED_TWICE: Final = {
    "replication": ("replication", "none"),
    "Galera": ("galera", "0"),
    "TLS": ("tls", "off"),
}


def _others(counted: Counted, base: int, chart: str, label: str) -> int | None:
    """All servers but those of a label, where that label is shown or empty."""
    parts = counted.get(chart, {}).get("", {})
    if not parts.get(label):
        return base
    shown = publish(parts).cells.get(label)
    return None if shown is None else base - shown
