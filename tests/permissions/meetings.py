from collections.abc import Callable
from datetime import timedelta

from django.utils import timezone

from governance.actions.action_item import give_action_item
from governance.actions.attendance import add_guest, call_roll
from governance.actions.meeting import Plan, plan_meeting
from governance.actions.minutes import submit_minutes
from governance.models import Meeting
from tests.permissions import EVERYBODY, STAFF, Cast, Page, Place
from tests.permissions.governance import board

BODY_AND_STAFF = {"bob", "frank"}


def meeting(cast: Cast) -> Meeting:
    """Planned by frank for the board and held, not announced, with minutes before the body."""
    begins = timezone.now() - timedelta(days=3)
    made = plan_meeting(
        actor=cast["frank"],
        body=board(cast),
        plan=Plan("Board meeting", begins, begins + timedelta(hours=1)),
    )
    call_roll(actor=cast["frank"], meeting=made)
    add_guest(actor=cast["frank"], meeting=made, name="Noor")
    give_action_item(actor=cast["frank"], meeting=made, text="Call", owner=cast["bob"])
    submit_minutes(actor=cast["frank"], meeting=made)
    return made


def at(path: str) -> Place:
    """An address of the meeting."""
    return Place(meeting, lambda made: f"/governance/meetings/{made.slug}{path}")


def _guest(made: Meeting) -> str:
    row = made.attendance.get(user=None)
    return f"/governance/meetings/{made.slug}/attendance/{row.pk}/remove/"


def _act(act: str) -> Callable[[Meeting], str]:
    return lambda made: f"/governance/actions/{made.action_items.get().pk}/{act}/"


def kept(path: str, method: str = "GET", **data: object) -> Page:
    """A page of those who keep the meeting."""
    return Page(STAFF, sample=at(path), method=method, data=data)


PAGES = {
    "governance:meetings": Page(EVERYBODY),
    "governance:meetings_ics": Page(EVERYBODY),
    "governance:meetings_feed": Page(
        EVERYBODY, sample=lambda cast: "/governance/meetings/feed.atom"
    ),
    "governance:body_meetings_ics": Page(
        EVERYBODY, sample=Place(meeting, lambda made: "/governance/bodies/board/meetings.ics")
    ),
    "governance:meeting_new": Page(
        STAFF, sample=Place(meeting, lambda made: "/governance/meetings/new/")
    ),
    "governance:meeting_import": Page(
        STAFF, sample=Place(meeting, lambda made: "/governance/meetings/import/")
    ),
    "governance:meeting": Page(BODY_AND_STAFF, sample=at("/")),
    "governance:meeting_json": Page(
        EVERYBODY, sample=lambda cast: f"/governance/meetings/{_announced(cast).slug}.json"
    ),
    "governance:meeting_ics": Page(BODY_AND_STAFF, sample=at(".ics")),
    "governance:meeting_edit": kept("/edit/"),
    "governance:meeting_announce": kept("/announce/", "POST"),
    "governance:meeting_cancel": kept("/cancel/", "POST"),
    "governance:meeting_agenda": kept("/agenda/"),
    "governance:agenda_item": kept("/agenda/1/"),
    "governance:agenda_move": kept("/agenda/1/move/", "POST", to="down"),
    "governance:meeting_attendance": kept("/attendance/"),
    "governance:attendance_remove": Page(STAFF, sample=Place(meeting, _guest), method="POST"),
    "governance:meeting_record": kept("/record/"),
    "governance:record_file": kept("/record.md"),
    "governance:record_import": kept("/record/text/"),
    "governance:action_give": kept("/actions/", "POST"),
    "governance:minutes_draft": kept("/minutes/"),
    "governance:minutes": Page(BODY_AND_STAFF, sample=at("/minutes/1/")),
    "governance:minutes_move": Page(BODY_AND_STAFF, sample=at("/minutes/1/move/"), method="POST"),
    "governance:minutes_file": Page(BODY_AND_STAFF, sample=at("/minutes/1.md")),
    "governance:actions": Page(EVERYBODY),
    "governance:actions_csv": Page(EVERYBODY),
    "governance:action_act": Page(
        BODY_AND_STAFF, sample=Place(meeting, _act("done")), method="POST"
    ),
}


def _announced(cast: Cast) -> Meeting:
    made = meeting(cast)
    made.announced_at = timezone.now()
    made.save()
    return made
