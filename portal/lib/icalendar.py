"""Calendars for calendar programs (RFC 5545); pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

WIDTH: Final = 75  # octets of a line, without its end
CONTENT_TYPE: Final = "text/calendar; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Event:
    """Something at a time. Its uid never changes; `sequence` rises when people must be told."""

    uid: str
    title: str
    begins: datetime
    ends: datetime
    changed: datetime
    sequence: int = 0
    place: str = ""
    description: str = ""
    url: str = ""
    is_cancelled: bool = False
    is_whole_day: bool = False  # from the day of `begins` to the one of `ends`, which is not in it


def calendar(name: str, events: Iterable[Event], *, product: str) -> str:
    """One file; programs that follow it ask again twice a day."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:-//{_text(product)}//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"NAME:{_text(name)}",
        f"X-WR-CALNAME:{_text(name)}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT12H",
        "X-PUBLISHED-TTL:PT12H",
        *(line for event in events for line in _event(event)),
        "END:VCALENDAR",
    ]
    return "".join(f"{folded}\r\n" for line in lines for folded in _folded(line))


def _event(event: Event) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{_text(event.uid)}"
    yield f"DTSTAMP:{_moment(event.changed)}"
    yield f"LAST-MODIFIED:{_moment(event.changed)}"
    yield f"SEQUENCE:{event.sequence}"
    yield f"DTSTART{_when(event.begins, event)}"
    yield f"DTEND{_when(event.ends, event)}"
    yield f"SUMMARY:{_text(event.title)}"
    if event.place:
        yield f"LOCATION:{_text(event.place)}"
    if event.description:
        yield f"DESCRIPTION:{_text(event.description)}"
    if event.url:
        yield f"URL:{''.join(event.url.split())}"
    yield f"STATUS:{'CANCELLED' if event.is_cancelled else 'CONFIRMED'}"
    is_free = event.is_cancelled or event.is_whole_day
    yield f"TRANSP:{'TRANSPARENT' if is_free else 'OPAQUE'}"
    yield "END:VEVENT"


def _when(moment: datetime, event: Event) -> str:
    return f";VALUE=DATE:{moment:%Y%m%d}" if event.is_whole_day else f":{_moment(moment)}"


def _moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(words: str) -> str:
    """Escaped (3.3.11); characters that no line may hold are left out."""
    escaped = words.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    lines = escaped.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\\n")
    return "".join(mark for mark in lines if mark == "\t" or mark.isprintable())


def _folded(line: str) -> Iterator[str]:
    """Pieces of at most 75 octets, never within a character; each but the first after a space."""
    piece, size = "", 0
    for mark in line:
        width = len(mark.encode())
        if size + width > WIDTH:
            yield piece
            piece, size = " ", 1
        piece += mark
        size += width
    yield piece
