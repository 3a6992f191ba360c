"""The votes of a meeting, as its secretary writes them down."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from governance.meetings.room import Room
from governance.models import Meeting, RuleSet, Vote
from governance.models.seat import Place
from portal.lib.days import MomentField

ABSENT = "absent"


class MeetingField(forms.ModelChoiceField[Meeting]):
    def label_from_instance(self, obj: Meeting) -> str:
        return f"{obj.title}, {obj.begins_at:%Y-%m-%d %H:%M}"


class OccasionForm(forms.Form):
    """In which meeting, and when: that decides who was there."""

    meeting = MeetingField(
        label=_("Meeting"),
        required=False,
        queryset=Meeting.objects.none(),
        to_field_name="slug",
        empty_label=_("one that is not on record here"),
    )
    voted_at = MomentField(
        label=_("Voted, UTC"),
        widget=forms.DateTimeInput(
            format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local", "step": "any"}
        ),
    )

    def __init__(self, *args: Any, meetings: list[Meeting], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = cast(MeetingField, self.fields["meeting"])
        field.queryset = Meeting.objects.filter(pk__in=[meeting.pk for meeting in meetings])

    @property
    def voted(self) -> datetime:
        moment: datetime = self.cleaned_data["voted_at"]
        return moment


class MeetingVoteForm(forms.Form):
    """For each seat that somebody holds how they voted; who was not there is told apart."""

    def __init__(
        self,
        *args: Any,
        places: list[Place],
        room: Room | None,
        rules: RuleSet,
        all_say: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.room, self.all_say = room, all_say
        self.absent_may_vote = room is None or rules.absent_may_vote
        self.names: list[str] = []
        for place in places:
            if place.term is not None:
                self._add(place, is_there=room is None or place.term.user_id in room.voters)

    def _add(self, place: Place, *, is_there: bool) -> None:
        field = f"seat_{place.seat.number}"
        self.names.append(field)
        named = {"number": place.seat.number, "name": place.term.user if place.term else ""}
        chosen = self._there() if self.room and is_there else self._absent(is_there=is_there)
        chosen.label = _("Seat %(number)s, %(name)s") % named
        self.fields[field] = chosen

    def _there(self) -> forms.ChoiceField:
        """Present: they voted somehow, and who writes it down says how."""
        known = self.all_say if self.all_say in Vote.Choice.values else ""
        return forms.ChoiceField(
            choices=[("", _("choose")), *Vote.Choice.choices],
            initial=known,
            error_messages={"required": _("Was in the room: choose how they voted.")},
        )

    def _absent(self, *, is_there: bool) -> forms.ChoiceField:
        """Absent unless something else is chosen, which the rules have to allow."""
        return forms.ChoiceField(
            choices=[(ABSENT, _("Absent")), *Vote.Choice.choices],
            initial=ABSENT,
            disabled=not self.absent_may_vote,
            help_text="" if is_there else _("Not in the room then."),
        )

    @property
    def voices(self) -> dict[int, Vote.Choice]:
        """By the number of the seat; who was absent is left out."""
        return {
            int(name.removeprefix("seat_")): Vote.Choice(self.cleaned_data[name])
            for name in self.names
            if self.cleaned_data[name] != ABSENT
        }
