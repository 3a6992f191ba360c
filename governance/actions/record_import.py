"""Taking the record of a meeting from its document: a new meeting, or in place of what is kept."""

from datetime import datetime, time

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from governance import clock
from governance.actions.attendance import keep_row
from governance.actions.meeting import Plan, change_meeting, locked, make_meeting
from governance.actions.minutes import ChangedMeanwhile
from governance.meetings import access, letters
from governance.meetings.document import Document, Person, Task, moment_of
from governance.meetings.presence import Span
from governance.models import ActionItem, AgendaItem, Attendance, Body, Meeting, Motion, Seat
from governance.refusals import Refusal, allowed
from portal.accounts.models import User
from portal.lib import audit, languages

People = dict[str, User]


@transaction.atomic
def take_record(
    *,
    actor: User,
    document: Document,
    meeting: Meeting | None = None,
    seen: int | None = None,
    at: datetime | None = None,
) -> Meeting:
    """Make the rows say what the document says. Of a meeting that there is, agenda, attendance and
    record are replaced; versions that were put before the body stay as they were.
    """
    moment = clock.now(at)
    allowed(_published_only(document))
    meeting = _prepared(actor, document, meeting, seen, moment)
    meeting.opened_at = _moment(document, document.opened)
    meeting.closed_at = _moment(document, document.closed)
    if meeting.closed_at and (meeting.opened_at is None or meeting.closed_at < meeting.opened_at):
        raise Refusal(_("The meeting is adjourned after it was called to order."))
    meeting.record_version += 1
    meeting.save(update_fields=["opened_at", "closed_at", "record_version"])
    people = _known_people(meeting)
    _take_attendance(meeting, document, people)
    _take_agenda(actor, meeting, document, people, moment)
    audit.record(actor=actor, verb="record.taken", subject=meeting, version=meeting.record_version)
    return meeting


def _published_only(document: Document) -> Refusal | None:
    """The published text would take what was said in closed sessions out of the record."""
    sealed = next((item.title for item in document.items if item.sealed), "")
    if not sealed:
        return None
    return Refusal(
        _(
            "This is the published text: what was said in the closed session “%(title)s” is not in"
            " it. Take the record as Markdown, and change that."
        )
        % {"title": sealed}
    )


def _prepared(
    actor: User, document: Document, meeting: Meeting | None, seen: int | None, at: datetime
) -> Meeting:
    """The meeting with the time and place of the document; who was invited is told of a change."""
    body = Body.objects.filter(slug=document.body).first()
    if body is None:
        raise Refusal(_("There is no body “%(slug)s”.") % {"slug": document.body})
    if meeting is None:
        plan = _plan(document, Meeting())
        return make_meeting(actor=actor, body=body, plan=plan, at=at)
    meeting = locked(meeting)
    refusal = access.not_to_keep(actor, meeting, at)
    if refusal is not None:
        raise refusal
    if body.pk != meeting.body_id:
        raise Refusal(_("This meeting is one of the body “%(body)s”.") % {"body": meeting.body})
    if seen is not None and seen != meeting.record_version:
        raise ChangedMeanwhile(_("Somebody saved the record meanwhile."))
    return change_meeting(actor=actor, meeting=meeting, plan=_plan(document, meeting), at=at)


def _plan(document: Document, meeting: Meeting) -> Plan:
    return Plan(
        title=document.title[:120],
        begins_at=document.begins,
        ends_at=document.ends,
        place=document.place[:200],
        link=meeting.link,
        is_open=meeting.is_open,
    )


# ── attendance ───────────────────────────────────────────────────────────────
def _known_people(meeting: Meeting) -> People:
    """By name: who is on the roll, and who holds a seat on the day of the meeting."""
    places = Seat.objects.filter(body=meeting.body).places(meeting.day)
    seated = {str(place.term.user): place.term.user for place in places if place.term}
    rows = meeting.attendance.filter(user__isnull=False).select_related("user")
    return seated | {row.name: row.user for row in rows if row.user}


def _take_attendance(meeting: Meeting, document: Document, people: People) -> None:
    voting = Seat.objects.filter(body=meeting.body).voting().existing(meeting.day)
    labels = {seat.label for seat in voting.select_related("body")}
    meeting.attendance.all().delete()
    for position, person in enumerate(document.people, start=1):
        row = _row(meeting, document, person)
        row.position = position
        row.user = people.get(person.name)
        row.votes = bool(labels & set(person.seat.split(", ")))
        keep_row(row, [_span(document, span) for span in person.outside])


def _row(meeting: Meeting, document: Document, person: Person) -> Attendance:
    return Attendance(
        meeting=meeting,
        name=person.name[:150],
        seat=person.seat[:80],
        kind=person.kind.value,
        arrived_at=_moment(document, person.arrived),
        left_at=_moment(document, person.left),
    )


def _span(document: Document, span: tuple[time, time]) -> Span:
    return moment_of(span[0], document.begins), moment_of(span[1], document.begins)


# ── agenda and action items ──────────────────────────────────────────────────
def _take_agenda(
    actor: User, meeting: Meeting, document: Document, people: People, at: datetime
) -> None:
    left = list(meeting.action_items.order_by("pk"))
    meeting.agenda.all().delete()
    used: set[Motion] = set()
    for position, item in enumerate(document.items, start=1):
        motion = _motion(meeting, item.motion)
        if motion in used:
            raise Refusal(_("“%(motion)s” is on the agenda twice.") % {"motion": motion})
        used |= {motion} if motion else set()
        row = AgendaItem.objects.create(
            meeting=meeting,
            position=position,
            title=item.title[:160],
            about=item.about[:300],
            motion=motion,
            presenter=item.presenter[:150],
            minutes=item.minutes,
            is_closed=item.is_closed,
            record=item.text,
            salt=item.salt,
        )
        for task in item.tasks:
            _take_task(actor, row, task, left, people, at)
    _let_go(meeting, left, at)


def _motion(meeting: Meeting, reference: str) -> Motion | None:
    if not reference:
        return None
    found = Motion.objects.filter(body=meeting.body).by_reference(reference).first()
    if found is None:
        raise Refusal(
            _("The body has no motion “%(reference)s”. Name it as its address does.")
            % {"reference": reference}
        )
    return found


def _take_task(
    actor: User, item: AgendaItem, task: Task, left: list[ActionItem], people: People, at: datetime
) -> None:
    """The action item of the same owner and words, or a new one."""
    same = (row for row in left if (row.owner_name, row.text) == (task.owner, task.text))
    row = next(same, None)
    is_new = row is None
    if row is None:
        owner = people.get(task.owner)
        row = ActionItem(meeting=item.meeting, owner=owner, owner_name=task.owner[:150], made_at=at)
        row.text = task.text[:300]
    else:
        left.remove(row)
    row.agenda_item, row.due = item, task.due
    row.dropped_at, row.dropped_because = None, ""
    if task.is_done != (row.done_at is not None):
        row.done_at, row.done_by = (at, actor) if task.is_done else (None, None)
    row.save()
    if is_new and task.due and task.due >= timezone.localdate(at) and not task.is_done:
        letters.assigned(row)


def _let_go(meeting: Meeting, left: list[ActionItem], at: datetime) -> None:
    """Action items that the document does not name: gone, or dropped once a version told them."""
    told = meeting.minutes.exists()
    with languages.of_record():
        because = _("Taken out of the record.")
    for row in left:
        if not told:
            row.delete()
        elif row.dropped_at is None and row.done_at is None:
            row.dropped_at, row.dropped_because = at, because
            row.save(update_fields=["dropped_at", "dropped_because"])


def _moment(document: Document, clock_time: time | None) -> datetime | None:
    return moment_of(clock_time, document.begins) if clock_time else None
