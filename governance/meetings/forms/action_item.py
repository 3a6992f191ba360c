"""Action items, and the query of their list."""

from typing import Any, cast

from django import forms
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from governance.forms.filters import BodyFilterForm
from governance.models import ActionItem, AgendaItem, Meeting, SeatTerm
from portal.accounts.models import User
from portal.lib.days import DayField


class ActionItemForm(forms.Form):
    """Who does what, until when."""

    text = forms.CharField(label=_("What is to be done"), max_length=300)
    owner = forms.ModelChoiceField(
        queryset=User.objects.none(), label=_("Who"), required=False, empty_label=_("Somebody else")
    )
    owner_name = forms.CharField(label=_("Name, if somebody else"), max_length=150, required=False)
    due = DayField(label=_("Until"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    agenda_item = forms.ModelChoiceField(
        queryset=AgendaItem.objects.none(),
        label=_("Agenda item"),
        required=False,
        empty_label=_("None"),
    )

    def __init__(self, *args: Any, meeting: Meeting, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        seated = SeatTerm.objects.seated_on(meeting.day).filter(seat__body=meeting.body)
        there = Q(pk__in=meeting.attendance.values("user")) | Q(pk__in=seated.values("user"))
        owner = cast("forms.ModelChoiceField[User]", self.fields["owner"])
        owner.queryset = User.objects.filter(there).order_by("name")
        item = cast("forms.ModelChoiceField[AgendaItem]", self.fields["agenda_item"])
        item.queryset = meeting.agenda.all()

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not cleaned.get("owner") and not cleaned.get("owner_name"):
            self.add_error("owner_name", _("Choose who does it, or write the name."))
        return cleaned


class DueForm(forms.Form):
    due = DayField(label=_("Until"), required=False, widget=forms.DateInput(attrs={"type": "date"}))


class ActionFilterForm(BodyFilterForm):
    """The query of the list of action items, and its order."""

    q = forms.CharField(label=_("Search"), required=False, max_length=80)

    state = forms.ChoiceField(
        label=_("State"), required=False, choices=[("", _("Any state")), *ActionItem.State.choices]
    )
    sort = forms.ChoiceField(
        label=_("Order"),
        required=False,
        choices=[
            ("", _("due first")),
            ("newest", _("newest first")),
            ("who", _("by who does it")),
            ("body", _("by body")),
        ],
    )
    mine = forms.CharField(required=False, widget=forms.HiddenInput)
