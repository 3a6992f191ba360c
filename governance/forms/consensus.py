"""What people send when they seek consensus."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from governance.models import Position
from portal.lib.days import MomentField


class CallForm(forms.Form):
    """How long everybody is asked, and what follows if somebody objects."""

    ends_at = MomentField(
        label=_("Everybody is asked until, UTC"),
        widget=forms.DateTimeInput(
            format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local", "step": "any"}
        ),
    )
    resolution_days = forms.IntegerField(
        label=_("Days to resolve objections"),
        min_value=1,
        max_value=60,
        initial=3,
        help_text=_("Begun once, if somebody objects when the time is over."),
    )
    vote_days = forms.IntegerField(
        label=_("Days of the vote"),
        min_value=1,
        max_value=60,
        initial=7,
        help_text=_("It opens by itself if an objection is left after that."),
    )


class PositionForm(forms.Form):
    """What somebody thinks of the text; against it only with a reason."""

    stance = forms.ChoiceField(
        label=_("Your position"), choices=Position.Stance.choices, widget=forms.RadioSelect
    )
    reason = forms.CharField(
        label=_("Reason"),
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_(
            "Read at once by all who read the motion. Needed if you object or stand aside."
        ),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        against = {Position.Stance.OBJECT, Position.Stance.STAND_ASIDE}
        if cleaned.get("stance") in against and not cleaned.get("reason"):
            self.add_error("reason", _("Say why, so that the others can answer."))
        return cleaned
