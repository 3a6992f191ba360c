"""Days as an iCalendar file (RFC 5545). Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

LINE: Final = 75  # octets, without the line break (section 3.1)
ESCAPES: Final = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n", "\r": None})


@dataclass(frozen=True, slots=True)
class Day:
    """An event of one whole day. `uid` stays the same for ever, `revised` says when it changed."""

    uid: str
    date: dt.date
    summary: str
    description: str
    url: str
    revised: dt.datetime


def calendar(name: str, product_id: str, days: Iterable[Day]) -> bytes:
    """The file: CRLF at line ends, no line longer than 75 octets."""
    return b"".join(fold(line) for line in _lines(name, product_id, days))


def _lines(name: str, product_id: str, days: Iterable[Day]) -> Iterator[str]:
    yield "BEGIN:VCALENDAR"
    yield "VERSION:2.0"
    yield f"PRODID:-//{text(product_id)}//EN"
    yield "CALSCALE:GREGORIAN"
    yield "METHOD:PUBLISH"
    yield f"NAME:{text(name)}"  # RFC 7986; programs of before read the next one
    yield f"X-WR-CALNAME:{text(name)}"
    yield "REFRESH-INTERVAL;VALUE=DURATION:P1D"
    for day in days:
        yield from _event(day)
    yield "END:VCALENDAR"


def _event(day: Day) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{text(day.uid)}"
    yield f"DTSTAMP:{_moment(day.revised)}"
    yield f"LAST-MODIFIED:{_moment(day.revised)}"
    yield f"DTSTART;VALUE=DATE:{day.date:%Y%m%d}"
    yield f"DTEND;VALUE=DATE:{day.date + dt.timedelta(days=1):%Y%m%d}"  # the day after, exclusive
    yield f"SUMMARY:{text(day.summary)}"
    yield f"DESCRIPTION:{text(day.description)}"
    yield f"URL:{day.url}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def text(value: str) -> str:
    """As a TEXT value: no control characters, and what has a meaning escaped."""
    plain = "".join(sign for sign in value if sign == "\n" or sign.isprintable())
    return plain.translate(ESCAPES)


def fold(line: str) -> bytes:
    """The line in pieces of at most 75 octets, no character cut in two."""
    pieces: list[bytes] = []
    piece = b""
    for sign in line:
        octets = sign.encode()
        room = LINE if not pieces else LINE - 1  # a space begins what goes on
        if len(piece) + len(octets) > room:
            pieces.append(piece)
            piece = b""
        piece += octets
    return b"\r\n ".join([*pieces, piece]) + b"\r\n"


def _moment(value: dt.datetime) -> str:
    return value.astimezone(dt.UTC).strftime("%Y%m%dT%H%M%SZ")
