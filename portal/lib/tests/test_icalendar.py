"""Calendars: escaped, folded, complete."""

from datetime import UTC, datetime, timedelta, timezone

from portal.lib.icalendar import Event, calendar

BEGINS = datetime(2026, 11, 20, 14, tzinfo=UTC)


def event(**changed: object) -> Event:
    values: dict[str, object] = {
        "uid": "board-2026-4@example.org",
        "title": "Board",
        "begins": BEGINS,
        "ends": BEGINS + timedelta(hours=1),
        "changed": BEGINS - timedelta(days=14),
    }
    return Event(**values | changed)  # type: ignore[arg-type]


def lines(*events: Event) -> list[str]:
    text = calendar("Meetings; all", events, product="Example")
    assert text.endswith("\r\n")
    assert "\n" not in text.replace("\r\n", "")
    return text.split("\r\n")[:-1]


def test_an_event_says_what_programs_ask_for() -> None:
    assert lines(event(sequence=2, url="https://example.org/a")) == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Example//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        "NAME:Meetings\\; all",
        "X-WR-CALNAME:Meetings\\; all",
        "REFRESH-INTERVAL;VALUE=DURATION:PT12H",
        "X-PUBLISHED-TTL:PT12H",
        "BEGIN:VEVENT",
        "UID:board-2026-4@example.org",
        "DTSTAMP:20261106T140000Z",
        "LAST-MODIFIED:20261106T140000Z",
        "SEQUENCE:2",
        "DTSTART:20261120T140000Z",
        "DTEND:20261120T150000Z",
        "SUMMARY:Board",
        "URL:https://example.org/a",
        "STATUS:CONFIRMED",
        "TRANSP:OPAQUE",
        "END:VEVENT",
        "END:VCALENDAR",
    ]


def test_marks_are_escaped_and_no_line_is_smuggled_in() -> None:
    found = lines(event(title="A, B; C\\D\r\nBEGIN:VALARM\x00", place="Hall\n2"))
    assert "SUMMARY:A\\, B\\; C\\\\D\\nBEGIN:VALARM" in found
    assert "LOCATION:Hall\\n2" in found
    assert "BEGIN:VALARM" not in found


def test_long_lines_are_folded_between_characters() -> None:
    words = "Änderung 日本語 " * 20
    found = lines(event(description=words))
    assert all(len(line.encode()) <= 75 for line in found)
    unfolded = "\r\n".join(found).replace("\r\n ", "").split("\r\n")
    assert f"DESCRIPTION:{words}" in unfolded


def test_other_time_zones_become_utc_and_a_cancelled_event_frees_the_time() -> None:
    zone = timezone(timedelta(hours=5, minutes=30))
    found = lines(event(begins=BEGINS.astimezone(zone), is_cancelled=True))
    assert "DTSTART:20261120T140000Z" in found
    assert {"STATUS:CANCELLED", "TRANSP:TRANSPARENT"} <= set(found)
