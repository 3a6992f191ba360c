"""The words of the transfer chart, and the chart with them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.utils.translation import gettext as _

from governance.elections.movements import End, Fate, fates, in_order
from governance.elections.numbers import Scale, scale
from governance.elections.told_ties import listed
from governance.elections.transfer_chart import Lane, transfer_chart
from governance.tally import meek
from governance.tally.stages import Tally
from portal.lib.plot import Text


def chart(tally: Tally, names: Sequence[str], *, absent: Collection[int] = ()) -> str:
    """SVG, drawn small and wide. Without anybody who stands nothing is drawn."""
    told, ends = scale(tally), fates(tally, absent)
    lanes = [
        Lane(name, told.votes(fate.votes), _end(tally, fate))
        for name, fate in zip(names, ends, strict=True)
    ]
    last = tally.stages[-1] if tally.stages else None
    nobody = told.votes(last.exhausted + last.lost) if last else ""
    lanes.append(Lane(_("With nobody"), nobody, ""))
    return transfer_chart(tally, lanes, Text(_("Transfers"), _said(tally, names, told, ends)))


def _end(tally: Tally, fate: Fate) -> str:
    words = {"stage": _inside(tally, fate.stage)}
    return {
        End.ELECTED: _("elected, %(stage)s") % words,
        End.EXCLUDED: _("left, %(stage)s") % words,
        End.LEFT_OUT: _("not elected"),
        End.ABSENT: "",
    }[fate.end]


def _inside(tally: Tally, number: int) -> str:
    """The name of a stage within a sentence: only a translator knows how nouns begin there."""
    words = _("round %(number)s") if tally.method == meek.METHOD else _("stage %(number)s")
    return words % {"number": number}


def _said(tally: Tally, names: Sequence[str], told: Scale, ends: Sequence[Fate]) -> str:
    """What the chart says, for who does not see it."""
    lines = [
        _("%(name)s, %(votes)s, %(end)s")
        % {
            "name": names[one],
            "votes": told.counted(ends[one].votes),
            "end": _end(tally, ends[one]),
        }
        for one in in_order(tally)
        if ends[one].end is not End.ABSENT
    ]
    return f"{listed(lines)}."
