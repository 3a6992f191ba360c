"""What is new about meetings: announced ones, and minutes that were approved."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.conf import settings
from django.utils import formats, timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _

from governance.meetings.words import in_words
from governance.models import Body, Meeting, Minutes
from portal.lib import markdown
from portal.lib.feeds import Entry, Feed

LENGTH: Final = 20


def feed(*, body: Body | None, page: str, address: str, at: datetime) -> Feed:
    """The twenty newest of both kinds."""
    meetings = Meeting.objects.announced().select_related("body").prefetch_related("agenda")
    minutes = Minutes.objects.current(at)
    if body is not None:
        meetings, minutes = meetings.filter(body=body), minutes.filter(meeting__body=body)
    entries = [_meeting(each) for each in meetings.order_by("-announced_at")[:LENGTH]]
    entries += [_minutes(each) for each in minutes.order_by("-motion__decided_at")[:LENGTH]]
    entries.sort(key=lambda entry: entry.at, reverse=True)
    title = _("Meetings of the %(name)s") % {"name": settings.FOUNDATION_NAME}
    return Feed(
        title if body is None else f"{title}: {body}",
        _("Meetings that are announced, and minutes that were approved."),
        page,
        address,
        entries[:LENGTH],
    )


def _meeting(meeting: Meeting) -> Entry:
    assert meeting.announced_at is not None  # noqa: S101 - the query asked for it
    url = settings.BASE_URL + meeting.get_absolute_url()
    when = formats.date_format(timezone.localtime(meeting.begins_at), "j F Y, H:i e")
    summary = f"{when}. {meeting.place}".strip()
    if meeting.is_cancelled:
        summary = _("Cancelled: %(reason)s") % {"reason": meeting.cancelled_because}
    items = format_html_join("", "<li>{}</li>", ([item.title] for item in meeting.agenda.all()))
    return Entry(
        id=f"{url}#announced",
        title=f"{meeting.body}: {meeting.title}, {in_words(meeting.begins_at)}",
        url=url,
        summary=summary,
        html=format_html("<p>{}</p><ol>{}</ol>", summary, items),
        at=meeting.announced_at,
        updated=max(meeting.announced_at, meeting.changed_at),
        tags=("meeting", meeting.body.slug),
    )


def _minutes(minutes: Minutes) -> Entry:
    assert minutes.approved_at is not None  # noqa: S101 - the query asked for it
    meeting = minutes.meeting
    named = {"body": meeting.body, "day": in_words(meeting.begins_at)}
    url = settings.BASE_URL + minutes.get_absolute_url()
    return Entry(
        id=url,
        title=_("Minutes, %(body)s of %(day)s") % named,
        url=url,
        summary=minutes.note or _("Approved minutes: %(title)s.") % {"title": meeting.title},
        html=markdown.render(minutes.text_for(closed=False), base=url),
        at=minutes.approved_at,
        updated=minutes.approved_at,
        tags=("minutes", meeting.body.slug),
    )
