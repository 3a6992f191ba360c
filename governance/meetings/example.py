"""A short record, to show how one is written; pure."""

from datetime import UTC, date, datetime, time, timedelta

from governance.meetings.document import Document, Item, Kind, Person, Task
from governance.meetings.writing import write

BEGINS = datetime(2026, 11, 20, 14, tzinfo=UTC)


def example() -> str:
    return write(
        Document(
            title="Board meeting",
            body="board",
            begins=BEGINS,
            ends=BEGINS + timedelta(minutes=90),
            place="Online",
            opened=time(14, 3),
            closed=time(15, 20),
            people=(
                Person("Ada Example", "seat 1, Chair"),
                Person("Bob Example", "seat 2", Kind.PRESENT, time(14, 10)),
                Person("Cyd Example", "seat 3", Kind.EXCUSED),
            ),
            items=(
                Item("Opening", text="The chair opens the meeting; there is a quorum."),
                Item(
                    "Budget of the next year",
                    about="The draft of the treasurer.",
                    minutes=20,
                    text="Two questions were asked and answered.",
                    tasks=(Task("Bob Example", "Publish the budget", date(2026, 12, 1)),),
                ),
            ),
        )
    )
