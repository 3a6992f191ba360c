"""The words of the demonstration's announcements; days count back from its first load."""

from dataclasses import replace
from typing import Final

from portal.news.actions.announcement import Text
from portal.news.models import Kind

ALPHA: Final = Text(
    kind=Kind.RELEASE,
    slug="exampledb-12-3-alpha",
    title="ExampleDB 12.3 alpha is ready for testing",
    summary="Vector indexes on disk, and a planner that explains what it threw away.",
    byline="Dana Petrova",
    body="""\
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
)
MIRRORS: Final = Text(
    slug="two-mirrors-in-south-america",
    title="Two mirrors in South America",
    summary="Downloads from Brazil and Chile no longer cross an ocean.",
    byline="Heidi Brandt",
    body="""\
Two operators in São Paulo and Santiago mirror every repository since this week. Nothing
changes for those who use the repository configuration: the nearest healthy mirror is chosen
when an address of ours is asked.

Who wants to run another one finds the size and the terms with the
[supporters](/supporters/).
""",
)
BYLAWS: Final = Text(
    slug="bylaws-are-discussed-in-public",
    title="Bylaws are discussed in public",
    summary="Every proposal stands two weeks for comments before anybody votes on it.",
    byline="The board",
    body="""\
From now on a proposal to change the bylaws is published with the difference to what is in
force, and stays open for two weeks. Everybody reads, members comment clause by clause, and
the vote pins the text that was discussed.
""",
)
COUNCIL: Final = Text(
    slug="the-council-meets-in-lisbon",
    title="The engineering council meets in Lisbon",
    summary="Two days on replication and storage, open to everybody who builds on ExampleDB.",
    byline="The engineering council",
    body="""\
The council meets for two days and keeps the second one open. Bring what you measured:

1. **Replication** across regions, and what a commit may cost.
2. **Storage**: which formats on disk we promise to read in ten years.
3. **Tests**: what the [benchmarks](/benchmarks/) do not show yet.

> A talk is not needed. A question that nobody has answered is.

Travel of contributors is paid for as far as the money of the quarter goes; write before you
book.
""",
)
WITHDRAWN: Final = Text(
    slug="annual-meeting-in-november",
    title="The annual meeting is in November",
    summary="Members meet online, with the accounts and the elections on the agenda.",
    byline="Heidi Brandt",
    body="Members meet online on the third Thursday of November.\n",
)
SCHEDULED: Final = Text(
    slug="conference-speakers",
    title="The speakers of the conference are chosen",
    summary="Thirty talks in two tracks, and half of the speakers are there for the first time.",
    byline="The programme committee",
    body="""\
The committee read 212 proposals without names. Thirty were chosen; the programme with hours and
rooms follows in a week.
""",
)
DRAFT: Final = Text(
    slug="who-runs-our-builds",
    title="Who runs our builds",
    summary="Eleven machines in three countries build and test every change, paid by supporters.",
    byline="Heidi Brandt",
    body="""\
Every change to ExampleDB is built on eleven machines in three countries before anybody reviews
it. Two of them are new this autumn, both paid by [supporters](/supporters/).

## What they do all day

- 38 combinations of system and processor
- 21,000 tests for each of them
- a signed repository at the end of the night
""",
)
WRONG: Final = replace(
    DRAFT,
    summary="Nine machines build and test every change.",
    body="Every change to ExampleDB is built on nine machines before anybody reviews it.\n",
)
PUBLISHED: Final = [(3, ALPHA), (19, COUNCIL), (31, MIRRORS), (74, BYLAWS)]
