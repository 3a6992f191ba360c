"""Making announcements public: now, at a moment to come, not any more, and again."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import audit
from portal.news.actions.announcement import NewsError, locked
from portal.news.models import Announcement, State

EDITABLE = (State.DRAFT, State.SCHEDULED)


@transaction.atomic
def publish_announcement(
    *, actor: User, announcement: Announcement, seen: int, at: dt.datetime
) -> Announcement:
    """Public from now on, if it is still the version that was looked at."""
    current = _publishable(announcement, seen, at)
    current.published_at, current.published_by, current.told_at = at, actor, at
    return _keep(actor, current, "announcement.publish", version=current.version)


@transaction.atomic
def schedule_announcement(
    *, actor: User, announcement: Announcement, seen: int, moment: dt.datetime, at: dt.datetime
) -> Announcement:
    """Public from `moment` on: no job has to run then."""
    if moment <= at:
        raise NewsError(_("That moment is over. Choose one to come, or publish now."))
    current = _publishable(announcement, seen, at)
    current.published_at, current.published_by, current.told_at = moment, actor, None
    return _keep(actor, current, "announcement.schedule", moment=moment.isoformat())


@transaction.atomic
def unschedule_announcement(
    *, actor: User | None, announcement: Announcement, at: dt.datetime, reason: str = ""
) -> Announcement:
    """A draft again, if its moment has not come."""
    current = locked(announcement)
    if current.state(at) == State.DRAFT:
        return current
    if current.state(at) != State.SCHEDULED:
        raise NewsError(_("It is public already. Withdraw it instead."))
    current.published_at = current.published_by = current.told_at = None
    return _keep(actor, current, "announcement.unschedule", reason=reason)


@transaction.atomic
def withdraw_announcement(
    *, actor: User, announcement: Announcement, reason: str, at: dt.datetime
) -> Announcement:
    """Its address says why it is gone; lists and feeds leave it out."""
    if not reason.strip():
        raise NewsError(_("Say why: readers who come by a link see the reason."))
    current = locked(announcement)
    if current.state(at) != State.PUBLISHED:
        raise NewsError(_("Only what is public can be withdrawn."))
    current.withdrawn_at, current.withdraw_reason = at, reason.strip()
    return _keep(actor, current, "announcement.withdraw", reason=current.withdraw_reason)


@transaction.atomic
def restore_announcement(
    *, actor: User, announcement: Announcement, at: dt.datetime
) -> Announcement:
    """Undo a withdrawal: as it was, at its old date."""
    current = locked(announcement)
    if current.state(at) != State.WITHDRAWN:
        raise NewsError(_("It is not withdrawn."))
    current.withdrawn_at, current.withdraw_reason = None, ""
    return _keep(actor, current, "announcement.restore")


def _publishable(announcement: Announcement, seen: int, at: dt.datetime) -> Announcement:
    """The row as it is now: another may have published it a moment after `at`."""
    current = locked(announcement, seen=seen)
    if current.told_at is not None or current.state(at) not in EDITABLE:
        raise NewsError(_("It is not a draft any more. Look again at how it stands."))
    occasion = getattr(current, "occasion", None)
    if occasion is not None and occasion.doubt:
        raise NewsError(occasion.doubt)
    return current


def _keep(actor: User | None, current: Announcement, verb: str, **detail: object) -> Announcement:
    current.full_clean()
    current.save()
    audit.record(actor=actor, verb=verb, subject=current, **detail)
    return current
