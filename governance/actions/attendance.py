"""Who was there: the roll of a meeting, from its seats, and guests."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from governance import clock
from governance.actions.meeting import locked
from governance.meetings import access
from governance.meetings.document import CAME
from governance.meetings.presence import Span, follow_each_other, moments, stays
from governance.models import Attendance, Meeting, Outing, Seat
from governance.models.seat import Place
from governance.refusals import Refusal
from portal.accounts.models import User
from portal.lib import audit, languages

MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Mark:
    """What is written of somebody on the roll."""

    pk: int
    kind: str
    arrived_at: datetime | None = None
    left_at: datetime | None = None
    outings: Sequence[Span] = ()


@transaction.atomic
def call_roll(
    *, actor: User | None, meeting: Meeting, at: datetime | None = None
) -> list[Attendance]:
    """A row for everybody who holds a seat on the day of the meeting, and has none yet. Nobody is
    present before somebody says so; who keeps the record is its secretary.
    """
    meeting = _kept(actor, meeting, at)
    known = set(meeting.attendance.values_list("user_id", flat=True))
    missing = [places for user, places in _by_person(meeting).items() if user not in known]
    Attendance.objects.bulk_create(
        _row(meeting, places, position, actor)
        for position, places in enumerate(missing, start=_last(meeting) + 1)
    )
    return list(meeting.attendance.all())


@transaction.atomic
def mark_attendance(
    *, actor: User | None, meeting: Meeting, marks: Sequence[Mark], at: datetime | None = None
) -> None:
    """Who came, as what, from when to when."""
    meeting = _kept(actor, meeting, at)
    rows = {row.pk: row for row in meeting.attendance.all()}
    for mark in marks:
        row = rows[mark.pk]
        came = mark.kind in CAME
        row.kind = mark.kind
        row.arrived_at = mark.arrived_at if came else None
        row.left_at = mark.left_at if came else None
        _check_times(row, mark.outings if came else ())
    Attendance.objects.bulk_update(rows.values(), ["kind", "arrived_at", "left_at"])
    _keep_outings([(rows[mark.pk], mark.outings if mark.kind in CAME else ()) for mark in marks])
    kinds = [mark.kind for mark in marks]
    counts = {kind: kinds.count(kind) for kind in sorted(set(kinds))}
    audit.record(actor=actor, verb="attendance.marked", subject=meeting, **counts)


@transaction.atomic
def note_arrival(
    *, actor: User | None, attendance: Attendance, at: datetime | None = None
) -> Attendance:
    """Somebody came in: from the beginning, if the meeting was not called to order yet. Who left
    and is back was outside meanwhile.
    """
    moment = clock.now(at)
    meeting = _kept(actor, attendance.meeting, moment)
    row = meeting.attendance.get(pk=attendance.pk)
    if row.kind not in CAME:
        row.kind = Attendance.Kind.PRESENT
        row.arrived_at = _minute(moment) if _has_begun(meeting, moment) else None
    elif row.left_at and row.left_at < _minute(moment) and _has_begun(meeting, moment):
        Outing.objects.create(attendance=row, left_at=row.left_at, back_at=_minute(moment))
    row.left_at = None
    row.save(update_fields=["kind", "arrived_at", "left_at"])
    audit.record(actor=actor, verb="attendance.arrived", subject=meeting, name=row.name)
    return row


@transaction.atomic
def note_departure(
    *, actor: User | None, attendance: Attendance, at: datetime | None = None
) -> Attendance:
    """Somebody who was there left."""
    moment = clock.now(at)
    meeting = _kept(actor, attendance.meeting, moment)
    row = meeting.attendance.get(pk=attendance.pk)
    if row.kind not in CAME:
        raise Refusal(_("%(name)s was not there.") % {"name": row.name})
    if row.left_at is not None:
        raise Refusal(_("%(name)s left already.") % {"name": row.name})
    came = row.stays()[-1].arrived
    row.left_at = max(came + MINUTE, _minute(moment)) if came else _minute(moment)
    row.save(update_fields=["left_at"])
    audit.record(actor=actor, verb="attendance.left", subject=meeting, name=row.name)
    return row


@transaction.atomic
def add_guest(
    *,
    actor: User | None,
    meeting: Meeting,
    name: str,
    seat: str = "",
    kind: str = Attendance.Kind.OBSERVER,
    at: datetime | None = None,
) -> Attendance:
    """Somebody without a seat: an auditor, a speaker, a visitor."""
    meeting = _kept(actor, meeting, at)
    name = " ".join(name.split())
    if meeting.attendance.filter(name=name).exists():
        raise Refusal(_("%(name)s is on the roll already.") % {"name": name})
    row = Attendance.objects.create(
        meeting=meeting, position=_last(meeting) + 1, name=name, seat=seat, kind=kind
    )
    audit.record(actor=actor, verb="attendance.guest", subject=meeting, name=name)
    return row


@transaction.atomic
def remove_guest(*, actor: User | None, attendance: Attendance, at: datetime | None = None) -> None:
    meeting = _kept(actor, attendance.meeting, at)
    if attendance.user_id is not None:
        raise Refusal(_("Who holds a seat stays on the roll. Mark the person as absent."))
    attendance.delete()
    audit.record(
        actor=actor, verb="attendance.guest_removed", subject=meeting, name=attendance.name
    )


def _by_person(meeting: Meeting) -> dict[int, list[Place]]:
    """The seats of each person on the day, voting ones first."""
    places = Seat.objects.filter(body=meeting.body).places(meeting.day)
    held: dict[int, list[Place]] = {}
    for place in sorted(places, key=lambda place: (not place.seat.is_voting, place.seat.number)):
        if place.term is not None:
            held.setdefault(place.term.user_id, []).append(place)
    return held


@languages.for_the_record
def _row(meeting: Meeting, places: list[Place], position: int, actor: User | None) -> Attendance:
    """Somebody on the roll, with all the seats they hold."""
    [person, *_others] = [place.term.user for place in places if place.term]
    return Attendance(
        meeting=meeting,
        position=position,
        user=person,
        name=str(person),
        seat=", ".join(place.seat.label for place in places)[:80],
        votes=any(place.seat.is_voting for place in places),
        kind=_first_kind(places, person, actor),
    )


def _first_kind(places: list[Place], person: User, actor: User | None) -> Attendance.Kind:
    offices = {place.seat.office for place in places}
    if person == actor and Seat.Office.SECRETARY in offices:
        return Attendance.Kind.SECRETARY
    return Attendance.Kind.ABSENT


def _has_begun(meeting: Meeting, at: datetime) -> bool:
    return (meeting.opened_at or meeting.begins_at) < at


def _minute(moment: datetime) -> datetime:
    return moment.replace(second=0, microsecond=0)


def keep_row(row: Attendance, outings: Sequence[Span]) -> None:
    """The row, and when they were outside in place of what is kept of it. Raises if the times do
    not follow each other.
    """
    _check_times(row, outings)
    row.save()
    _keep_outings([(row, outings)])


def _check_times(row: Attendance, outings: Sequence[Span]) -> None:
    told = stays(row.arrived_at, row.left_at, outings)
    if not follow_each_other(told):
        times = [timezone.localtime(at).strftime("%H:%M") for at in moments(told)]
        raise Refusal(
            _("%(name)s: the times %(times)s do not follow each other; one of them is wrong.")
            % {"name": row.name, "times": ", ".join(times)}
        )


def _keep_outings(told: Sequence[tuple[Attendance, Sequence[Span]]]) -> None:
    """In place of what is kept of these rows."""
    Outing.objects.filter(attendance__in=[row for row, _outings in told]).delete()
    Outing.objects.bulk_create(
        Outing(attendance=row, left_at=left, back_at=back)
        for row, outings in told
        for left, back in outings
    )


def _last(meeting: Meeting) -> int:
    return meeting.attendance.aggregate(last=Max("position"))["last"] or 0


def _kept(actor: User | None, meeting: Meeting, at: datetime | None) -> Meeting:
    fresh = locked(meeting)
    refusal = access.not_to_keep(actor, fresh, clock.now(at))
    if refusal is not None:
        raise refusal
    return fresh
