"""A seat: who fills it, for how long, how often."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from governance.actions.body import check_kept
from governance.forms.fields import day_field
from governance.models import Body, Seat
from governance.refusals import Refusal

MOST_AT_ONCE = 30


class SeatForm(forms.ModelForm[Seat]):
    """One seat or several alike. What a seat was once held as stays."""

    office = forms.ChoiceField(
        label=_("Vote or office"),
        required=False,
        choices=[("", _("a voting seat")), *Seat.Office.choices],
        help_text=_("Who has an office and a vote holds two seats."),
    )
    since = day_field(label=_("Exists since"))
    count = forms.IntegerField(label=_("How many"), min_value=1, max_value=MOST_AT_ONCE, initial=1)

    class Meta:
        model = Seat
        fields = (
            *("office", "title", "constituency", "cohort"),
            *("term_months", "maximum_terms", "break_months", "since"),
        )
        labels = {"constituency": _("Who fills it")}
        help_texts = {"title": _("What an office is called here, if not by its usual name.")}

    field_order = ("office", "title", "count", "constituency", "cohort")

    def __init__(self, *args: Any, body: Body, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.body = self.instance.body = body
        office = cast(forms.ChoiceField, self.fields["office"])
        if not body.has_votes:
            office.choices = Seat.Office.choices
        if self.instance.pk:
            told = ("office", "since", "count")
            for name in (*told, "title" if self.instance.is_voting else "constituency"):
                del self.fields[name]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "office" in self.fields:
            self.instance.is_voting = not cleaned.get("office")
            self._refuse_impossible()
        return cleaned

    def _refuse_impossible(self) -> None:
        try:
            check_kept(seat=self.instance)
        except Refusal as refusal:
            self.add_error("office", str(refusal))


class AbolishForm(forms.Form):
    on = day_field(
        label=_("Abolished on"), help_text=_("The first day without the seat; it must be vacant.")
    )
