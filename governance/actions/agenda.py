"""What a meeting is to speak of, in which order."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import F, Max
from django.utils.translation import gettext as _

from governance import clock
from governance.meetings import access
from governance.models import AgendaItem, Meeting, Minutes, Motion
from governance.refusals import Refusal
from portal.accounts.models import User
from portal.lib import audit, languages

UNDECIDED_ENDS = ("withdrawn", "lapsed")


@dataclass(frozen=True, slots=True)
class Point:
    """An item as somebody words it."""

    title: str
    about: str = ""
    motion: Motion | None = None
    presenter: str = ""
    minutes: int | None = None
    is_closed: bool = False


def open_motions(meeting: Meeting) -> list[Motion]:
    """What the body has not decided and this agenda does not have yet."""
    waiting = Motion.objects.filter(body=meeting.body_id, decided_at__isnull=True)
    waiting = waiting.exclude(state__in=UNDECIDED_ENDS).exclude(agenda_items__meeting=meeting)
    return list(waiting.order_by("drafted_at", "pk"))


@languages.for_the_record
def first_agenda(meeting: Meeting, *, at: datetime) -> None:
    """Opening, the minutes that wait, every open motion, any other business."""
    points = [Point(_("Opening, attendance and quorum"))]
    points += [_approval(minutes) for minutes in _waiting_minutes(meeting)]
    on_agenda = {point.motion for point in points if point.motion}
    points += [of_motion(motion) for motion in open_motions(meeting) if motion not in on_agenda]
    points.append(Point(_("Any other business")))
    for position, point in enumerate(points, start=1):
        _create(meeting, point, position)


def of_motion(motion: Motion) -> Point:
    return Point(motion.title, motion=motion, presenter=str(motion.proposed_by))


@transaction.atomic
def gather_motions(*, actor: User | None, meeting: Meeting, at: datetime | None = None) -> int:
    """Put every open motion that is missing on the agenda; how many."""
    meeting = _locked(actor, meeting, at)
    motions = open_motions(meeting)
    for position, motion in enumerate(motions, start=_last(meeting) + 1):
        _create(meeting, of_motion(motion), position)
    audit.record(actor=actor, verb="agenda.gathered", subject=meeting, motions=len(motions))
    return len(motions)


@transaction.atomic
def add_item(
    *, actor: User | None, meeting: Meeting, point: Point, at: datetime | None = None
) -> AgendaItem:
    meeting = _locked(actor, meeting, at)
    _fits(meeting, point)
    item = _create(meeting, point, _last(meeting) + 1)
    audit.record(actor=actor, verb="agenda.added", subject=meeting, title=point.title)
    return item


def take_up(meeting: Meeting, motion: Motion) -> None:
    """Put a motion that the meeting votes on at the end of its agenda, if it is not on it."""
    if not meeting.agenda.filter(motion=motion).exists():
        _create(meeting, of_motion(motion), _last(meeting) + 1)


@transaction.atomic
def change_item(
    *, actor: User | None, item: AgendaItem, point: Point, at: datetime | None = None
) -> AgendaItem:
    meeting = _locked(actor, item.meeting, at)
    _fits(meeting, point, but=item)
    for name in Point.__dataclass_fields__:
        setattr(item, name, getattr(point, name))
    item.save(update_fields=list(Point.__dataclass_fields__))
    audit.record(actor=actor, verb="agenda.changed", subject=meeting, title=point.title)
    return item


@transaction.atomic
def move_item(
    *, actor: User | None, item: AgendaItem, up: bool, at: datetime | None = None
) -> None:
    """Change places with the neighbour; the first goes no further up."""
    meeting = _locked(actor, item.meeting, at)
    item = meeting.agenda.get(pk=item.pk)
    beside = item.position - 1 if up else item.position + 1
    other = meeting.agenda.filter(position=beside).first()
    if other is None:
        return
    meeting.agenda.filter(pk=other.pk).update(position=item.position)
    meeting.agenda.filter(pk=item.pk).update(position=beside)
    audit.record(actor=actor, verb="agenda.moved", subject=meeting, title=item.title)


@transaction.atomic
def remove_item(*, actor: User | None, item: AgendaItem, at: datetime | None = None) -> None:
    """Take an item off. One that something was put on record of stays."""
    meeting = _locked(actor, item.meeting, at)
    item = meeting.agenda.get(pk=item.pk)
    if item.record or item.action_items.exists():
        raise Refusal(_("Something is on record of this item. Empty its record first."))
    item.delete()
    meeting.agenda.filter(position__gt=item.position).update(position=F("position") - 1)
    audit.record(actor=actor, verb="agenda.removed", subject=meeting, title=item.title)


@languages.for_the_record
def _approval(minutes: Minutes) -> Point:
    words = {"title": minutes.meeting.title, "day": minutes.meeting.day.isoformat()}
    title = _("Minutes of: %(title)s, %(day)s") % words
    return Point(title[:160], motion=minutes.motion)


def _waiting_minutes(meeting: Meeting) -> list[Minutes]:
    """Of each earlier meeting of the body the newest version, if it is not decided on."""
    earlier = Minutes.objects.filter(
        meeting__body=meeting.body_id, meeting__begins_at__lt=meeting.begins_at
    )
    newest = earlier.order_by("meeting_id", "-number").distinct("meeting_id")
    found = newest.select_related("meeting", "motion")
    waiting = (Minutes.State.SUBMITTED, Minutes.State.PROPOSED)
    return [minutes for minutes in found if minutes.state in waiting]


def _create(meeting: Meeting, point: Point, position: int) -> AgendaItem:
    values = {name: getattr(point, name) for name in Point.__dataclass_fields__}
    return AgendaItem.objects.create(meeting=meeting, position=position, **values)


def _fits(meeting: Meeting, point: Point, but: AgendaItem | None = None) -> None:
    if point.motion is None:
        return
    if point.motion.body_id != meeting.body_id:
        raise Refusal(_("That motion was put to another body."))
    others = meeting.agenda.exclude(pk=but.pk) if but else meeting.agenda.all()
    if others.filter(motion=point.motion).exists():
        raise Refusal(_("That motion is on the agenda already."))


def _last(meeting: Meeting) -> int:
    return meeting.agenda.aggregate(last=Max("position"))["last"] or 0


def _locked(actor: User | None, meeting: Meeting, at: datetime | None) -> Meeting:
    found = Meeting.objects.select_for_update(of=("self",)).select_related("body")
    fresh = found.get(pk=meeting.pk)
    refusal = access.not_to_keep(actor, fresh, clock.now(at))
    if refusal is not None:
        raise refusal
    return fresh
