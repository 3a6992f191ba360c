"""Planning a meeting, making it known, changing and cancelling it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from governance import clock
from governance.actions.agenda import first_agenda
from governance.meetings import access, letters
from governance.meetings.notice import Notice, days_in_words, notice
from governance.models import Body, Meeting
from governance.refusals import Refusal, allowed
from portal.accounts.models import User
from portal.lib import audit

REMIND_BEFORE = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Plan:
    """When and where a body comes together."""

    title: str
    begins_at: datetime
    ends_at: datetime
    place: str = ""
    link: str = ""
    is_open: bool = False


class ShortNotice(Refusal):
    """The rules ask for a longer notice; a reason allows a shorter one."""

    def __init__(self, given: Notice) -> None:
        words = {
            "needed": days_in_words(given.needed),
            "clause": f" ({given.clause})" if given.clause else "",
            "days": days_in_words(max(given.days, 0)),
        }
        super().__init__(
            _(
                "The rules ask for %(needed)s of notice%(clause)s; announced now it has %(days)s."
                " Choose a later day, or say why it is shorter; everybody reads that."
            )
            % words
        )


TOLD = ("begins_at", "ends_at", "place", "link")  # whose change everybody is told of


@transaction.atomic
def plan_meeting(
    *, actor: User | None, body: Body, plan: Plan, at: datetime | None = None
) -> Meeting:
    """A meeting that the body sees and nobody else, with an agenda to begin from."""
    moment = clock.now(at)
    meeting = make_meeting(actor=actor, body=body, plan=plan, at=moment)
    first_agenda(meeting, at=moment)
    return meeting


@transaction.atomic
def make_meeting(*, actor: User | None, body: Body, plan: Plan, at: datetime) -> Meeting:
    """The same with an empty agenda, for what is read from a file."""
    allowed(access.not_to_run(actor, body, at))
    _in_order(plan)
    Body.objects.select_for_update().get(pk=body.pk)  # nobody else takes the same number
    meeting = Meeting.objects.create(
        body=body,
        slug=_next_slug(body, plan.begins_at),
        planned_at=at,
        planned_by=actor,
        changed_at=at,
        **_values(plan),
    )
    audit.record(
        actor=actor, verb="meeting.planned", subject=meeting, begins=plan.begins_at.isoformat()
    )
    return meeting


@transaction.atomic
def announce_meeting(
    *,
    actor: User | None,
    meeting: Meeting,
    short_notice_because: str = "",
    at: datetime | None = None,
) -> Meeting:
    """Everybody sees it; who holds a seat gets a letter, unless it is over already. A notice that
    is shorter than the rules ask needs a reason, which everybody reads.
    """
    meeting = locked(meeting)
    moment = clock.now(at)
    allowed(access.not_to_run(actor, meeting.body, moment))
    if meeting.is_cancelled:
        raise Refusal(_("The meeting was cancelled. Plan another one."))
    if meeting.announced_at is not None:
        return meeting
    if not meeting.is_over(moment):
        _give_notice(meeting, short_notice_because.strip(), moment)
    meeting.announced_at = meeting.changed_at = moment
    meeting.save(update_fields=["announced_at", "changed_at", "short_notice_because"])
    if not meeting.is_over(moment):
        letters.announced(meeting, at=moment)
    because = meeting.short_notice_because
    audit.record(actor=actor, verb="meeting.announced", subject=meeting, short_because=because)
    return meeting


@transaction.atomic
def change_meeting(
    *, actor: User | None, meeting: Meeting, plan: Plan, at: datetime | None = None
) -> Meeting:
    """Another time or place: who was invited is told."""
    meeting = locked(meeting)
    moment = clock.now(at)
    allowed(access.not_to_run(actor, meeting.body, moment))
    if meeting.is_cancelled:
        raise Refusal(_("The meeting was cancelled. Plan another one."))
    _in_order(plan)
    values = _values(plan)
    changed = [name for name, value in values.items() if value != getattr(meeting, name)]
    if not changed:
        return meeting
    for name in changed:
        setattr(meeting, name, values[name])
    if "begins_at" in changed:
        meeting.reminded_at = None
    meeting.changed_at = moment
    meeting.revision += 1
    meeting.save()
    if meeting.announced_at and not meeting.is_over(moment) and set(changed) & set(TOLD):
        letters.changed(meeting, at=moment)
    audit.record(actor=actor, verb="meeting.changed", subject=meeting, fields=changed)
    return meeting


@transaction.atomic
def cancel_meeting(
    *, actor: User | None, meeting: Meeting, reason: str, at: datetime | None = None
) -> Meeting:
    """It does not take place; the page and every calendar say so, and why."""
    meeting = locked(meeting)
    moment = clock.now(at)
    allowed(access.not_to_run(actor, meeting.body, moment))
    if not reason.strip():
        raise Refusal(_("Say why the meeting is cancelled; everybody reads it."))
    if meeting.is_cancelled:
        raise Refusal(_("The meeting was cancelled already."))
    if meeting.begins_at <= moment:
        raise Refusal(_("The meeting has begun. Write in its minutes what became of it."))
    meeting.cancelled_at = meeting.changed_at = moment
    meeting.cancelled_because = reason.strip()
    meeting.revision += 1
    meeting.save()
    if meeting.announced_at:
        letters.cancelled(meeting, at=moment)
    audit.record(actor=actor, verb="meeting.cancelled", subject=meeting, reason=reason)
    return meeting


@transaction.atomic
def remind_due(*, at: datetime | None = None) -> int:
    """Write to all who hold a seat a day before each meeting; of how many meetings."""
    moment = clock.now(at)
    due = Meeting.objects.to_remind(moment, moment + REMIND_BEFORE).select_related("body")
    found = list(due.select_for_update(of=("self",), skip_locked=True))
    for meeting in found:
        letters.reminder(meeting, at=moment)
        meeting.reminded_at = moment
        meeting.save(update_fields=["reminded_at"])
    return len(found)


def _give_notice(meeting: Meeting, because: str, at: datetime) -> None:
    """As long before as the rules ask, or with the reason why not."""
    given = notice(meeting, at)
    if not given.is_short:
        return
    if not because:
        raise ShortNotice(given)
    meeting.short_notice_because = because


def locked(meeting: Meeting) -> Meeting:
    meetings = Meeting.objects.select_for_update(of=("self",)).select_related("body")
    return meetings.get(pk=meeting.pk)


def _values(plan: Plan) -> dict[str, object]:
    return {name: getattr(plan, name) for name in Plan.__dataclass_fields__}


def _in_order(plan: Plan) -> None:
    if plan.ends_at <= plan.begins_at:
        raise Refusal(_("A meeting ends after it begins; choose a later end."))


def _next_slug(body: Body, begins_at: datetime) -> str:
    """board-2026-4: the fourth that was planned for the board in that year. It stays when the
    meeting moves.
    """
    start = f"{body.slug}-{timezone.localtime(begins_at).year}-"
    taken = Meeting.objects.filter(slug__startswith=start).values_list("slug", flat=True)
    numbers = [int(slug.removeprefix(start)) for slug in taken if slug.split("-")[-1].isdecimal()]
    return f"{start}{max(numbers, default=0) + 1}"
