"""The stages of a count in sentences: who reached the quota, what went on to whom, who left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from governance.elections.movements import Movement, movements
from governance.elections.numbers import Scale, digits, scale, whole
from governance.elections.stage_table import stage_name, what
from governance.elections.told_ties import Draw, listed, told_tie
from governance.tally import irv, meek
from governance.tally.stages import Stage, Step, Tally


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One stage, or one step of another method."""

    title: str
    sentences: tuple[str, ...]
    draws: tuple[Draw, ...] = ()


@dataclass(frozen=True, slots=True)
class _Told:
    tally: Tally
    names: Sequence[str]
    scale: Scale
    seed: str
    papers: int


def paragraphs(tally: Tally, names: Sequence[str], seed: str, papers: int) -> list[Paragraph]:
    """`papers` are all that rank anybody, those who do not stand in this count too."""
    told = _Told(tally, names, scale(tally), seed, papers)
    moves = [None, *movements(tally)]
    return [_paragraph(told, number, move) for number, move in enumerate(moves, 1)]


def _ranking_nobody(told: _Told) -> Iterator[str]:
    """Papers that rank only people who do not stand any more."""
    rest = told.papers - told.tally.valid
    if rest > 0:
        yield ngettext(
            "%(number)s paper ranks nobody who stands in this count.",
            "%(number)s papers rank nobody who stands in this count.",
            rest,
        ) % {"number": whole(rest)}


def _asked(told: _Told) -> str:
    """How many votes elect."""
    if told.tally.method == irv.METHOD:
        return _("Who has more than half of the papers that still rank somebody is elected.")
    words = {"quota": told.scale.said(told.tally.stages[0].quota)}
    if told.tally.method == meek.METHOD:
        text = _(
            "The quota is %(quota)s at first: the votes, divided by one more than there are seats. "
            "It falls as papers come to their end."
        )
    else:
        text = _(
            "The quota is %(quota)s: the papers, divided by one more than there are seats, and the "
            "next whole number above it. No more people can reach it than there are seats."
        )
    return text % words


def _paragraph(told: _Told, number: int, move: Movement | None) -> Paragraph:
    stage = told.tally.stages[number - 1]
    title = f"{stage_name(told.tally, number)}: {what(stage, told.names)}"
    ties = [
        told_tie(told.tally, number, tie, names=told.names, scale=told.scale, seed=told.seed)
        for tie in stage.ties
    ]
    choosing = [tie.chosen == stage.candidate for tie in stage.ties]
    first = [tie.sentence for tie, is_first in zip(ties, choosing, strict=True) if is_first]
    later = [tie.sentence for tie, is_first in zip(ties, choosing, strict=True) if not is_first]
    sentences = [*first, *_moved(told, number, move), *_elected(told, number), *later]
    return Paragraph(title, tuple(sentences), tuple(tie.draw for tie in ties if tie.draw))


def _moved(told: _Told, number: int, move: Movement | None) -> Iterator[str]:
    stage = told.tally.stages[number - 1]
    if move is None:
        yield _first_preferences(told, stage)
        yield from _ranking_nobody(told)
        yield _asked(told)
        return
    if told.tally.method == meek.METHOD:
        yield from _shared_out(told, stage)
    elif stage.step is Step.SURPLUS:
        yield _surplus(told, number)
    if stage.step is Step.EXCLUSION:
        yield _exclusion(told, number)
    yield from _gains(told, move)


def _first_preferences(told: _Told, stage: Stage) -> str:
    order = sorted(range(len(told.names)), key=lambda one: (-stage.votes[one], one))
    having = [f"{told.names[one]} {told.scale.said(stage.votes[one])}" for one in order]
    shown = [text for one, text in zip(order, having, strict=True) if stage.votes[one]]
    if not shown:
        return _("No paper ranks anybody who stands.")
    return _("First preferences: %(list)s.") % {"list": listed(shown)}


def _surplus(told: _Told, number: int) -> str:
    """With the value at which each paper goes on, cut as the count cuts it."""
    stage, before = told.tally.stages[number - 1], told.tally.stages[number - 2]
    one = stage.candidate or 0
    had = before.votes[one]
    surplus = had - stage.votes[one]
    value = surplus * told.tally.unit // had
    words = {
        "name": told.names[one],
        "votes": told.scale.counted(surplus),
        "value": Scale(told.tally.unit, digits(told.tally.unit)).votes(value),
    }
    return (
        _(
            "What %(name)s has beyond the quota, %(votes)s, goes on: each of the papers counts "
            "%(value)s of what it counted before."
        )
        % words
    )


def _exclusion(told: _Told, number: int) -> str:
    stage, before = told.tally.stages[number - 1], told.tally.stages[number - 2]
    one = stage.candidate or 0
    words = {"name": told.names[one], "votes": told.scale.counted(before.votes[one])}
    if not before.votes[one]:
        return _("%(name)s has no vote and leaves.") % words
    return _("%(name)s, with %(votes)s, leaves; the papers go on as their voters ranked.") % words


def _shared_out(told: _Told, stage: Stage) -> Iterator[str]:
    """What the elected keep of each vote."""
    keeping = [
        _("%(name)s %(part)s") % {"name": told.names[one], "part": told.scale.said(keep)}
        for one, keep in enumerate(stage.keep)
        if 0 < keep < told.tally.unit
    ]
    if keeping:
        yield _("Of each vote the elected keep what they need: %(list)s. The rest goes on.") % {
            "list": listed(keeping)
        }
    yield _("The quota is %(quota)s now.") % {"quota": told.scale.said(stage.quota)}


def _gains(told: _Told, move: Movement) -> Iterator[str]:
    gains = [
        _("%(name)s %(votes)s") % {"name": told.names[one], "votes": f"+{told.scale.said(parts)}"}
        for one, parts in move.gains
    ]
    if gains:
        yield _("It brings %(list)s.") % {"list": listed(gains)}
    if move.exhausted > 0:
        number = 1 if move.exhausted == told.tally.unit else 2
        yield ngettext(
            "%(votes)s vote has no further preference.",
            "%(votes)s votes have no further preference.",
            number,
        ) % {"votes": told.scale.said(move.exhausted)}
    if move.lost > 0:
        yield _("%(votes)s is lost by rounding.") % {"votes": told.scale.said(move.lost)}


def _elected(told: _Told, number: int) -> Iterator[str]:
    stage = told.tally.stages[number - 1]
    reached = [one for one in stage.elected if stage.votes[one] >= stage.quota]
    for one in reached:
        words = {
            "name": told.names[one],
            "votes": told.scale.counted(stage.votes[one]),
            "quota": told.scale.said(stage.quota),
        }
        if told.tally.method == irv.METHOD:
            yield (
                _("%(name)s has %(votes)s, more than half (%(quota)s are needed), and is elected.")
                % words
            )
        else:
            yield (
                _("%(name)s reaches the quota of %(quota)s with %(votes)s and is elected.") % words
            )
    rest = [told.names[one] for one in stage.elected if one not in reached]
    if rest:
        yield ngettext(
            "%(names)s is elected without the quota: nobody else is left for the seat.",
            "%(names)s are elected without the quota: no more are left than there are seats.",
            len(rest),
        ) % {"names": listed(rest)}
