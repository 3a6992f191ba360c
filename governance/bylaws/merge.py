"""Two changes of the same bylaws in one text. Where both touch the same clauses, a person says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from governance.bylaws.text import Item, write


@dataclass(frozen=True, slots=True)
class Conflict:
    """Clauses as they were, and as each of two changes wants them."""

    base: tuple[Item, ...]
    ours: tuple[Item, ...]
    theirs: tuple[Item, ...]

    @property
    def anchors(self) -> list[str]:
        """Of all that it touches, each once."""
        items = (*self.base, *self.theirs, *self.ours)
        return list(dict.fromkeys(item.anchor for item in items))


Part = tuple[Item, ...] | Conflict


def merge(base: Sequence[Item], ours: Sequence[Item], theirs: Sequence[Item]) -> list[Part]:
    """`base` with what both changed in it, in reading order; a `Conflict` stands where both did."""
    kept_by_us, kept_by_them = _kept(base, ours), _kept(base, theirs)
    found: list[Part] = []
    at = at_us = at_them = 0
    for place in [*sorted(kept_by_us.keys() & kept_by_them.keys()), len(base)]:
        us = kept_by_us.get(place, len(ours))
        them = kept_by_them.get(place, len(theirs))
        found += _stretch(tuple(base[at:place]), tuple(ours[at_us:us]), tuple(theirs[at_them:them]))
        found.append(tuple(base[place : place + 1]))
        at, at_us, at_them = place + 1, us + 1, them + 1
    return found


def conflicts(parts: Iterable[Part]) -> list[Conflict]:
    return [part for part in parts if isinstance(part, Conflict)]


def joined(parts: Iterable[Part], written: Iterable[str]) -> str:
    """The whole text, with what was `written` for each conflict in its place."""
    texts = _texts(parts, iter(written))
    return "\n\n".join(text for text in texts if text) + "\n"


def _texts(parts: Iterable[Part], written: Iterator[str]) -> Iterator[str]:
    for part in parts:
        text = next(written) if isinstance(part, Conflict) else write(part)
        yield text.replace("\r\n", "\n").strip()


def _stretch(
    base: tuple[Item, ...], ours: tuple[Item, ...], theirs: tuple[Item, ...]
) -> list[Part]:
    """What stands between two items that both left as they were."""
    if ours == theirs or base == theirs:
        return [ours]
    if base == ours:
        return [theirs]
    if _same_numbers(base, ours) and _same_numbers(base, theirs):
        return [_item(*each) for each in zip(base, ours, theirs, strict=True)]
    return [Conflict(base, ours, theirs)]


def _item(base: Item, ours: Item, theirs: Item) -> Part:
    if ours in (base, theirs):
        return (theirs,)
    if theirs == base:
        return (ours,)
    return Conflict((base,), (ours,), (theirs,))


def _same_numbers(base: Sequence[Item], changed: Sequence[Item]) -> bool:
    places = [(item.kind, item.number) for item in base]
    return places == [(item.kind, item.number) for item in changed]


def _kept(base: Sequence[Item], changed: Sequence[Item]) -> dict[int, int]:
    """Places in `base` of what is unchanged, each with its place in the changed text."""
    blocks = SequenceMatcher(None, base, changed, autojunk=False).get_matching_blocks()
    return {block.a + step: block.b + step for block in blocks for step in range(block.size)}
