"""The samples of the styleguide: every component in every state, from the real includes."""

import datetime as dt
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest
from django.templatetags.static import static
from django.utils.dates import MONTHS_3
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from portal import styleguide_count
from portal.lib import plot

COLOURS: Final = (
    *("paper", "band", "sunk", "ink", "soft", "rule", "edge", "accent", "tint"),
    *("warn", "warn-tint", "bad", "bad-tint", "info", "info-tint", "c2", "c3", "c4", "c5"),
)
PROSE: Final = """\
## Notable

Vector indexes may live **on disk**, `EXPLAIN` [says more](https://example.org/).

1. One
2. Two

> Quoted from the discussion.

    SELECT 1;
"""
LOGOS: Final = ("northwind", "cobalt", "halyard", "tessera")


@dataclass(frozen=True, slots=True)
class Logo:
    """What ``components/logos.html`` asks of an organisation."""

    name: str
    logo_url: str
    url: str


@dataclass(frozen=True, slots=True)
class SumRow:
    """What ``components/sum.html`` asks of a row."""

    label: str
    value: str
    note: str = ""
    kind: str = ""
    met: bool | None = None


@dataclass(frozen=True, slots=True)
class Vote:
    """What ``components/roll_call.html`` asks of a vote."""

    name: str
    choice: str
    word: str


class SampleForm(forms.Form):
    """One field of each kind, in the states that a form can show."""

    rest = forms.CharField(label=gettext_lazy("Rest"))
    hinted = forms.CharField(
        label=gettext_lazy("Filled, with hint"),
        help_text=gettext_lazy("As on the supporters page."),
        initial="Quarry Analytics",
    )
    wrong = forms.EmailField(label=gettext_lazy("Error"))
    closed = forms.CharField(label=gettext_lazy("Disabled"), disabled=True, initial="2026-31")
    fixed = forms.CharField(
        label=gettext_lazy("Read only"),
        initial="A-1041",
        widget=forms.TextInput(attrs={"readonly": True}),
    )
    optional = forms.CharField(label=gettext_lazy("Another"), required=False)
    chosen = forms.ChoiceField(
        label=gettext_lazy("Select"),
        choices=[("1", gettext_lazy("First")), ("2", gettext_lazy("Second"))],
    )
    day = forms.DateField(
        label=gettext_lazy("Date"), widget=forms.DateInput(attrs={"type": "date"})
    )
    file = forms.FileField(label=gettext_lazy("File"), required=False)
    text = forms.CharField(
        label=gettext_lazy("Long text"), widget=forms.Textarea(attrs={"rows": 3})
    )
    one = forms.ChoiceField(
        label=gettext_lazy("One of few"),
        widget=forms.RadioSelect,
        choices=[("a", gettext_lazy("Card")), ("b", gettext_lazy("Invoice"))],
    )
    some = forms.MultipleChoiceField(
        label=gettext_lazy("Several of few"),
        widget=forms.CheckboxSelectMultiple,
        choices=[("a", gettext_lazy("Server")), ("b", gettext_lazy("Connectors"))],
        required=False,
    )
    agreed = forms.BooleanField(label=gettext_lazy("A single check"))


def _sample_form() -> SampleForm:
    sent = {
        "rest": "x",
        "hinted": "Quarry Analytics",
        "wrong": "invoices@quarry",
        "fixed": "A-1041",
        "chosen": "1",
        "day": "2026-11-20",
        "text": _("Several lines."),
        "one": "a",
        "agreed": "on",
    }
    form = SampleForm(sent, prefix=None, auto_id="sample_%s")
    form.is_valid()
    return form


def context(request: HttpRequest) -> dict[str, Any]:
    """Everything that ``styleguide.html`` shows."""
    pages = Paginator(range(1, 413), 12)
    return {
        "colours": COLOURS,
        "form": _sample_form(),
        "page_of_many": pages.get_page(request.GET.get("page")),
        "logos": [
            *(Logo(n.title(), static(f"img/logos/{n}.svg"), "#logos") for n in LOGOS),
            Logo("No Logo Yet", "", "#logos"),
            Logo("Nor an Address", "", ""),
        ],
        "votes": _votes(),
        "sum_rows": _sum_rows(),
        "prose": PROSE,
        "day": dt.datetime(2026, 11, 20, 18, 0, tzinfo=dt.UTC),
        "ballots": _ballots(),
        **_charts(),
        **styleguide_count.context(),
    }


def _votes() -> list[Vote]:
    return [
        Vote("Alice", "yes", _("yes")),
        Vote("Bob", "no", _("no")),
        Vote("Charlie", "abstain", _("abstains")),
        Vote("Erin", "recused", _("recused")),
        Vote(_("vacant"), "vacant", _("seat 6")),
    ]


def _ballots() -> list[dict[str, object]]:
    """What ``_ballot.html`` asks: ranked with a mistake, compared, marked, answered."""
    names = ["Charlie", "Alice", "Bob Hammerschmidt-Ostergaard", "Dana"]
    statement = _("I look after the optimiser and want **release notes** that admit what we broke.")

    def ballot(kind: str, title: str, most: int, *states: dict[str, object]) -> dict[str, object]:
        rows = [
            {
                "place": place,
                "name": name,
                "affiliation": "Northwind Data" if place % 2 else "",
                "note": _("Seconded by 6"),
                "statement": statement if place == 0 else "",
                **state,
            }
            for place, (name, state) in enumerate(zip(names, states, strict=True))
        ]
        shown = {"kind": kind, "title": title, "most": most, "rows": rows}
        return {**shown, "action": "#ballots", "prefix": f"sg-{kind}-{most}-"}

    ticked: dict[str, object] = {"checked": True}
    answers = [_("Merge the two lists"), _("Both lists stay")]
    question = {"kind": "marks", "title": _("answered"), "most": 1, "is_question": True}
    asked = [{"place": place, "name": name} for place, name in enumerate(answers)]
    return [
        ballot("order", _("ranked"), 4, {"value": 1}, {"value": 2}, {"value": 2}, {}),
        ballot("ranks", _("compared"), 4, {"value": 1}, {"value": 1}, {"silent": True}, {}),
        ballot("marks", _("approved"), 4, ticked, {}, ticked, {}),
        ballot("marks", _("marked"), 2, ticked, ticked, ticked, {}),
        {**question, "rows": asked, "action": "#ballots", "prefix": "sg-question-"},
    ]


def _sum_rows() -> list[SumRow]:
    return [
        SumRow(_("Voting seats"), "6", note=_("Bylaw 4.1")),
        SumRow(_("less vacant"), "− 1"),
        SumRow(_("Directors in office"), "5", kind="result"),
        SumRow(_("Present, quorum is 4"), "5", met=True),
        SumRow(_("Yes votes, 4 needed"), "3", kind="final", met=False),
    ]


def _whole(value: float) -> str:
    return number_format(value, decimal_pos=0, force_grouping=True)


def _percent(value: float) -> str:
    return f"{value:.0f} %"


def _charts() -> dict[str, str]:
    months = [str(MONTHS_3[month]).capitalize() for month in range(1, 7)]
    words = plot.Text(_("Example"), _("Made up numbers that show the form of the chart."))
    return {
        "line_chart": plot.lines(
            words,
            months,
            [
                plot.Line(_("established"), [1204, 1620, 1984, 2410, 3188, 4207]),
                plot.Line(_("first seen"), [610, 588, None, 640, 702, 815], tone=5),
            ],
            words=_whole,
            area=True,
            notes=[plot.Note(3, "11.8.5")],
        ),
        "stack_chart": plot.stack(
            words,
            months,
            [
                plot.Share("11.8", [10, 18, 26, 33, 40, 46], shade=2),
                plot.Share("11.4", [60, 56, 52, 49, 45, 42], shade=4),
                plot.Share(_("ended"), [30, 26, 22, 18, 15, 12], shade=6),
            ],
            words=_percent,
        ),
        "ranking_chart": plot.ranking(
            words,
            [
                plot.Bar("Connector/C", 48210, _whole(48210), low=47900, high=48500),
                plot.Bar("Connector/Python", 14705, _whole(14705), tone=2, low=14200, high=15100),
            ],
        ),
        "roadmap_chart": plot.roadmap(words, _roadmap_rows(), dt.date(2026, 11, 20)),
        "forest_chart": plot.forest(
            words,
            [
                plot.Ratio(_("Point select"), 1.21, 1.23, 1.25),
                plot.Ratio(_("Fetch 100 k rows"), 0.98, 1.0, 1.02),
                plot.Ratio(_("Connect and close"), 0.86, 0.89, 0.92),
            ],
        ),
        "no_chart": plot.ranking(words, []),
    }


def _roadmap_rows() -> list[plot.Series]:
    day = dt.date
    return [
        plot.Series(
            "12.2", [plot.Span(day(2026, 11, 1), day(2027, 8, 1), "candidate")], "", "2027"
        ),
        plot.Series(
            "11.8", [plot.Span(day(2025, 6, 1), day(2030, 6, 1))], _("Long term"), "Jun 2030"
        ),
        plot.Series("10.6", [plot.Span(day(2022, 7, 1), day(2026, 7, 1), "ended")], "", "Jul 2026"),
    ]
