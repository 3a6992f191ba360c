"""An election: what is filled, when, and how each constituency votes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, time, timedelta
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import TextChoices
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from governance.actions.election import ContestPlan
from governance.elections.rules_in_words import METHODS
from governance.forms.fields import day_field
from governance.models import Body, Contest, Election, Seat

MOMENT = forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"})
TIMES = {
    "nominations_open_at": _("Nominations open, UTC"),
    "nominations_close_at": _("Nominations close, UTC"),
    "record_at": _("Record date, UTC"),
    "objections_close_at": _("Objections to the roll until, UTC"),
    "opens_at": _("Voting opens, UTC"),
    "closes_at": _("Voting closes, UTC"),
    "complaints_close_at": _("Complaints until, UTC"),
}
# Each date, and what it may not lie before; at the same moment where the last is true.
ORDER: list[tuple[str, str, bool, Any]] = [
    ("nominations_close_at", "nominations_open_at", False, _("Later than nominations open.")),
    ("objections_close_at", "record_at", False, _("Later than the record date.")),
    ("opens_at", "nominations_close_at", True, _("Not before nominations close.")),
    ("opens_at", "objections_close_at", True, _("Not before objections to the roll end.")),
    ("closes_at", "opens_at", False, _("Later than voting opens.")),
    ("complaints_close_at", "closes_at", False, _("Later than voting closes.")),
]
DAYS = {  # from today, at noon
    "nominations_open_at": 1,
    "record_at": 8,
    "nominations_close_at": 15,
    "objections_close_at": 15,
    "opens_at": 18,
    "closes_at": 32,
    "complaints_close_at": 39,
}
ANSWERS = {  # to a question, and what is said where one is missing
    "proposal": _("Write what is proposed."),
    "default_option": _("Write what is if the proposal fails."),
}
NOMINATIONS = ("nominations_open_at", "nominations_close_at")
RESERVED = {"new"}  # an address of its own


class ElectionForm(forms.ModelForm[Election]):
    """Dates in the order in which they come. What voters rely on stays once it is announced."""

    term_begins_on = day_field(
        label=_("Terms begin on"),
        required=False,
        help_text=_("Empty: on the day the result is declared."),
    )

    class Meta:
        model = Election
        fields = [
            *("title", "name", "about", "level", "is_rehearsal", "seconds_needed"),
            *TIMES,
            *("term_begins_on", "shares_needed"),
        ]
        labels = TIMES
        help_texts = {
            "level": _(
                "Sealed: nobody can tie a ballot to its voter, and scrutineers open them together. "
                "Confidential: simpler for voters, without scrutineers, and who runs the portal is "
                "trusted not to look."
            )
        }
        widgets = {
            **dict.fromkeys(TIMES, MOMENT),
            "level": forms.RadioSelect,
            "about": forms.Textarea(attrs={"rows": 6}),
        }

    def __init__(self, *args: Any, asks_only: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.asks_only = asks_only  # nobody is elected, so nobody is nominated
        for name in NOMINATIONS:
            self.fields[name].required = not asks_only
        level = cast("forms.ChoiceField", self.fields["level"])
        level.choices = Election.Level.choices
        if self.instance.state == Election.State.ANNOUNCED:
            for name in ("name", "level", "is_rehearsal", "seconds_needed"):
                self.fields[name].disabled = True
            self.fields["record_at"].disabled = self.instance.roll_drawn_at is not None
            self.fields["shares_needed"].disabled = bool(self.instance.election_key)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name in RESERVED:
            raise ValidationError(_("This word has a page of its own. Choose another."))
        return name

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.asks_only:
            self._waive_nominations(cleaned)
        for name, before, may_be_same, words in ORDER:
            one, other = cleaned.get(name), cleaned.get(before)
            if one and other and (one < other or (one == other and not may_be_same)):
                self.add_error(name, words)
        return cleaned

    def _waive_nominations(self, cleaned: dict[str, Any]) -> None:
        """No page tells of them; the columns hold the time in which the roll is shown."""
        for name, shown in zip(NOMINATIONS, ("record_at", "objections_close_at"), strict=True):
            self.errors.pop(name, None)
            cleaned[name] = cleaned.get(shown)

    @property
    def changed(self) -> dict[str, Any]:
        """What is to be another than before, by column."""
        names = [*self.changed_data, *(NOMINATIONS if self.asks_only else ())]
        known = {name: self.cleaned_data[name] for name in names}
        return {name: value for name, value in known.items() if self.initial.get(name) != value}


class ContestForm(forms.ModelForm[Contest]):
    """What one constituency elects or is asked; without the tick there is no such contest."""

    OF_QUESTION = ("proposal", "proposal_text", "default_option", "ratio_yes", "ratio_no")
    COLUMNS = ("method", "places", "most_of_one_affiliation", "quorum_percent", *OF_QUESTION)

    use_required_attribute = False  # by the browser: what is asked hangs on what is ticked
    included = forms.BooleanField(required=False)

    class Meta:
        model = Contest
        fields = [
            *("method", "places", "seats", "most_of_one_affiliation", "quorum_percent"),
            *("proposal", "proposal_text", "default_option", "ratio_yes", "ratio_no"),
        ]
        widgets = {
            "seats": forms.CheckboxSelectMultiple,
            "method": forms.RadioSelect,
            "proposal_text": forms.Textarea(attrs={"rows": 6}),
        }

    field_order = ("included",)

    def __init__(
        self, *args: Any, body: Body, constituency: str, is_rehearsal: bool = False, **kwargs: Any
    ) -> None:
        kwargs["prefix"] = constituency
        super().__init__(*args, **kwargs)
        self.constituency, self.is_rehearsal = constituency, is_rehearsal
        self.instance.constituency = constituency
        for name, words in ANSWERS.items():
            self.fields[name].required = True
            self.fields[name].error_messages["required"] = words
        self.fields["included"].label = dict(Body.Constituency.choices)[constituency]
        method = cast("forms.ChoiceField", self.fields["method"])
        method.choices = [(value, _method(value, label)) for value, label in _methods()]
        seats = cast("forms.ModelMultipleChoiceField[Seat]", self.fields["seats"])
        seats.queryset = seats_of(body, constituency)
        seats.label_from_instance = seat_in_words  # type: ignore[method-assign, assignment]

    @property
    def title(self) -> str:
        return str(self.fields["included"].label)

    @property
    def is_included(self) -> bool:
        return bool(self.cleaned_data.get("included"))

    def full_clean(self) -> None:
        """Nothing of a contest that is not held can be wrong."""
        super().full_clean()
        if self.is_bound and not self.is_included:
            self.errors.clear()

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("method") == Contest.Method.QUESTION:
            return self._asked(cleaned)
        for name in ANSWERS:
            self.errors.pop(name, None)
            cleaned.setdefault(name, "")
        seats, places = cleaned.get("seats"), cleaned.get("places")
        if cleaned.get("method") == Contest.Method.IRV and places and places != 1:
            self.add_error("places", _("Instant-runoff voting fills one seat."))
        elif seats and places and len(seats) != places and not self.is_rehearsal:
            words = _("%(named)s seats are ticked below. Name as many as are filled, or none.")
            self.add_error("places", ValidationError(words, params={"named": len(seats)}))
        return cleaned

    def _asked(self, cleaned: dict[str, Any]) -> dict[str, Any]:
        """A question fills no seat, so that what is written about seats does not count."""
        for name in ("places", "seats", "most_of_one_affiliation"):
            self.errors.pop(name, None)
        cleaned |= {"places": 1, "seats": Seat.objects.none(), "most_of_one_affiliation": None}
        proposal = cleaned.get("proposal")
        if proposal and proposal == cleaned.get("default_option"):
            self.add_error("default_option", _("This is what is proposed. Write what is without."))
        return cleaned

    def plan(self) -> ContestPlan:
        chosen = {name: self.cleaned_data[name] for name in self.COLUMNS}
        fields = {"constituency": self.constituency, **chosen}
        return ContestPlan(fields, list(self.cleaned_data["seats"]))


def _methods() -> Iterable[tuple[str, Any]]:
    return cast("type[TextChoices]", Contest.Method).choices


def _method(value: str, label: Any) -> SafeString:
    """The name, and below it what it does in a sentence or two."""
    return format_html("{} <small>{}</small>", label, METHODS[Contest.Method(value)])


def seats_of(body: Body, constituency: str) -> Any:
    """The voting seats that the constituency fills."""
    seats = body.seats.existing(timezone.localdate()).voting()
    return seats.filter(constituency=constituency).order_by("number")


def seat_in_words(seat: Seat) -> str:
    words = {"number": seat.number, "cohort": seat.cohort}
    if seat.cohort:
        return str(_("Seat %(number)s, cohort %(cohort)s") % words)
    return str(_("Seat %(number)s") % words)


def first_values(body: Body, at: datetime) -> dict[str, Any]:
    """What the form of a new election offers: five weeks and a half from tomorrow noon on."""
    today = timezone.localdate(at)
    noon = datetime.combine(today, time(12), UTC)
    name = f"{today.year}-{body.slug}"[:40]
    return {
        "name": "" if Election.objects.filter(name=name).exists() else name,
        "title": _("Election of %(body)s %(year)s") % {"body": body, "year": today.year},
        **{field: noon + timedelta(days=days) for field, days in DAYS.items()},
    }
