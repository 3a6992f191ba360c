"""Meetings as events of calendar programs."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from governance.models import Meeting
from portal.lib.icalendar import Event, calendar


def write(name: str, meetings: Iterable[Meeting], *, for_insiders: bool = False) -> str:
    """With the link to take part where the reader may have it."""
    events = [_event(meeting, for_insiders or meeting.is_open) for meeting in meetings]
    return calendar(name, events, product=settings.FOUNDATION_NAME)


def _event(meeting: Meeting, shows_link: bool) -> Event:
    page = settings.BASE_URL + meeting.get_absolute_url()
    return Event(
        uid=f"{meeting.slug}@{urlsplit(settings.BASE_URL).hostname}",
        title=f"{meeting.body}: {meeting.title}",
        begins=meeting.begins_at,
        ends=meeting.ends_at,
        changed=meeting.changed_at,
        sequence=meeting.revision,
        place=meeting.place,
        description=_description(meeting, page, shows_link),
        url=page,
        is_cancelled=meeting.is_cancelled,
    )


def _description(meeting: Meeting, page: str, shows_link: bool) -> str:
    parts = [meeting.cancelled_because] if meeting.is_cancelled else []
    if shows_link and meeting.link:
        parts.append(_("Take part: %(link)s") % {"link": meeting.link})
    parts += [f"{item.position}. {item.title}" for item in meeting.agenda.all()]
    return "\n".join([*parts, page])
