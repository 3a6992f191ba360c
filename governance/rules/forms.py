"""What staff send to write rules, and what anybody sends to try them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any, cast

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext_lazy as _

from governance.models import Body, RuleSet
from governance.rules.changes import RULE_FIELDS
from governance.rules.ready_sets import READY_SETS
from governance.tally.rollcall import Choice, Count
from governance.tally.rules import Rules, Threshold, Tie

MOST = 100_000

GROUPS: list[tuple[str, Any, Any, list[str]]] = [
    (
        "version",
        _("This version"),
        _("Votes that are open go on under the version they were opened with."),
        ["name", "since", "note"],
    ),
    (
        "quorum",
        _("Quorum"),
        _("How many take part before anything is decided."),
        ["quorum", "quorum_base", "quorum_by", "quorum_clause", "seats_clause"],
    ),
    (
        "majority",
        _("Majority"),
        _("How many have to say yes, of whom."),
        ["threshold", "ratio", "pass_base", "minimum_yes", "per_class", "pass_clause"],
    ),
    (
        "recusal",
        _("Recusal"),
        _("Stepping aside from one motion is neither abstaining nor being absent."),
        [
            *("recused_count_for_quorum", "recused_leave_base", "recused_see_no_papers"),
            *("disinterested_majority", "recusal_clause"),
        ],
    ),
    ("tie", _("Tie"), _("As many yes as no."), ["tie", "tie_clause"]),
    (
        "discussion",
        _("Seconds and discussion"),
        _("What has to happen before a vote may open."),
        [
            *("seconds_needed", "may_second", "discussion_days", "discussion_restarts"),
            *("lapses_after_weeks", "discussion_clause"),
        ],
    ),
    (
        "vote",
        _("The vote"),
        _("Who opens it, and how long it runs."),
        ["may_open", "minimum_hours", "early_close", "opening_clause"],
    ),
    (
        "consent",
        _("Written consent"),
        _("Deciding by signatures, without a vote."),
        ["consent", "consent_days", "consent_notice", "consent_clause"],
    ),
    (
        "change",
        _("Notice and taking effect"),
        _("The longer way of a change of the bylaws."),
        [
            *("notice_days", "public_discussion_days", "member_vote", "effective_after_days"),
            "change_clause",
        ],
    ),
    (
        "employers",
        _("Limit per employer"),
        _("The lower of the two counts."),
        ["cap_share", "cap_seats", "cap_clause"],
    ),
    (
        "vacancies",
        _("Vacancies"),
        _("A seat whose holder leaves before the end of the term."),
        ["vacancy_filled_by", "vacancy_term", "vacancy_days", "vacancy_clause"],
    ),
    (
        "meetings",
        _("Meetings"),
        _("By the rules for ordinary questions. Shorter notice is given with a public reason."),
        ["meeting_notice_days", "absent_may_vote", "meeting_clause"],
    ),
    (
        "roll",
        _("Who is on the roll"),
        _("For votes of members alone."),
        ["record_days", "activity", "affirmation_months", "membership_clause"],
    ),
]


class RuleSetForm(forms.ModelForm[RuleSet]):
    """One version of the rules of a body for a subject."""

    class Meta:
        model = RuleSet
        fields = ["name", "since", "note", *RULE_FIELDS]
        widgets = {
            "since": forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
            "note": forms.Textarea(attrs={"rows": 2}),
        }

    def __init__(self, *args: Any, not_before: date | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.not_before = not_before

    def groups(self) -> Iterator[tuple[str, Any, Any, list[BoundField]]]:
        for slug, title, note, names in GROUPS:
            yield slug, title, note, [self[name] for name in names]

    def clean_since(self) -> date:
        since: date = self.cleaned_data["since"]
        if self.not_before is not None and since < self.not_before:
            raise forms.ValidationError(
                _("Rules are not changed backwards: choose %(day)s or later."),
                params={"day": self.not_before.isoformat()},
            )
        return since

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("threshold") == Threshold.RATIO and cleaned.get("ratio") == 1:
            self.add_error(
                "ratio", _("1 : 1 would carry a tie. Choose “more yes than no”, or 2 or more here.")
            )
        return cleaned


class NewRulesForm(forms.Form):
    """Which body gets rules for what, and what they begin with."""

    body = forms.ModelChoiceField(
        label=_("Body"), queryset=Body.objects.all(), to_field_name="slug", empty_label=None
    )
    subject = forms.SlugField(
        label=_("Kind of question"),
        max_length=40,
        help_text=_("One word for addresses, for example ordinary, bylaws or budget."),
    )
    start = forms.ChoiceField(label=_("Begin with"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        start = cast(forms.ChoiceField, self.fields["start"])
        ready = [
            (str(each.name), [(f"{each.slug}:{r.subject}", r.name) for r in each.rules])
            for each in READY_SETS.values()
        ]
        start.choices = [("", _("Usual values")), *ready]


class CountForm(forms.Form):
    """How many stand how: of a whole body, or of one constituency."""

    yes = forms.IntegerField(label=_("Yes"), min_value=0, max_value=MOST)
    no = forms.IntegerField(label=_("No"), min_value=0, max_value=MOST)
    abstain = forms.IntegerField(label=_("Abstain"), min_value=0, max_value=MOST)
    recused = forms.IntegerField(label=_("Recused"), min_value=0, max_value=MOST)
    absent = forms.IntegerField(label=_("Absent"), min_value=0, max_value=MOST)
    vacant = forms.IntegerField(label=_("Vacant"), min_value=0, max_value=MOST)

    @property
    def count(self) -> Count:
        sent = self.cleaned_data
        return Count(
            yes=sent["yes"],
            no=sent["no"],
            abstain=sent["abstain"],
            recused=sent["recused"],
            absent=sent["absent"],
            vacant=sent["vacant"],
        )


class TieForm(forms.Form):
    """What breaks a tie; asked only by rules that break one."""

    NOBODY = "nobody"
    side = forms.ChoiceField(widget=forms.RadioSelect)

    def __init__(self, *args: Any, rules: Rules, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        side = cast(forms.ChoiceField, self.fields["side"])
        if rules.tie is Tie.LOT:
            side.label = _("The lot says")
            side.choices = [(Choice.YES.value, _("yes")), (Choice.NO.value, _("no"))]
        else:
            side.label = _("The chair says")
            side.choices = [
                (Choice.YES.value, _("yes")),
                (Choice.NO.value, _("no")),
                (self.NOBODY, _("nothing, or abstains")),
            ]

    @property
    def choice(self) -> Choice | None:
        said = self.cleaned_data["side"]
        return None if said == self.NOBODY else Choice(said)
