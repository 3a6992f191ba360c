"""The stages of a count as CSV: a line for each stage and candidate, with every decimal.

Its words are those of the code, the same in every language.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from governance.elections.movements import Movement, movements
from governance.elections.numbers import exact
from governance.tally.stages import Stage, Step, Tally
from portal.lib.spreadsheet import safe

HEAD = ("stage", "step", "of", "candidate", "change", "votes", "quota", "state")


def stage_csv(tally: Tally, names: Sequence[str]) -> str:
    """Numbers have a point and all decimals of the unit; a name that would be a formula is text."""
    told = io.StringIO()
    file = csv.writer(told)
    file.writerow(HEAD)
    gone: set[int] = set()
    cells = [safe(name) for name in names]
    moves = [None, *movements(tally)]
    for number, (stage, move) in enumerate(zip(tally.stages, moves, strict=True), 1):
        of = "" if stage.candidate is None else cells[stage.candidate]
        if stage.step is Step.EXCLUSION and stage.candidate is not None:
            gone.add(stage.candidate)
        for label, change, votes, state in _lines(stage, move, cells, gone):
            told_change = exact(change, tally.unit) if move else ""
            figures = (told_change, exact(votes, tally.unit), exact(stage.quota, tally.unit))
            file.writerow((number, stage.step.value, of, label, *figures, state))
    return told.getvalue()


def _lines(
    stage: Stage, move: Movement | None, names: Sequence[str], gone: set[int]
) -> Iterator[tuple[str, int, int, str]]:
    """Who, what changed, what it is at the end of the stage, in which state."""
    for one, name in enumerate(names):
        state = "elected" if one in stage.elected else "excluded" if one in gone else ""
        yield name, move.changes[one] if move else 0, stage.votes[one], state
    yield "(exhausted)", move.exhausted if move else 0, stage.exhausted, ""
    yield "(lost by rounding)", move.lost if move else 0, stage.lost, ""
