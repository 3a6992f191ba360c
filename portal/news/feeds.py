"""The announcements as a feed: all of them, or those of one kind."""

from __future__ import annotations

import datetime as dt
from typing import Final

from django.conf import settings
from django.db.models import Max
from django.utils.translation import gettext as _

from portal.lib import markdown
from portal.lib.feeds import Entry, Feed
from portal.news.models import Announcement, Kind

LENGTH: Final = 20


def feed(*, kind: Kind | None, page: str, address: str, at: dt.datetime) -> Feed:
    """The twenty newest that are public at `at`, with their whole text."""
    found = Announcement.objects.all() if kind is None else Announcement.objects.filter(kind=kind)
    title = _("News of the %(name)s") % {"name": settings.FOUNDATION_NAME}
    if kind is not None:
        title = f"{title}: {kind.label}"
    description = _("Announcements, releases and reports.")
    entries = [_entry(announcement) for announcement in found.published(at)[:LENGTH]]
    gone_at = found.once_public(at).aggregate(Max("withdrawn_at"))["withdrawn_at__max"]
    return Feed(title, description, page, address, entries, gone_at)


def _entry(announcement: Announcement) -> Entry:
    assert announcement.published_at is not None  # noqa: S101 - the query asked for it
    url = f"{settings.BASE_URL}{announcement.get_absolute_url()}"
    return Entry(
        id=url,
        title=announcement.title,
        url=url,
        summary=announcement.summary,
        html=markdown.render(announcement.body, base=url, pictures=True),
        at=announcement.published_at,
        updated=announcement.updated_at,
        tags=(announcement.kind,),
        author=announcement.byline,
    )
