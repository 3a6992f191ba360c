"""Writing announcements, with a line in the audit log."""

import datetime as dt

from django.db import transaction

from portal.accounts.models import User
from portal.lib import audit
from portal.news.models import Announcement


@transaction.atomic
def write_announcement(
    *,
    actor: User | None,
    slug: str,
    title: str,
    summary: str,
    body: str,
    published_at: dt.datetime | None,
) -> Announcement:
    """A new announcement; the same address twice is an error of the database."""
    announcement = Announcement(
        slug=slug,
        title=title,
        summary=summary,
        body=body,
        published_at=published_at,
    )
    return save_announcement(actor=actor, announcement=announcement)


@transaction.atomic
def save_announcement(*, actor: User | None, announcement: Announcement) -> Announcement:
    """Keep a written or changed announcement; the first one who keeps it is its author."""
    is_new = announcement.pk is None
    if is_new:
        announcement.author = actor
    announcement.save()
    audit.record(
        actor=actor,
        verb="announcement.written" if is_new else "announcement.changed",
        subject=announcement,
        title=announcement.title,
        published_at=announcement.published_at and announcement.published_at.isoformat(),
    )
    return announcement


@transaction.atomic
def remove_announcement(*, actor: User, announcement: Announcement) -> None:
    """Take an announcement away; the audit log keeps its title."""
    audit.record(
        actor=actor, verb="announcement.removed", subject=announcement, title=announcement.title
    )
    announcement.delete()
