"""A count as its page shows it: a table of stages with the chart, pairs, or bars of marks."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.safestring import mark_safe

from governance.elections.chart import chart
from governance.elections.counted import Counted
from governance.elections.stage_table import StageTable, stage_table
from governance.elections.told_marks import MarkRow, mark_rows
from governance.elections.told_pairs import PairTable, pair_tables
from governance.elections.told_question import SumRow, sum_rows
from governance.tally.marks import Marks
from governance.tally.question import Answer
from governance.tally.schulze import Comparison
from governance.tally.stages import Tally


@dataclass(frozen=True, slots=True)
class Shown:
    """What `_stages.html` and `_chart.html` take. One of the four has something."""

    title: str  # of the contest
    valid: int
    stages: StageTable | None = None
    chart: str = ""  # SVG, safe
    pairs: tuple[PairTable, ...] = ()
    marks: tuple[MarkRow, ...] = ()
    answers: tuple[SumRow, ...] = ()  # of a question


def shown(counted: Counted, number: int = -1) -> Shown:
    """The count that stands, or the one of this place among its `rounds`.

    Raises IndexError for one that is not there, as where no quorum was reached.
    """
    each = counted.rounds[number]
    tally, names, title = each.tally, counted.names, counted.turnout.title
    absent = {*counted.absent, *each.left}
    if isinstance(tally, Comparison):
        return Shown(title, tally.valid, pairs=pair_tables(tally, names))
    if isinstance(tally, Marks):
        return Shown(title, tally.valid, marks=tuple(mark_rows(tally, names)))
    if isinstance(tally, Answer):
        return Shown(title, tally.valid, answers=sum_rows(tally))
    if not isinstance(tally, Tally):
        raise TypeError(f"{type(tally).__name__} is no count that can be shown")
    affiliations = [counted.affiliation(one) for one in range(len(names))]
    table = stage_table(tally, names, affiliations=affiliations, absent=absent)
    drawn = mark_safe(chart(tally, names, absent=absent))  # noqa: S308 - the plot escapes names
    return Shown(title, tally.valid, stages=table, chart=drawn)
