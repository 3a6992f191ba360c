"""When and where a body meets."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any, cast

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from governance.models import Body, Meeting

MOMENT = forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"})


class MeetingForm(forms.ModelForm[Meeting]):
    """When and where."""

    body = forms.ModelChoiceField(queryset=Body.objects.none(), label=_("Who meets"))
    link = forms.URLField(
        label=_("Link to take part"),
        required=False,
        assume_scheme="https",
        help_text=_("Shown to those who hold a seat; to everybody if anyone may listen."),
    )

    class Meta:
        model = Meeting
        fields = ["title", "begins_at", "ends_at", "place", "link", "is_open"]
        labels = {"begins_at": _("Begins, UTC"), "ends_at": _("Ends, UTC")}
        widgets = {"begins_at": MOMENT, "ends_at": MOMENT}

    field_order = ["body", "title", "begins_at", "ends_at", "place", "link", "is_open"]

    def __init__(self, *args: Any, bodies: list[Body], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.bodies = bodies
        body = cast("forms.ModelChoiceField[Body]", self.fields["body"])
        body.queryset = Body.objects.filter(pk__in=[body.pk for body in bodies])
        body.empty_label = None
        if self.instance.pk:
            del self.fields["body"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        begins, ends = cleaned.get("begins_at"), cleaned.get("ends_at")
        if begins and ends and ends <= begins:
            self.add_error("ends_at", _("A meeting ends after it begins."))
        return cleaned


class ReasonForm(forms.Form):
    reason = forms.CharField(label=_("Why"), max_length=300)


def first_times(at: datetime, earliest: date) -> dict[str, datetime]:
    """What a form for a new meeting offers: in two weeks at 14:00, or later if the notice asks for
    it; for an hour and a half.
    """
    in_two_weeks = timezone.localdate(at) + timedelta(days=14)
    begins = datetime.combine(max(in_two_weeks, earliest), time(14), UTC)
    return {"begins_at": begins, "ends_at": begins + timedelta(minutes=90)}
