"""The sample of a count for the styleguide: a limit of seats, surpluses, an exclusion."""

from __future__ import annotations

from typing import Any, Final

from governance.elections import what_if
from governance.elections.counted import Counted, Turnout
from governance.elections.report import report
from governance.elections.shown import shown
from governance.elections.what_if_page import what_if_page
from governance.tally.contest import Contest, resolve
from governance.tally.ties import Lot

NAMES: Final = ("Alice", "Bob", "Charlie", "Dana", "Erin")
PAPERS: Final = {  # the places of the candidates as voters ranked them, and how many did
    "021": 25, "03": 14, "012": 12, "0": 6, "23": 19, "213": 12, "2": 5, "34": 17,
    "320": 11, "3": 4, "430": 13, "41": 8, "4": 2, "12": 12, "143": 7, "1": 2,
}  # fmt: skip
SEED: Final = "4f2c9a1be07d"


def context() -> dict[str, Any]:
    """What the templates of `governance/elections/` take."""
    papers = [bytes(map(int, text)) for text, number in PAPERS.items() for _ in range(number)]
    contest = Contest("scottish-stv", len(NAMES), 3, {0: "Northwind Data", 2: "Northwind Data"}, 1)
    lot = Lot(SEED)
    turnout = Turnout("Contributors", on_roll=206, took_part=172, blank=2, spoilt=1, quorum=69)
    counted = Counted(turnout, contest, NAMES, tuple(resolve(papers, contest, lot=lot)), SEED)
    choice = what_if.Choice("meek-stv", 3, is_limited=False)
    compared = what_if.compare(papers, contest, choice, elected=counted.elected, lot=lot)
    small = Turnout("Corporate members", on_roll=24, took_part=5, quorum=8)
    return {
        "count_shown": shown(counted, 0),
        "count_report": report(counted),
        "count_turnouts": [turnout, small],
        "count_what_if": what_if_page(counted, choice, compared),
    }
