"""What was spoken of in the meetings of a year; days count back from the first day."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    title: str
    record: str = ""
    about: str = ""
    is_closed: bool = False
    task: str = ""  # what was taken on
    owner: str = ""
    due: int = 0  # days after the meeting
    is_done: bool = True


@dataclass(frozen=True)
class Gathering:
    """A meeting. `excused` counts the roll from its end; `late` is minutes of the second on it;
    `outside` names who left the room meanwhile, and from which minute to which.
    """

    body: str
    title: str
    days: int
    points: tuple[Point, ...]
    place: str = "Online"
    is_open: bool = False
    excused: int = 0
    late: int = 0
    outside: tuple[str, int, int] | None = None
    approval: str = "approved"  # approved, submitted, draft, coming, planned, cancelled
    correction: str = ""
    cancelled_because: str = ""


OPENING = Point("Opening, attendance and quorum", "The chair opens the meeting; there is a quorum.")
BOARD, COUNCIL = "Board meeting", "Council meeting"

YEAR = [
    Gathering(
        "board",
        BOARD,
        355,
        (
            OPENING,
            Point(
                "Accounts of the year",
                "The treasurer presents income and spending; the auditor has no remarks.\n\n"
                "- Income from members rose by a tenth.\n- The reserve covers seven months.",
                about="Income and spending, and what the auditor found.",
                task="Publish the accounts with the report of the quarter",
                owner="Erin Vasquez",
                due=21,
            ),
            Point("Any other business", "None."),
        ),
    ),
    Gathering(
        "board",
        BOARD,
        285,
        (
            OPENING,
            Point(
                "General meeting",
                "Three towns were looked at. The office asks each for an offer.",
                about="Where and when the members meet.",
                task="Bring the offers of three towns",
                owner="Frank Moreau",
                due=40,
            ),
            Point(
                "Staff",
                "The salary of the office is raised by 3 % from the next month on.",
                is_closed=True,
            ),
        ),
        excused=1,
    ),
    Gathering(
        "board",
        BOARD,
        225,
        (
            OPENING,
            Point(
                "Trade marks",
                "Two products use the name without a licence. Counsel writes to both first.",
                about="Two uses of the name that were reported.",
                task="Write to both makers",
                owner="Ines Duarte",
                due=10,
            ),
        ),
        late=20,
        is_open=True,
        correction="The second maker was named wrongly.",
    ),
    Gathering(
        "council",
        COUNCIL,
        120,
        (
            OPENING,
            Point(
                "Long-term series",
                "Two or three at a time? Three cost a person. The question goes to a vote.",
                about="How many are supported at once.",
            ),
        ),
        excused=1,
    ),
    Gathering(
        "board",
        BOARD,
        100,
        (
            OPENING,
            Point(
                "General meeting",
                "Online or in a hall: opinions differ. A motion will be written.",
                task="Write the motion on the general meeting",
                owner="Lena Sorensen",
                due=7,
            ),
            Point(
                "Insurance of directors",
                "The treasurer brings two offers to the next meeting.",
                task="Bring two offers for an insurance of directors",
                owner="Erin Vasquez",
                due=50,
                is_done=False,
            ),
        ),
        excused=1,
        late=10,
    ),
    Gathering(
        "board",
        BOARD,
        65,
        (OPENING, Point("Summer report", "No remarks.")),
        approval="cancelled",
        cancelled_because="Four directors are travelling; the points move to the next meeting.",
    ),
    Gathering(
        "board",
        BOARD,
        40,
        (
            OPENING,
            Point(
                "Signing key",
                "Hiro explains how a hardware module would change a release.\n\n"
                "| Offer | Each | Delivery |\n|---|---|---|\n"
                "| first | 410 | in stock |\n| second | 465 | two weeks |\n\n"
                "Mira, whose employer sells such modules, is outside meanwhile.\n\n"
                "Two offers are enough; a motion follows.",
                about="Where the key of the repositories is kept.",
                task="Write the motion on the hardware module",
                owner="Hiro Tanaka",
                due=14,
            ),
            Point(
                "Translations of the site",
                "Six volunteers were found. The office looks for a reader for each language.",
                task="Find a reader for each language",
                owner="Frank Moreau",
                due=90,
                is_done=False,
            ),
        ),
        late=15,
        outside=("Mira Solano", 22, 41),
    ),
    Gathering(
        "council",
        COUNCIL,
        30,
        (
            OPENING,
            Point(
                "State of the next series",
                "Nine of eleven goals are reached; two wait for review.",
                task="Review the two that wait",
                owner="Pavel Novak",
                due=21,
                is_done=False,
            ),
        ),
        approval="submitted",
    ),
    Gathering(
        "board",
        BOARD,
        6,
        (
            OPENING,
            Point(
                "Budget of the next year",
                "Jonas presents the draft. Questions about grants are answered; the motion goes to"
                " a vote in writing.",
                about="Income, spending and the reserve.",
                task="Send the draft of the budget to the members",
                owner="Jonas Weber",
                due=20,
                is_done=False,
            ),
        ),
        excused=1,
        approval="draft",
    ),
    Gathering("board", BOARD, -12, (OPENING,), is_open=True, approval="coming"),
    Gathering("council", COUNCIL, -25, (OPENING,), approval="coming"),
    Gathering("board", "Winter meeting", -68, (OPENING,), "Riga, hall 2", approval="planned"),
]
