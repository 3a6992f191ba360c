"""A question to voters in words and as a sum: how many said what, and how many yes were needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from governance.elections.numbers import whole
from governance.elections.told_stages import Paragraph
from governance.tally.question import DEFAULT, PROPOSAL, Answer


@dataclass(frozen=True, slots=True)
class SumRow:
    """A row of `components/sum.html`."""

    label: str
    value: str
    note: str = ""
    kind: str = ""
    met: bool | None = None


def answer(found: Answer, names: Sequence[str]) -> str:
    """The result in one sentence."""
    if found.is_carried:
        return _("Carried: %(proposal)s") % {"proposal": names[PROPOSAL]}
    return _("Not carried: %(proposal)s") % {"proposal": names[PROPOSAL]}


def sum_rows(found: Answer) -> tuple[SumRow, ...]:
    return (
        SumRow(_("No"), whole(found.no)),
        SumRow(_("Needed"), whole(found.needed), kind="result"),
        SumRow(_("Yes"), whole(found.yes), kind="final", met=found.is_carried),
    )


def paragraphs(found: Answer, names: Sequence[str], ratio: tuple[int, int]) -> list[Paragraph]:
    told = [
        ngettext("%(yes)s says yes,", "%(yes)s say yes,", found.yes) % {"yes": whole(found.yes)}
        + " "
        + ngettext("%(no)s says no.", "%(no)s say no.", found.no) % {"no": whole(found.no)},
        _needed(found, ratio),
    ]
    if found.withdrawn:
        told.append(_("The proposal was withdrawn."))
    if not found.is_carried:
        told.append(_("So it stays as it is: %(default)s.") % {"default": names[DEFAULT]})
    return [Paragraph(_("The answers"), tuple(told))]


def _needed(found: Answer, ratio: tuple[int, int]) -> str:
    words = {"needed": whole(found.needed), "yes": ratio[0], "no": ratio[1]}
    if ratio[0] <= ratio[1]:
        return _("More yes than no are needed: at least %(needed)s.") % words
    text = _("At least %(yes)s yes for %(no)s no are needed: at least %(needed)s.")
    return text % words
