"""The stages of a count as a table: everybody's votes, what each stage moved, who came and went."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from governance.elections.movements import End, Fate, Movement, fates, in_order, movements
from governance.elections.numbers import Scale, scale
from governance.tally import irv, meek
from governance.tally.stages import Stage, Step, Tally


@dataclass(frozen=True, slots=True)
class Column:
    """A stage."""

    title: str
    what: str


@dataclass(frozen=True, slots=True)
class Cell:
    """Votes at the end of a stage, and what it added or took away."""

    votes: str
    change: str = ""
    mark: str = ""
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    label: str
    note: str
    cells: tuple[Cell, ...]
    is_elected: bool = False


@dataclass(frozen=True, slots=True)
class StageTable:
    """What `governance/elections/_stages.html` shows."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]  # the elected first
    quota: Row
    sums: tuple[Row, ...]  # what is with nobody, the total
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Table:
    """What every part of the table is made from."""

    tally: Tally
    names: Sequence[str]
    scale: Scale
    moves: Sequence[Movement]
    fates: Sequence[Fate]


def stage_table(
    tally: Tally,
    names: Sequence[str],
    *,
    affiliations: Sequence[str] = (),
    absent: Collection[int] = (),
) -> StageTable:
    """`absent` are on the ballot and did not stand in this count."""
    known = _Table(tally, names, scale(tally), movements(tally), fates(tally, absent))
    stages = tuple(_column(tally, at, names) for at in range(1, len(tally.stages) + 1))
    rows = (
        _row(known, one, affiliations[one] if affiliations else "")
        for one in in_order(tally, absent)
    )
    return StageTable(stages, tuple(rows), _quota(known), tuple(_sums(known)), tuple(_notes(known)))


def stage_name(tally: Tally, number: int) -> str:
    """Meek's method counts in rounds."""
    words = _("Round %(number)s") if tally.method == meek.METHOD else _("Stage %(number)s")
    return words % {"number": number}


def what(stage: Stage, names: Sequence[str]) -> str:
    """What a stage does, in a few words."""
    if stage.step is Step.FIRST:
        return _("First preferences")
    if stage.candidate is None:
        return _("Surpluses go on")
    words = {
        Step.SURPLUS: _("Surplus of %(name)s"),
        Step.EXCLUSION: _("%(name)s leaves"),
    }[stage.step]
    return words % {"name": names[stage.candidate]}


def _column(tally: Tally, number: int, names: Sequence[str]) -> Column:
    return Column(stage_name(tally, number), what(tally.stages[number - 1], names))


def _row(known: _Table, one: int, note: str) -> Row:
    fate = known.fates[one]
    numbers = range(1, len(known.tally.stages) + 1)
    cells = tuple(_cell(known, one, number) for number in numbers)
    if fate.end is End.ABSENT:
        note = " · ".join(part for part in (note, _("does not stand")) if part)
    return Row(known.names[one], note, cells, fate.end is End.ELECTED)


def _cell(known: _Table, one: int, number: int) -> Cell:
    fate = known.fates[one]
    if fate.end is End.ABSENT or (fate.end is End.EXCLUDED and number > fate.stage):
        return Cell("—")
    votes = known.scale.votes(known.tally.stages[number - 1].votes[one])
    change = known.scale.change(known.moves[number - 2].changes[one]) if number > 1 else ""
    if number == fate.stage and fate.end is End.ELECTED:
        return Cell(votes, change, _("elected"), "good")
    if number == fate.stage and fate.end is End.EXCLUDED:
        return Cell(votes, change, _("leaves"), "bad")
    return Cell(votes, change)


def _sums(known: _Table) -> Iterator[Row]:
    """What stands below the candidates."""
    tally, told = known.tally, known.scale
    yield _sum(
        _("No further preference"),
        [stage.exhausted for stage in tally.stages],
        [move.exhausted for move in known.moves],
        told,
    )
    lost = [stage.lost for stage in tally.stages]
    if any(lost):
        yield _sum(_("Lost by rounding"), lost, [move.lost for move in known.moves], told)
    totals = [sum(stage.votes) + stage.exhausted + stage.lost for stage in tally.stages]
    yield _sum(_("Total"), totals, [], told)


def _quota(known: _Table) -> Row:
    label = _("More than half") if known.tally.method == irv.METHOD else _("Quota")
    return _sum(label, [stage.quota for stage in known.tally.stages], [], known.scale)


def _sum(label: str, parts: Sequence[int], changes: Sequence[int], told: Scale) -> Row:
    moved = [0, *changes] if changes else [0] * len(parts)
    cells = (Cell(told.votes(a), told.change(b)) for a, b in zip(parts, moved, strict=True))
    return Row(label, "", tuple(cells))


def _notes(known: _Table) -> Iterator[str]:
    """How to read the numbers."""
    yield _(
        "The large number is what each has at the end of the stage; below it stands what the "
        "stage added or took away."
    )
    if any(stage.lost for stage in known.tally.stages):
        yield _(
            "Fractions are cut after the fifth decimal; what is lost by it is on a line of its own."
        )
    if known.scale.is_cut:
        yield _("Five decimals are shown; the CSV has all of them.")
