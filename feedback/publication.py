"""What may be shown of counted servers: no cell below ten, none that can be worked out. Pure.

While a month runs, its counts are shown rounded down to tens: who compares two answers a minute
apart would else see the whole profile of the one server that reported between them.

A cell below the limit joins `other`. Where `other` itself stays below it, the smallest cell that
would have been shown joins too (complementary suppression), so that no difference to the total
gives a small number away. Cells inside groups follow the same rule within their group, because
the sum of a group is published as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

SMALLEST: Final = 10
OTHER: Final = "other"


@dataclass(frozen=True, slots=True)
class Published:
    """Cells that may be shown, and how many were hidden in `other`."""

    cells: Mapping[str, int]
    hidden: int = 0

    @property
    def base(self) -> int:
        """The total that the cells add up to: the base of every percentage."""
        return sum(self.cells.values())


def publish(cells: Mapping[str, int]) -> Published:
    """Cells of one total, largest first, `other` last. Nothing when the total is too small.

    >>> publish({"a": 40, "b": 12, "c": 4}).cells
    {'a': 40, 'other': 16}
    """
    if sum(cells.values()) < SMALLEST:
        return Published({}, hidden=len([n for n in cells.values() if n]))
    named = {name: n for name, n in cells.items() if name != OTHER}
    shown = dict(sorted(named.items(), key=lambda cell: (-cell[1], cell[0])))
    rest = cells.get(OTHER, 0)
    hidden = 0
    while shown:
        name, smallest = next(reversed(shown.items()))
        if smallest >= SMALLEST and (rest == 0 or rest >= SMALLEST):
            break
        del shown[name]
        rest += smallest
        hidden += smallest > 0
    return Published(shown | ({OTHER: rest} if rest else {}), hidden)


def publish_groups(groups: Mapping[str, Mapping[str, int]]) -> dict[str, Published]:
    """Cells inside groups whose sums are published too; a group that is hidden shows no cell."""
    sums = publish({group: sum(cells.values()) for group, cells in groups.items()})
    inside = {
        group: publish(groups[group]) for group in sums.cells if group in groups and group != OTHER
    }
    if OTHER in sums.cells:
        inside[OTHER] = Published({OTHER: sums.cells[OTHER]}, sums.hidden)
    return inside


def round_down(servers: int) -> int:
    """What is told of a count that still grows.

    >>> round_down(57)
    50
    """
    return servers - servers % SMALLEST


def publish_yes(count: int, base: int) -> int | None:
    """A yes-or-no question: neither those who do nor those who do not may be a small group."""
    small = (0 < count < SMALLEST) or (0 < base - count < SMALLEST)
    return None if small else count
