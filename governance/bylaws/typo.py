"""Corrections of spelling that leave the meaning alone: what may be one, and the corrected text.

A correction goes without a vote, so it must be one beyond doubt: few letters, no figure, and none
of the small words that turn a duty into a choice.

The checker of bundles asks this of every correction there ever was: what is made stricter here
needs a day from which it counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import chain, zip_longest
from typing import Final

from governance.bylaws.text import Item

LONGEST: Final = 120
LETTERS: Final = 6  # how many may change
# fmt: off
WEIGHTY: Final = frozenset({
    "all", "and", "any", "both", "cannot", "each", "either", "every", "except", "least", "may",
    "might", "more", "most", "must", "no", "none", "nor", "not", "only", "or", "shall",
    "should", "till", "unless", "until", "will", "within", "without",
})
# fmt: on


@dataclass(frozen=True, slots=True)
class Correction:
    """In the item of this anchor `wrong` becomes `right`."""

    anchor: str
    wrong: str
    right: str


class Objection(StrEnum):
    NO_CLAUSE = "no_clause"
    NOTHING = "nothing"  # both are the same
    NOT_FOUND = "not_found"
    TWICE = "twice"  # nobody could tell which one is meant
    LONG = "long"
    FIGURES = "figures"
    WEIGHTY = "weighty"


def as_written(items: Sequence[Item], correction: Correction) -> Correction:
    """The same with the ends of lines that the clause has inside these words. A page shows them as
    spaces, and so they are copied; one that cannot be told apart is left as it is.
    """
    item = next((item for item in items if item.anchor == correction.anchor), None)
    words, right = correction.wrong.split(), correction.right.split()
    if item is None or not words or item.text.count(correction.wrong):
        return correction
    found = re.findall(r"\s+".join(map(re.escape, words)), item.text)
    if len(found) != 1:
        return correction
    gaps = re.findall(r"\s+", found[0]) if len(right) == len(words) else []
    kept = "".join(chain.from_iterable(zip_longest(right, gaps, fillvalue="")))
    return Correction(correction.anchor, found[0], kept if gaps else correction.right)


def objection(items: Sequence[Item], correction: Correction) -> Objection | None:
    """Why this is no correction of spelling; None when it is one."""
    item = next((item for item in items if item.anchor == correction.anchor), None)
    if item is None:
        return Objection.NO_CLAUSE
    if correction.wrong == correction.right or not correction.wrong.strip():
        return Objection.NOTHING
    places = item.text.count(correction.wrong)
    if places != 1:
        return Objection.TWICE if places else Objection.NOT_FOUND
    return _changes_meaning(correction.wrong, correction.right)


def corrected(items: Sequence[Item], corrections: Sequence[Correction]) -> list[Item]:
    """The items with the corrections, one after the other."""
    found = {item.anchor: item for item in items}
    for each in corrections:
        item = found[each.anchor]
        found[each.anchor] = replace(item, text=item.text.replace(each.wrong, each.right, 1))
    return list(found.values())


def _changes_meaning(wrong: str, right: str) -> Objection | None:
    if max(len(wrong), len(right)) > LONGEST or _letters_changed(wrong, right) > LETTERS:
        return Objection.LONG
    if re.findall(r"\d", wrong) != re.findall(r"\d", right):
        return Objection.FIGURES
    return Objection.WEIGHTY if _weighty(wrong) != _weighty(right) else None


def _letters_changed(wrong: str, right: str) -> int:
    blocks = SequenceMatcher(None, wrong, right, autojunk=False).get_matching_blocks()
    same = sum(block.size for block in blocks)
    return max(len(wrong), len(right)) - same


def _weighty(text: str) -> list[str]:
    return [word for word in re.findall(r"[^\W\d_]+", text.lower()) if word in WEIGHTY]
