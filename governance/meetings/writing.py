"""From the record of a meeting to its Markdown: one form, so that a hash stands for it; pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, time

from governance.meetings.document import Document, Filed, Item, Person, Task
from governance.meetings.lines import TASKS, plain, tidy

PEOPLE = ("Name", "Seat", "Attendance", "Arrived", "Left")
OUTSIDE = "Outside"
CONSENTS = ("Resolution", "Decided", "Effective", "SHA-256 of the text")


def write(document: Document) -> str:
    """The whole document, ending with a line end."""
    blocks = [f"# {plain(document.title)}", _facts(document)]
    blocks += _attendance(document)
    blocks += _table("Written consents", CONSENTS, map(_filed, document.consents))
    for number, item in enumerate(document.items, start=1):
        blocks += _item(number, item)
    return _joined(blocks)


def section(number: int, item: Item) -> str:
    """One point as it stands in the document, ending with a line end."""
    return _joined(_item(number, item))


def _joined(blocks: Iterable[str]) -> str:
    return "\n\n".join(block for block in blocks if block) + "\n"


def _facts(document: Document) -> str:
    return _bullets(
        [
            ("Body", plain(document.body)),
            ("Begins", _moment(document.begins)),
            ("Ends", _moment(document.ends)),
            ("Place", plain(document.place)),
            ("Called to order", _clock(document.opened)),
            ("Adjourned", _clock(document.closed)),
        ]
    )


def _table(title: str, columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    found = list(rows)
    if found:
        lines = [columns, ("---",) * len(columns), *found]
        yield f"## {title}"
        yield "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _attendance(document: Document) -> Iterator[str]:
    """With a column for who was outside meanwhile, if anybody was."""
    if not document.somebody_was_outside:
        return _table("Attendance", PEOPLE, map(_person, document.people))
    rows = ((*_person(person), outside(person.outside)) for person in document.people)
    return _table("Attendance", (*PEOPLE, OUTSIDE), rows)


def _person(person: Person) -> tuple[str, ...]:
    times = (_clock(person.arrived), _clock(person.left))
    return (plain(person.name), plain(person.seat), person.kind.value, *times)


def outside(spans: Iterable[tuple[time, time]]) -> str:
    """`14:20–14:40, 15:00–15:05`."""
    return ", ".join(f"{left:%H:%M}–{back:%H:%M}" for left, back in spans)


def _filed(consent: Filed) -> tuple[str, ...]:
    effective = _moment(consent.effective)
    return (plain(consent.resolution), plain(consent.title), effective, plain(consent.text_sha256))


def _item(number: int, item: Item) -> Iterator[str]:
    yield f"## {number}. {plain(item.title)}"
    yield _bullets(
        [
            ("About", plain(item.about)),
            ("Motion", plain(item.motion)),
            ("Presented by", plain(item.presenter)),
            ("Minutes", str(item.minutes) if item.minutes else ""),
            ("Session", "closed" if item.is_closed else ""),
            ("Salt", item.salt),
            ("Sealed", item.sealed),
            ("Result", plain(item.result)),
        ]
    )
    yield tidy(item.text)
    if item.tasks:
        yield TASKS
        yield "\n".join(map(_task, item.tasks))


def _task(task: Task) -> str:
    mark = "x" if task.is_done else " "
    due = f" (due {task.due.isoformat()})" if task.due else ""
    return f"- [{mark}] **{plain(task.owner)}**{due}: {plain(task.text)}"


def _bullets(pairs: list[tuple[str, str]]) -> str:
    return "\n".join(f"- {name}: {value}" for name, value in pairs if value)


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def _clock(clock: time | None) -> str:
    return f"{clock:%H:%M}" if clock else ""
