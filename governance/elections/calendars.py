"""The dates of an election as events of calendar programs."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import urlsplit

from django.conf import settings

from governance.elections import stages
from governance.models import Election
from portal.lib.icalendar import Event, calendar

MOMENT = timedelta(minutes=15)  # how long a calendar shows what has no end


def write(election: Election) -> str:
    """One event for each window, and one for the record date."""
    page = settings.BASE_URL + election.get_absolute_url()
    host = urlsplit(settings.BASE_URL).hostname
    changed = election.cancelled_at or election.announced_at or election.drafted_at
    events = [
        Event(
            uid=f"{election.name}-{each.name}@{host}",
            title=f"{each.title}: {election.title}",
            begins=each.begins,
            ends=each.ends or each.begins + MOMENT,
            changed=changed,
            description=f"{each.note}\n{page}",
            url=page,
            is_cancelled=election.state == Election.State.CANCELLED,
        )
        for each in stages.calendar(election)
    ]
    return calendar(election.title, events, product=settings.FOUNDATION_NAME)
