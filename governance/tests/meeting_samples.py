"""Where a page of each view of meetings stands, with the demonstration data loaded."""

from collections.abc import Callable

from django.urls import reverse
from django.utils import timezone

from governance.models import ActionItem, Meeting, Minutes


def _coming() -> Meeting:
    return Meeting.objects.upcoming(timezone.now())[0]


def _minutes() -> Minutes:
    return Minutes.objects.current(timezone.now()).order_by("pk")[0]


def _of_meeting(name: str, *more: object) -> Callable[[], str]:
    return lambda: reverse(f"governance:{name}", args=[_minutes().meeting.slug, *more])


def _of_minutes(name: str, *more: object) -> Callable[[], str]:
    def path() -> str:
        found = _minutes()
        return reverse(f"governance:{name}", args=[found.meeting.slug, found.number, *more])

    return path


def _guest() -> str:
    row = _minutes().meeting.attendance.order_by("-position")[0]
    return reverse("governance:attendance_remove", args=[row.meeting.slug, row.pk])


SAMPLES: dict[str, Callable[[], str]] = {
    "governance:meetings_feed": lambda: reverse("governance:meetings_feed", args=["atom"]),
    "governance:body_meetings_ics": lambda: reverse("governance:body_meetings_ics", args=["board"]),
    "governance:meeting": lambda: _coming().get_absolute_url(),
    "governance:meeting_json": _of_meeting("meeting_json"),
    "governance:meeting_ics": _of_meeting("meeting_ics"),
    "governance:meeting_edit": lambda: reverse("governance:meeting_edit", args=[_coming().slug]),
    "governance:meeting_announce": _of_meeting("meeting_announce"),
    "governance:meeting_cancel": _of_meeting("meeting_cancel"),
    "governance:meeting_agenda": lambda: reverse(
        "governance:meeting_agenda", args=[_coming().slug]
    ),
    "governance:agenda_item": lambda: reverse("governance:agenda_item", args=[_coming().slug, 1]),
    "governance:agenda_move": _of_meeting("agenda_move", 1),
    "governance:meeting_attendance": _of_meeting("meeting_attendance"),
    "governance:attendance_remove": _guest,
    "governance:meeting_record": _of_meeting("meeting_record"),
    "governance:record_file": _of_meeting("record_file"),
    "governance:record_import": _of_meeting("record_import"),
    "governance:action_give": _of_meeting("action_give"),
    "governance:minutes_draft": _of_meeting("minutes_draft"),
    "governance:minutes": _of_minutes("minutes"),
    "governance:minutes_file": _of_minutes("minutes_file", "md"),
    "governance:minutes_move": _of_minutes("minutes_move"),
    "governance:action_act": lambda: reverse(
        "governance:action_act", args=[ActionItem.objects.earliest("pk").pk, "done"]
    ),
}
