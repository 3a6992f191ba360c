"""Meetings for tests: planned by Ada, who chairs the board of `conftest`."""

from datetime import timedelta

from governance.actions.attendance import Mark, call_roll, mark_attendance
from governance.actions.closing import close_due
from governance.actions.meeting import Plan, announce_meeting, plan_meeting
from governance.actions.minutes import keep_record, move_approval, submit_minutes
from governance.actions.motion import open_motion, second_motion
from governance.actions.vote import cast_vote
from governance.models import Body, Meeting, Minutes, Vote
from governance.tests.conftest import DAY, HOUR, START
from portal.accounts.models import User

BEGINS = START.replace(minute=0, second=0) + 10 * DAY
PLAN = Plan("Board meeting", BEGINS, BEGINS + 2 * HOUR, "Online", "https://meet.example.org/board")


def plan_of(days: float = 10, **changed: object) -> Plan:
    begins = START.replace(minute=0, second=0) + days * DAY
    values = {"title": "Board meeting", "place": "Online", **changed}
    return Plan(begins_at=begins, ends_at=begins + 2 * HOUR, **values)  # type: ignore[arg-type]


def make_meeting(chair: User, board: Body, *, days: float = 10, **changed: object) -> Meeting:
    """Planned at the start of the tests, announced at once."""
    planned = min(START, plan_of(days).begins_at - DAY)
    meeting = plan_meeting(actor=chair, body=board, plan=plan_of(days, **changed), at=planned)
    return announce_meeting(actor=chair, meeting=meeting, at=planned)


def hold(meeting: Meeting, people: list[User], *, text: str = "All was well.") -> Meeting:
    """Everybody but the last comes; the first item has the text on record."""
    chair, after = people[0], meeting.ends_at + HOUR
    rows = call_roll(actor=chair, meeting=meeting, at=after)
    there = {person.pk for person in people[:-1]}
    marks = [Mark(r.pk, "present" if r.user_id in there else "absent") for r in rows]
    mark_attendance(actor=chair, meeting=meeting, marks=marks, at=after)
    item = meeting.agenda.earliest("position")
    return keep_record(
        actor=chair,
        meeting=meeting,
        opened_at=meeting.begins_at + timedelta(minutes=3),
        closed_at=meeting.ends_at,
        records={item.pk: text},
        seen=meeting.record_version,
        at=after,
    )


def submit(meeting: Meeting, chair: User, note: str = "") -> Minutes:
    after = meeting.ends_at + 2 * HOUR
    return submit_minutes(actor=chair, meeting=meeting, note=note, at=after)


def approve(minutes: Minutes, people: list[User], choice: str = "yes") -> Minutes:
    """Moved, seconded, voted, counted."""
    at = minutes.submitted_at + HOUR
    motion = move_approval(actor=people[0], minutes=minutes, at=at)
    second_motion(actor=people[1], motion=motion, at=at)
    motion = open_motion(actor=people[0], motion=motion, deadline=at + 3 * DAY, at=at)
    for person in people:
        cast_vote(actor=person, motion=motion, choice=Vote.Choice(choice), at=at + HOUR)
    close_due(at=at + 4 * DAY)
    return Minutes.objects.select_related("motion", "meeting__body").get(pk=minutes.pk)
