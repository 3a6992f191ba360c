"""What the demonstration foundation has announced, and what its editor is about to say."""

from __future__ import annotations

from datetime import datetime, timedelta

from portal.accounts import demonstration as people
from portal.accounts.models import User
from portal.news.actions.announcement import Text, change_announcement, write_announcement
from portal.news.actions.publication import schedule_announcement, withdraw_announcement
from portal.news.demonstration_texts import DRAFT, PUBLISHED, SCHEDULED, WITHDRAWN, WRONG
from portal.news.models import Announcement


def load(*, actor: User, at: datetime) -> None:
    """Announcements of the last months, a draft, one that waits, one that was withdrawn."""
    heidi = people.person(people.HEIDI)
    for days, text in PUBLISHED:
        if _is_missing(text):
            write_announcement(actor=heidi, text=text, published_at=at - timedelta(days=days))
    if _is_missing(WITHDRAWN):
        _take_back(heidi, at)
    if _is_missing(SCHEDULED):
        _schedule(heidi, at)
    if _is_missing(DRAFT):
        _draft(heidi, actor, at)


def _is_missing(text: Text) -> bool:
    """An earlier start, or an earlier portal, may have written some of them."""
    return not Announcement.objects.filter(slug=text.slug).exists()


def _take_back(heidi: User, at: datetime) -> None:
    out = write_announcement(actor=heidi, text=WITHDRAWN, published_at=at - timedelta(days=52))
    withdraw_announcement(
        actor=heidi,
        announcement=out,
        reason="The date of the meeting was wrong. The invitation was sent again by letter.",
        at=at - timedelta(days=51),
    )


def _schedule(heidi: User, at: datetime) -> None:
    waits = write_announcement(actor=heidi, text=SCHEDULED)
    moment = (at + timedelta(days=9)).replace(hour=8, minute=0, second=0, microsecond=0)
    schedule_announcement(actor=heidi, announcement=waits, seen=1, moment=moment, at=at)


def _draft(heidi: User, frank: User, at: datetime) -> None:
    """Begun by one person and corrected by another, so that there is something to compare."""
    begun: Text = WRONG
    draft = write_announcement(actor=heidi, text=begun)
    change_announcement(actor=frank, announcement=draft, text=DRAFT, seen=1, at=at)
