"""The meetings of the demonstration, by the actions of Frank, who keeps them, and of directors."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial

from governance.actions import action_item, agenda, attendance, meeting, minutes
from governance.actions.closing import close_motion
from governance.actions.motion import open_motion, second_motion
from governance.actions.vote import cast_vote
from governance.demonstrations.acts import Act
from governance.demonstrations.meeting_texts import YEAR, Gathering, Point
from governance.meetings.presence import Span
from governance.models import AgendaItem, Attendance, Body, Meeting, Minutes, SeatTerm, Vote
from portal.accounts.demonstration import FRANK, person
from portal.accounts.models import User

NOTICE, LENGTH = timedelta(days=16), timedelta(minutes=90)
DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)


def acts(bodies: dict[str, Body], at: datetime) -> Iterator[Act]:
    """What happened when: the caller does it in order, so that resolutions are numbered by date."""
    for each in YEAR:
        held = _begin(each, at)
        yield min(held, at), partial(_meet, bodies[each.body], each, at)
        if each.approval == "approved":
            yield held + 13 * DAY, partial(_approve_first, bodies[each.body], held)
        if each.correction:
            yield held + 32 * DAY, partial(_correct, bodies[each.body], held, each)


def begins(body: str, at: datetime) -> list[datetime]:
    """Of the meetings of a body, past and planned."""
    return [_begin(each, at) for each in YEAR if each.body == body]


def _begin(each: Gathering, at: datetime) -> datetime:
    hour = 16 if each.body == "board" else 9
    return (at - each.days * DAY).replace(hour=hour, minute=0, second=0, microsecond=0)


def _meet(body: Body, each: Gathering, at: datetime) -> None:
    """Planned, announced, and what came of it."""
    begins = _begin(each, at)
    planned = min(begins - NOTICE, at)
    plan = meeting.Plan(
        title=each.title,
        begins_at=begins,
        ends_at=begins + LENGTH,
        place=each.place,
        link="https://meet.example.org/" + body.slug,
        is_open=each.is_open,
    )
    made = meeting.make_meeting(actor=person(FRANK), body=body, plan=plan, at=planned)
    if each.days <= 0:
        agenda.first_agenda(made, at=at)
    else:
        _fill_agenda(made, each, planned)
    if each.approval != "planned":
        meeting.announce_meeting(actor=person(FRANK), meeting=made, at=planned)
    if each.approval == "cancelled":
        reason = each.cancelled_because
        meeting.cancel_meeting(
            actor=person(FRANK), meeting=made, reason=reason, at=begins - 4 * DAY
        )
    elif each.days > 0:
        _hold(made, each)


def _fill_agenda(made: Meeting, each: Gathering, at: datetime) -> None:
    for point in each.points:
        item = agenda.Point(point.title, about=point.about, is_closed=point.is_closed)
        agenda.add_item(actor=person(FRANK), meeting=made, point=item, at=at)


def _hold(made: Meeting, each: Gathering) -> None:
    """The roll, the record, what was taken on; and the minutes two days later."""
    after = made.ends_at
    rows = attendance.call_roll(actor=person(FRANK), meeting=made, at=after)
    attendance.mark_attendance(
        actor=person(FRANK), meeting=made, marks=_marks(made, each, rows), at=after
    )
    pairs = list(zip(made.agenda.order_by("position"), each.points, strict=True))
    minutes.keep_record(
        actor=person(FRANK),
        meeting=made,
        opened_at=made.begins_at + timedelta(minutes=2),
        closed_at=made.ends_at - timedelta(minutes=6),
        records={item.pk: point.record for item, point in pairs},
        seen=0,
        at=after,
    )
    for item, point in pairs:
        if point.task:
            _give(made, item, point)
    if each.approval != "draft":
        minutes.submit_minutes(actor=person(FRANK), meeting=made, at=after + 2 * DAY)


def _marks(made: Meeting, each: Gathering, rows: list[Attendance]) -> list[attendance.Mark]:
    """All came but the excused; the second of the roll is late, somebody goes out meanwhile."""
    voting = [row.pk for row in rows if row.votes]
    excused = set(voting[len(voting) - each.excused :])
    late = {voting[1]: made.begins_at + timedelta(minutes=each.late)} if each.late else {}
    return [
        attendance.Mark(
            row.pk, _kind(row, excused), late.get(row.pk), outings=_outside(made, each, row)
        )
        for row in rows
    ]


def _outside(made: Meeting, each: Gathering, row: Attendance) -> list[Span]:
    """Whom a point concerns leaves the room for it, and comes back."""
    if each.outside is None or each.outside[0] != row.name:
        return []
    _name, left, back = each.outside
    return [(made.begins_at + left * MINUTE, made.begins_at + back * MINUTE)]


def _kind(row: Attendance, excused: set[int]) -> str:
    if row.pk in excused:
        return Attendance.Kind.EXCUSED
    if row.votes:
        return Attendance.Kind.PRESENT
    if row.kind == Attendance.Kind.SECRETARY or row.name == FRANK:
        return Attendance.Kind.SECRETARY
    return Attendance.Kind.OBSERVER


def _give(made: Meeting, item: AgendaItem, point: Point) -> None:
    given = action_item.give_action_item(
        actor=person(FRANK),
        meeting=made,
        text=point.task,
        owner=person(point.owner),
        due=made.day + timedelta(days=point.due),
        agenda_item=item,
        at=made.ends_at,
    )
    if point.is_done:
        done = made.ends_at + point.due * DAY - 2 * DAY
        action_item.finish_action_item(actor=person(point.owner), item=given, at=done)


def _approve_first(body: Body, held: datetime) -> None:
    """Moved, seconded, voted for in writing."""
    made = Meeting.objects.get(body=body, begins_at=held)
    _approve(made.minutes.get(number=1), held + 3 * DAY)


def _correct(body: Body, held: datetime, each: Gathering) -> None:
    made = Meeting.objects.get(body=body, begins_at=held)
    last = made.agenda.latest("position")
    last.record = last.record.replace("Two products use", "Two makers use")
    last.save(update_fields=["record"])
    corrected = minutes.submit_minutes(
        actor=person(FRANK), meeting=made, note=each.correction, at=held + 21 * DAY
    )
    _approve(corrected, held + 22 * DAY)


def _approve(version: Minutes, at: datetime) -> None:
    voters = _voters(version.meeting.body, at)
    motion = minutes.move_approval(actor=voters[0], minutes=version, at=at)
    second_motion(actor=voters[1], motion=motion, at=at + DAY)
    opened = at + 5 * DAY
    motion = open_motion(actor=voters[0], motion=motion, deadline=opened + 5 * DAY, at=opened)
    for hours, voter in enumerate(voters[:5], start=1):
        motion.refresh_from_db()
        if not motion.is_decided:
            when = opened + 5 * DAY - timedelta(hours=6 - hours)
            cast_vote(actor=voter, motion=motion, choice=Vote.Choice.YES, at=when)
    close_motion(motion_id=motion.pk, at=opened + 5 * DAY)


def _voters(body: Body, at: datetime) -> list[User]:
    terms = SeatTerm.objects.seated_on(at.date()).voting().filter(seat__body=body)
    return [term.user for term in terms.select_related("user").order_by("seat__number")]
