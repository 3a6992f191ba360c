"""What people send: a motion, a deadline, a vote."""

from datetime import datetime
from typing import Any, cast

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from governance.forms.filters import ListFilterForm
from governance.models import Body, Motion, RuleSet, Vote
from portal.accounts.models import User
from portal.lib.days import MomentField


class ResolutionField(forms.ModelChoiceField[Motion]):
    """A resolution by number and title."""

    def label_from_instance(self, obj: Motion) -> str:
        return f"{obj.resolution}: {obj.title}"


class RuleSetField(forms.ModelChoiceField[RuleSet]):
    """Which body decides, by which of its rules."""

    def label_from_instance(self, obj: RuleSet) -> str:
        return f"{obj.body}: {obj.name} ({obj.get_threshold_display()})"


class MotionForm(forms.ModelForm[Motion]):
    """A draft. The rules chosen say which body decides and how."""

    rules = RuleSetField(
        queryset=RuleSet.objects.none(),
        label=_("Who decides, by which rules"),
        widget=forms.RadioSelect,
        empty_label=None,
        help_text=_("The version in force when the vote opens is the one that counts."),
    )

    supersedes = ResolutionField(
        queryset=Motion.objects.none(),
        label=_("Takes the place of"),
        required=False,
        empty_label=_("no older resolution"),
        help_text=_("The resolution that is in force no longer once this one is."),
    )

    class Meta:
        model = Motion
        fields = [
            *("title", "summary", "text", "papers"),
            *("electorate", "takes_effect_on", "supersedes"),
        ]
        widgets = {
            "electorate": forms.RadioSelect,
            "takes_effect_on": forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
            "summary": forms.Textarea(attrs={"rows": 2}),
            "text": forms.Textarea(attrs={"rows": 12}),
            "papers": forms.Textarea(attrs={"rows": 5}),
        }
        help_texts = {
            "title": _("What is decided, so that it can stand as the heading of the result."),
            "electorate": _(
                "Members and contributors are asked for on the day the vote opens. They vote by the"
                " rules of their class for the same kind of question, where it has some."
            ),
        }

    field_order = ["rules", "electorate", "title", "summary", "text", "papers"]

    def __init__(self, *args: Any, user: User, at: datetime, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        bodies = Body.objects.of_voter(user, at)
        if self.instance.pk:
            bodies = bodies.filter(pk=self.instance.body_id)
        in_force = RuleSet.objects.in_force(timezone.localdate(at)).filter(body__in=bodies)
        rules = cast(RuleSetField, self.fields["rules"])
        rules.queryset = in_force.select_related("body")
        self.fields["electorate"].required = False
        resolutions = Motion.objects.resolutions(at).filter(body__in=bodies)
        old = cast(ResolutionField, self.fields["supersedes"])
        old.queryset = resolutions.filter(superseded_by__isnull=True)
        if self.instance.pk:
            self.initial["rules"] = in_force.filter(subject=self.instance.subject).first()

    def clean_electorate(self) -> str:
        """What is not said is decided by the body itself."""
        return self.cleaned_data["electorate"] or Motion.Electorate.BODY


class DeadlineForm(forms.Form):
    """When the vote that is being opened closes."""

    deadline = MomentField(
        label=_("Deadline, UTC"),
        widget=forms.DateTimeInput(
            format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local", "step": "any"}
        ),
    )


class VoteForm(forms.Form):
    """A vote. Who recuses says why: others are to understand it later."""

    choice = forms.ChoiceField(
        label=_("Your vote"), choices=Vote.Choice.choices, widget=forms.RadioSelect
    )
    reason = forms.CharField(
        label=_("Reason"),
        required=False,
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Shown with your vote when it is over. Needed if you recuse."),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("choice") == Vote.Choice.RECUSE and not cleaned.get("reason"):
            self.add_error(
                "reason",
                _("Say what keeps you from taking part, for example whose interest it touches."),
            )
        return cleaned


class MotionFilterForm(ListFilterForm):
    """The query of the list of motions."""

    state = forms.ChoiceField(
        label=_("State"), required=False, choices=[("", _("Any state")), *Motion.State.choices]
    )
