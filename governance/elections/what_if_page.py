"""The form of "what if" and its answer, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from governance.elections import what_if
from governance.elections.counted import Counted
from governance.elections.report import method_name
from governance.elections.told_ties import listed
from governance.elections.what_if import Choice, Compared
from governance.tally import question
from governance.tally.contest import Contest


@dataclass(frozen=True, slots=True)
class Option:
    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Seat:
    """A candidate in the two counts."""

    name: str
    affiliation: str
    stands: bool  # elected by the count that stands
    here: bool
    is_left_out: bool = False


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What `_what_if.html` shows."""

    title: str
    methods: tuple[Option, ...]
    seats: tuple[Option, ...]
    candidates: tuple[Option, ...]
    limit: int | None  # of seats of one affiliation, where there is one
    is_limited: bool
    fault: str = ""
    answer: str = ""
    notes: tuple[str, ...] = ()
    rows: tuple[Seat, ...] = ()


def what_if_page(
    counted: Counted, choice: Choice, compared: Compared | None = None, *, fault: str = ""
) -> WhatIf:
    """The form as it was asked; with an answer once it is counted."""
    contest = counted.contest
    candidates = (
        Option(str(one), name, one in choice.without)
        for one, name in enumerate(counted.names)
        if one not in counted.absent and contest.method != question.METHOD
    )
    return WhatIf(
        title=counted.turnout.title,
        methods=tuple(
            Option(method, method_name(method), method == choice.method)
            for method in what_if.methods(contest)
        ),
        seats=tuple(
            Option(str(number), str(number), number == choice.seats)
            for number in range(1, _most_seats(contest) + 1)
        ),
        candidates=tuple(candidates),
        limit=contest.most,
        is_limited=choice.is_limited,
        fault=fault,
        answer=_answer(counted, compared) if compared else "",
        notes=tuple(_notes(counted, compared)) if compared else (),
        rows=_rows(counted, compared) if compared else (),
    )


def _most_seats(contest: Contest) -> int:
    return 1 if contest.method == question.METHOD else contest.candidates


def refused(error: what_if.ChoiceError) -> str:
    """Why it was not counted, and what to do."""
    if isinstance(error, what_if.TooMuchError):
        return _(
            "This count would take longer than a page can wait. Download the papers and count "
            "them with recount.py, or choose another method."
        )
    if isinstance(error, what_if.TooOftenError):
        return _("Too many counts were asked for from here. Wait a minute and ask again.")
    return _("These papers cannot be counted so. Choose again.")


def _answer(counted: Counted, compared: Compared) -> str:
    if not compared.gained and not compared.lost:
        return _("The same people would be elected.")
    gained = listed([counted.names[one] for one in compared.gained])
    lost = listed([counted.names[one] for one in compared.lost])
    if not compared.lost:
        return _("%(gained)s would be elected as well.") % {"gained": gained}
    if not compared.gained:
        return _("%(lost)s would not be elected.") % {"lost": lost}
    return _("%(gained)s would be elected instead of %(lost)s.") % {"gained": gained, "lost": lost}


def _notes(counted: Counted, compared: Compared) -> list[str]:
    choice, told = compared.choice, list[str]()
    how = ngettext(
        "Counted here with %(seats)s seat by %(method)s.",
        "Counted here with %(seats)s seats by %(method)s.",
        choice.seats,
    )
    told.append(how % {"seats": choice.seats, "method": method_name(choice.method)})
    if choice.without:
        names = [counted.names[one] for one in choice.without]
        told.append(_("As if %(names)s had not stood.") % {"names": listed(names)})
    if counted.contest.most is not None and not choice.is_limited:
        told.append(_("Without the limit of seats for one affiliation."))
    if choice.method != counted.contest.method:
        told.append(_read_as(choice.method))
    told.append(_("Had this been the rule, people might have voted in another way."))
    return [text for text in told if text]


def _read_as(method: str) -> str:
    """How a ranking becomes marks."""
    return {
        "plurality": _("The first places of each paper are taken as its marks, one for each seat."),
        "approval": _("Everybody whom a paper ranks is taken as approved."),
        "schulze": _("Who is not ranked is taken as ranked below all others."),
    }.get(method, "")


def _rows(counted: Counted, compared: Compared) -> tuple[Seat, ...]:
    """Who is elected in either count first."""
    either = [*counted.elected, *compared.gained]
    others = [one for one in range(len(counted.names)) if one not in either]
    return tuple(_seat(counted, compared, one) for one in (*either, *others))


def _seat(counted: Counted, compared: Compared, one: int) -> Seat:
    gone: Sequence[int] = (*counted.absent, *compared.choice.without)
    return Seat(
        counted.names[one],
        counted.affiliation(one),
        one in counted.elected,
        one in compared.elected,
        one in gone,
    )
