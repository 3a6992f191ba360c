"""A ballot that a browser sent without sealing it: read, with what is wrong beside its row.

The same rules and words as the script of the form has; without it the page works the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.http import QueryDict
from django.utils.translation import gettext as _

from governance.sealed.paper import BLANK
from governance.tally.schulze import NO_OPINION, UNRANKED

MOST_RANK: Final = 254
Row = dict[str, Any]  # value, checked, silent, problem: as `_ballot.html` shows them


@dataclass
class Filled:
    """The paper, if nothing is wrong; and the rows as they were filled in, by place."""

    paper: bytes = BLANK
    rows: dict[int, Row] = field(default_factory=lambda: defaultdict(dict))
    says_nothing: bool = False

    @property
    def is_sound(self) -> bool:
        return not self.says_nothing and not any("problem" in row for row in self.rows.values())


def read(sent: QueryDict, kind: str, *, names: Sequence[str], most: int) -> Filled:
    """`kind` is "order", "ranks" or "marks" as the form has it; `most` how many may be marked."""
    if sent.get("vote") == "blank":
        return Filled()
    return READERS[kind](sent, names, most)


def refill(paper: bytes, kind: str) -> dict[int, Row]:
    """The rows of a ballot as this paper fills them in."""
    if kind == "marks":
        return {place: {"checked": True} for place in paper}
    if kind == "order":
        return {place: {"value": number} for number, place in enumerate(paper, 1)}
    words: Mapping[int, Row] = {NO_OPINION: {"silent": True}, UNRANKED: {}}
    return {place: words.get(rank, {"value": rank}) for place, rank in enumerate(paper)}


def _marks(sent: QueryDict, names: Sequence[str], most: int) -> Filled:
    places = [place for place in range(len(names)) if str(place) in sent.getlist("mark")]
    found = Filled(bytes(places), says_nothing=not places)
    for place in places:
        found.rows[place]["checked"] = True
    if len(places) > most:
        words = _("You marked {count}, and {most} can be elected. Take away a mark.")
        found.rows[places[-1]]["problem"] = words.format(count=len(places), most=most)
    return found


def _order(sent: QueryDict, names: Sequence[str], _most: int) -> Filled:
    found = Filled()
    typed = _typed(sent, names, found)
    numbers: dict[int, list[int]] = defaultdict(list)
    for place, text in typed.items():
        number = _number(text)
        if 1 <= number <= len(names):
            numbers[number].append(place)
        else:
            words = _("Write a number from 1 to {most}, or leave it empty.")
            found.rows[place]["problem"] = words.format(most=len(names))
    for number, places in numbers.items():
        for place in places if len(places) > 1 else []:
            others = ", ".join(names[other] for other in places if other != place)
            words = _("{others} has {number} too. Give each number once.")
            found.rows[place]["problem"] = words.format(others=others, number=number)
    if found.is_sound:
        _gaps(numbers, found)
    found.paper = bytes(place for number in sorted(numbers) for place in numbers[number])
    found.says_nothing = not typed
    return found


def _gaps(numbers: Mapping[int, list[int]], found: Filled) -> None:
    for before, number in zip([0, *sorted(numbers)], sorted(numbers), strict=False):
        if number > before + 1:
            words = _("Nobody has {missing}. Give that number, or close the gap below.")
            found.rows[numbers[number][0]]["problem"] = words.format(missing=before + 1)


def _ranks(sent: QueryDict, names: Sequence[str], _most: int) -> Filled:
    found = Filled()
    silent = {place for place in range(len(names)) if str(place) in sent.getlist("no-opinion")}
    for place in silent:
        found.rows[place]["silent"] = True
    given = {}
    for place, text in _typed(sent, names, found).items():
        if place in silent:
            continue
        given[place] = _number(text)
        if not 1 <= given[place] <= MOST_RANK:
            words = _(
                "Write a number from 1 to {most}, or leave it empty. The same number twice is fine."
            )
            found.rows[place]["problem"] = words.format(most=MOST_RANK)
    levels = sorted(set(given.values()))  # closed up: a rare number would be a mark on the ballot
    ranks = {place: levels.index(rank) + 1 for place, rank in given.items()}
    rest = {place: NO_OPINION if place in silent else UNRANKED for place in range(len(names))}
    found.paper = bytes((rest | ranks)[place] for place in range(len(names)))
    found.says_nothing = not given
    return found


def _typed(sent: QueryDict, names: Sequence[str], found: Filled) -> dict[int, str]:
    """What stands in the boxes, and keeps standing there."""
    every = {place: sent.get(f"rank-{place}", "").strip() for place in range(len(names))}
    typed = {place: text for place, text in every.items() if text}
    for place, text in typed.items():
        found.rows[place]["value"] = text
    return typed


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 3 else 0


READERS = {"marks": _marks, "order": _order, "ranks": _ranks}
