"""What somebody took upon themselves: given, moved, done, dropped; and the letters about it."""

from datetime import date, datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from governance import clock
from governance.actions.meeting import locked
from governance.meetings import access, letters
from governance.models import ActionItem, AgendaItem, Meeting
from governance.refusals import NotAllowed, Refusal
from portal.accounts.models import User
from portal.lib import audit

REMIND_BEFORE = timedelta(days=3)


@transaction.atomic
def give_action_item(
    *,
    actor: User | None,
    meeting: Meeting,
    text: str,
    owner: User | None = None,
    owner_name: str = "",
    due: date | None = None,
    agenda_item: AgendaItem | None = None,
    at: datetime | None = None,
) -> ActionItem:
    """Note who does what until when; the owner gets a letter."""
    meeting = locked(meeting)
    moment = clock.now(at)
    refusal = access.not_to_keep(actor, meeting, moment)
    if refusal is not None:
        raise refusal
    name = str(owner) if owner else " ".join(owner_name.split())
    if not name or not text.strip():
        raise Refusal(_("Say what is to be done, and who does it."))
    item = ActionItem.objects.create(
        meeting=meeting,
        agenda_item=agenda_item,
        text=" ".join(text.split()),
        owner=owner,
        owner_name=name,
        due=due,
        made_at=moment,
    )
    if due is None or due >= timezone.localdate(moment):
        letters.assigned(item)
    audit.record(actor=actor, verb="action_item.given", subject=item, owner=name)
    return item


def not_to_finish(user: access.Visitor | None, item: ActionItem, at: datetime) -> Refusal | None:
    """Why `user` may not say that it is done."""
    if user is None or (user.pk is not None and user.pk == item.owner_id):
        return None
    if access.access(user, item.meeting.body, at).runs:
        return None
    return NotAllowed(
        _("Only %(name)s, the chair, the secretary and staff can do this.")
        % {"name": item.owner_name}
    )


@transaction.atomic
def finish_action_item(
    *, actor: User | None, item: ActionItem, at: datetime | None = None
) -> ActionItem:
    moment = clock.now(at)
    item = _locked(actor, item, moment)
    if item.dropped_at:
        raise Refusal(_("It was dropped: %(reason)s") % {"reason": item.dropped_because})
    if item.done_at is None:
        item.done_at, item.done_by = moment, actor
        item.save(update_fields=["done_at", "done_by"])
        audit.record(actor=actor, verb="action_item.done", subject=item)
    return item


@transaction.atomic
def reopen_action_item(
    *, actor: User | None, item: ActionItem, at: datetime | None = None
) -> ActionItem:
    """It was not done after all, or is not dropped any more."""
    item = _locked(actor, item, clock.now(at))
    item.done_at, item.done_by = None, None
    item.dropped_at, item.dropped_because = None, ""
    item.save(update_fields=["done_at", "done_by", "dropped_at", "dropped_because"])
    audit.record(actor=actor, verb="action_item.reopened", subject=item)
    return item


@transaction.atomic
def drop_action_item(
    *, actor: User | None, item: ActionItem, reason: str, at: datetime | None = None
) -> ActionItem:
    """Nobody does it any more; it stays on record with the reason."""
    moment = clock.now(at)
    item = _locked(actor, item, moment)
    if not reason.strip():
        raise Refusal(_("Say why it is dropped."))
    if item.done_at:
        raise Refusal(_("It is done already."))
    item.dropped_at, item.dropped_because = moment, reason.strip()
    item.save(update_fields=["dropped_at", "dropped_because"])
    audit.record(actor=actor, verb="action_item.dropped", subject=item, reason=reason)
    return item


@transaction.atomic
def move_due_date(
    *, actor: User | None, item: ActionItem, due: date | None, at: datetime | None = None
) -> ActionItem:
    item = _locked(actor, item, clock.now(at))
    before, item.due = item.due, due
    item.save(update_fields=["due"])
    audit.record(actor=actor, verb="action_item.moved", subject=item, before=before, after=due)
    return item


@transaction.atomic
def remind_due(*, at: datetime | None = None) -> int:
    """One letter three days before the day, one when it has passed; how many items were asked."""
    today = timezone.localdate(clock.now(at))
    waiting = ActionItem.objects.open().filter(owner__isnull=False, due__lte=today + REMIND_BEFORE)
    found = list(waiting.filter(due__gte=today - REMIND_BEFORE).select_related("meeting", "owner"))
    for item in found:
        if item.due is not None and item.due < today:
            letters.overdue(item)
        else:
            letters.due_soon(item)
    return len(found)


def _locked(actor: User | None, item: ActionItem, at: datetime) -> ActionItem:
    rows = ActionItem.objects.select_for_update(of=("self",)).select_related("meeting__body")
    fresh = rows.get(pk=item.pk)
    refusal = not_to_finish(actor, fresh, at)
    if refusal is not None:
        raise refusal
    return fresh
