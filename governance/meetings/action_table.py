"""Action items as rows of a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from governance.models import ActionItem

COLUMNS = (
    "what",
    "who",
    "due",
    "state",
    "days_overdue",
    "done",
    "dropped_because",
    "body",
    "meeting",
)


def table(items: Iterable[ActionItem], on: date) -> Iterator[tuple[object, ...]]:
    """A head, then a row for each."""
    yield COLUMNS
    for item in items:
        yield (
            item.text,
            item.owner_name,
            item.due or "",
            item.state(on).value,
            item.days_overdue(on) or "",
            item.done_at.date() if item.done_at else "",
            item.dropped_because,
            item.meeting.body.slug,
            item.meeting.slug,
        )
