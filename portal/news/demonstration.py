"""What the demonstration foundation has announced."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from portal.accounts.models import User
from portal.news.actions.announcement import write_announcement
from portal.news.models import Announcement


@dataclass(frozen=True)
class Text:
    """An announcement and how long before the first start it was published."""

    slug: str
    days_ago: int
    title: str
    summary: str
    body: str


TEXTS = [
    Text(
        "exampledb-12-3-alpha",
        3,
        "ExampleDB 12.3 alpha is ready for testing",
        "Vector indexes on disk, and a planner that explains what it threw away.",
        """\
The first public build of the 12.3 series shows where it is going. Formats on disk may still
change, so try it on a copy and never on the only one.

## What to look at

- Vector indexes may live on disk, up to 16,000 dimensions.
- `EXPLAIN REJECTED` prints the plans that were not taken, with their cost.
- Parallel replication keeps commit order with half the waits.

## How to help

Install it from the [signed repository](/repositories/), switch feedback on, and report what
breaks. The configuration that you need is two files long.
""",
    ),
    Text(
        "third-quarter-in-numbers",
        19,
        "The third quarter in numbers",
        "Income 412,000 €, spending 371,500 €, eleven releases, four resolutions.",
        """\
The board publishes what came in and what it was spent on, every quarter, line by line.

| Part | planned | actual |
|---|---|---|
| Income, € | 395,000 | 412,000 |
| Builds and mirrors, € | 148,000 | 151,200 |
| Developers, € | 180,000 | 176,300 |
| Meetings, € | 50,000 | 44,000 |

Eleven releases were published in three series, and four [resolutions](/governance/motions/)
were adopted.
""",
    ),
    Text(
        "two-mirrors-in-south-america",
        31,
        "Two mirrors in South America",
        "Downloads from Brazil and Chile no longer cross an ocean.",
        """\
Two operators in São Paulo and Santiago mirror every repository since this week. Nothing
changes for those who use the repository configuration: the nearest healthy mirror is chosen
when an address of ours is asked.

Who wants to run another one finds the size and the terms with the
[supporters](/supporters/).
""",
    ),
    Text(
        "bylaws-are-discussed-in-public",
        74,
        "Bylaws are discussed in public",
        "Every proposal stands two weeks for comments before anybody votes on it.",
        """\
From now on a proposal to change the bylaws is published with the difference to what is in
force, and stays open for two weeks. Everybody reads, members comment clause by clause, and
the vote pins the text that was discussed.
""",
    ),
]


def load(*, actor: User, at: datetime) -> None:
    """Four announcements of the last quarter."""
    for text in TEXTS:
        if not Announcement.objects.filter(slug=text.slug).exists():
            write_announcement(
                actor=actor,
                slug=text.slug,
                title=text.title,
                summary=text.summary,
                body=text.body,
                published_at=at - timedelta(days=text.days_ago),
            )
