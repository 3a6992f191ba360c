"""What changed between two texts of bylaws, clause by clause.

Clauses are matched by their words, so that one put in before others does not make all that follow
look changed: those are told to have another number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Final

from governance.bylaws.text import Item, Kind
from portal.lib.redline import Piece, redline

ALIKE: Final = 0.6  # the part of the words that two clauses share when one came from the other
Pair = tuple[Item | None, Item | None]


class How(StrEnum):
    SAME = "same"
    RENUMBERED = "renumbered"
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Change:
    """One item, as it was and as it is; one of both is missing where it was put in or taken out."""

    before: Item | None
    after: Item | None

    @property
    def item(self) -> Item:
        found = self.after or self.before
        if found is None:
            raise ValueError("a change has a before or an after")
        return found

    @property
    def how(self) -> How:
        if self.before is None:
            return How.ADDED
        if self.after is None:
            return How.REMOVED
        if self.before.flow != self.after.flow:
            return How.CHANGED
        return How.SAME if self.before.number == self.after.number else How.RENUMBERED

    @property
    def anchor(self) -> str:
        """Of the item; one that was taken out has its own, since its number may live on."""
        return self.item.anchor if self.after else f"was-{self.item.anchor}"

    @property
    def old_number(self) -> str:
        """The number it had, where that was another one."""
        if self.before is None or self.after is None or self.before.number == self.after.number:
            return ""
        return self.before.number

    @property
    def pieces(self) -> list[Piece]:
        return redline(
            self.before.flow if self.before else "", self.after.flow if self.after else ""
        )


def compare(before: Sequence[Item], after: Sequence[Item]) -> list[Change]:
    """Every item of both texts once, in reading order; what was taken out stands where it was."""
    matcher = SequenceMatcher(None, _keys(before), _keys(after), autojunk=False)
    found: list[Change] = []
    for tag, a, b, c, d in matcher.get_opcodes():
        old, new = before[a:b], after[c:d]
        if tag == "equal":
            found += [Change(was, now) for was, now in zip(old, new, strict=True)]
        else:
            found += [Change(was, now) for was, now in _paired(old, new)]
    return found


def altered(changes: Sequence[Change]) -> list[Change]:
    return [change for change in changes if change.how is not How.SAME]


def _keys(items: Sequence[Item]) -> list[tuple[Kind, str]]:
    return [(item.kind, item.flow) for item in items]


def _paired(old: Sequence[Item], new: Sequence[Item]) -> Iterator[Pair]:
    """The items of a stretch that differs: those alike together, then those of one number."""
    pairs = _without_crossing(_alike(old, new), [])
    pairs = _without_crossing(_of_one_number(old, new), pairs)
    at_old = at_new = 0
    for a, b in [*sorted(pairs), (len(old), len(new))]:
        yield from ((item, None) for item in old[at_old:a])
        yield from ((None, item) for item in new[at_new:b])
        if a < len(old) and b < len(new):
            yield old[a], new[b]
        at_old, at_new = a + 1, b + 1


def _alike(old: Sequence[Item], new: Sequence[Item]) -> list[tuple[int, int]]:
    """Places of items that share most of their words, the most alike first."""
    found = [
        (SequenceMatcher(None, was.text.split(), now.text.split()).ratio(), a, b)
        for a, was in enumerate(old)
        for b, now in enumerate(new)
        if was.kind is now.kind
    ]
    found.sort(key=lambda each: (-each[0], each[1], each[2]))
    return [(a, b) for ratio, a, b in found if ratio >= ALIKE]


def _of_one_number(old: Sequence[Item], new: Sequence[Item]) -> list[tuple[int, int]]:
    places = {(item.kind, item.number): b for b, item in enumerate(new)}
    found = ((a, places.get((item.kind, item.number))) for a, item in enumerate(old))
    return [(a, b) for a, b in found if b is not None]


def _without_crossing(
    wanted: Sequence[tuple[int, int]], taken: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """`taken`, and of those wanted each that keeps both texts in their order."""
    found = list(taken)
    for a, b in wanted:
        if all((a < x and b < y) or (a > x and b > y) for x, y in found):
            found.append((a, b))
    return found
