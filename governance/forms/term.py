"""Filling a seat, and ending a term."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from governance.bodies import appointments
from governance.forms.fields import AccountField, day_field
from governance.models import Motion, Seat, SeatTerm


class ResolutionField(forms.ModelChoiceField[Motion]):
    def label_from_instance(self, obj: Motion) -> str:
        return f"{obj.resolution}: {obj.title}"


class FillForm(forms.Form):
    """Who gets the seat, for how long, and how it came to it."""

    user = AccountField(
        label=_("E-mail address of their account"),
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    since = day_field(label=_("From"))
    until = day_field(
        label=_("Until"),
        required=False,
        help_text=_("The first day without them. Empty: until the term is ended."),
    )
    entry = forms.ChoiceField(label=_("How the seat is filled"), choices=SeatTerm.Entry.choices)
    decided_by = ResolutionField(
        label=_("By resolution"),
        required=False,
        queryset=Motion.objects.none(),
        empty_label=_("none, or not one of these"),
    )
    affiliation = forms.CharField(
        label=_("Affiliation"),
        required=False,
        max_length=120,
        help_text=_("As they state it now. What they declare on their own page goes before it."),
    )
    exception = forms.CharField(
        label=_("Exception"),
        required=False,
        max_length=300,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Only if a limit is exceeded: why it is allowed. Public, beside the term."),
    )
    tell = forms.BooleanField(label=_("Write them a letter"), required=False, initial=True)

    def __init__(self, *args: Any, seat: Seat, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.seat = seat
        decided_by = cast(ResolutionField, self.fields["decided_by"])
        decided_by.queryset = Motion.objects.filter(state=Motion.State.ADOPTED).order_by(
            "-year", "-number"
        )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            wanted = {name: cleaned[name] for name in ("user", "since", "until")}
            self._refuse(wanted)
        return cleaned

    def _refuse(self, wanted: dict[str, Any]) -> None:
        refusal = appointments.impossible(seat=self.seat, **wanted)
        if refusal is not None:
            self.add_error(None, str(refusal))
            return
        stated = self.cleaned_data["affiliation"]
        exceeded = appointments.exceeded(seat=self.seat, affiliation=stated, **wanted)
        if not self.cleaned_data["exception"]:
            for sentence in exceeded:
                self.add_error("exception", sentence)

    def wanted(self) -> dict[str, Any]:
        """As the action takes it."""
        return {**self.cleaned_data, "entry": SeatTerm.Entry(self.cleaned_data["entry"])}


class EndTermForm(forms.Form):
    on = day_field(label=_("First day without them"))
    ending = forms.ChoiceField(
        label=_("Why"),
        required=False,
        choices=[("", _("the term is over")), *SeatTerm.Ending.choices],
    )
    tell = forms.BooleanField(label=_("Write them a letter"), required=False, initial=True)
