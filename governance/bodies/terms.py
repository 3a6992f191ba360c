"""The terms of a body as a table and as a calendar: who held which seat, from when to when."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from governance.models import Body, SeatTerm
from portal.lib.icalendar import Event, calendar

COLUMNS = (
    *("person", "seat", "office", "constituency", "cohort", "since", "until", "meant_until"),
    *("filled", "ended", "affiliation", "resolution", "exception"),
)


def table(body: Body) -> Iterator[tuple[object, ...]]:
    """A head and a row for each term, newest first."""
    yield COLUMNS
    for term in SeatTerm.objects.history(body):
        yield _row(term)


def _row(term: SeatTerm) -> tuple[object, ...]:
    seat = term.seat
    return (
        str(term.user),
        seat.number,
        seat.office,
        seat.constituency if seat.is_voting else "",
        seat.cohort,
        term.since,
        term.until or "",
        term.meant_until or "",
        term.entry,
        term.ending,
        term.affiliation,
        term.decided_by.resolution if term.decided_by else "",
        term.exception,
    )


def as_calendar(body: Body, at: datetime) -> str:
    """The days on which terms begin and end, past ones too, for calendar programs."""
    events = [event for term in SeatTerm.objects.history(body) for event in _events(term, at)]
    name = _("Terms: %(body)s") % {"body": body}
    return calendar(name, events, product=settings.FOUNDATION_NAME)


def _events(term: SeatTerm, at: datetime) -> Iterator[Event]:
    words = {"name": term.user, "seat": term.seat}
    yield _event(term, "begin", term.since, _("%(name)s begins: %(seat)s") % words, at)
    if term.until is not None:
        yield _event(term, "end", term.until, _("%(name)s ends: %(seat)s") % words, at)


def _event(term: SeatTerm, what: str, day: date, title: str, at: datetime) -> Event:
    begins = datetime.combine(day, time.min, tzinfo=UTC)
    return Event(
        uid=f"term-{term.pk}-{what}@{urlsplit(settings.BASE_URL).hostname}",
        title=title,
        begins=begins,
        ends=begins + timedelta(days=1),
        changed=at,
        url=settings.BASE_URL + term.seat.body.get_absolute_url(),
        is_whole_day=True,
    )
