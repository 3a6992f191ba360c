"""Counts for tests of how they are shown: five candidates for three seats, and made ones."""

from __future__ import annotations

from collections.abc import Mapping

from governance.elections.counted import Absence, Counted, Turnout
from governance.tally.contest import Contest, resolve
from governance.tally.papers import Paper
from governance.tally.ties import Lot
from governance.tests.papers import papers

NAMES = ("Alice", "Bob", "Charlie", "Dana", "Erin")
SEED = "the seed of a test"
PAPERS = papers(
    *("25: A C B", "14: A D", "12: A B C", "6: A", "19: C D", "12: C B D", "5: C", "17: D E"),
    *("11: D C A", "4: D", "13: E D A", "8: E B", "2: E", "12: B C", "7: B E D", "2: B"),
)


def counted(
    contest: Contest,
    found: list[Paper] = PAPERS,
    *,
    names: tuple[str, ...] = NAMES,
    turnout: Turnout | None = None,
    absent: Mapping[int, Absence] | None = None,
) -> Counted:
    """This contest, counted."""
    gone = absent or {}
    rounds = tuple(resolve(found, contest, lot=Lot(SEED), seated=tuple(gone)))
    box = turnout or Turnout("Contributors", len(found), len(found))
    return Counted(box, contest, names[: contest.candidates], rounds, SEED, gone)
