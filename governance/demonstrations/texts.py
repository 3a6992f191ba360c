"""Who sits where in the demonstration foundation, and what its bodies were asked."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any

BODIES: dict[str, dict[str, Any]] = {
    "board": {
        "name": "Board",
        "kind": "board",
        "purpose": "Eight voting seats. Contributors elect four, corporate members elect four.",
        "position": 10,
    },
    "council": {
        "name": "Engineering council",
        "kind": "council",
        "purpose": "Decides what is released, how long it is supported and who may commit.",
        "position": 20,
    },
}

_CLAUSES = {
    "seats_clause": "Bylaw 4.1",
    "quorum_clause": "Bylaw 5.2",
    "pass_clause": "Bylaw 5.4",
    "tie_clause": "Bylaw 5.5",
    "recusal_clause": "Bylaw 5.6",
    "opening_clause": "Bylaw 5.1",
}
_EMPLOYERS_AND_VACANCIES = {
    "cap_share": "third",
    "cap_clause": "Bylaw 4.2",
    "vacancy_filled_by": "same_class",
    "vacancy_clause": "Bylaw 4.4",
    "consent": "unanimous",
    "consent_clause": "Bylaw 5.7",
}
RULES: list[tuple[str, dict[str, Any]]] = [
    (
        "board",
        {
            "subject": "ordinary",
            "name": "Ordinary decisions",
            "since": date(2013, 2, 1),
            "note": "The rules the foundation began with.",
            "quorum": "two_thirds",
            "cap_share": "half",
            "cap_clause": "Bylaw 4.2",
            **_CLAUSES,
        },
    ),
    (
        "board",
        {
            "subject": "ordinary",
            "name": "Ordinary decisions",
            "since": date(2019, 3, 1),
            "note": "After two meetings without a quorum: more than half is one. Votes run three "
            "days, and the chair breaks a tie.",
            "tie": "casting_vote",
            "minimum_hours": 72,
            "cap_share": "third",
            "cap_clause": "Bylaw 4.2",
            "vacancy_filled_by": "same_class",
            "vacancy_term": "rest_of_term",
            "vacancy_days": 90,
            "vacancy_clause": "Bylaw 4.6",
            "meeting_notice_days": 14,
            **_CLAUSES,
            **_EMPLOYERS_AND_VACANCIES,
        },
    ),
    (
        "board",
        {
            "subject": "bylaws",
            "name": "Bylaw changes",
            "since": date(2013, 2, 1),
            "quorum": "two_thirds",
            "pass_base": "filled",
            "threshold": "two_thirds",
            "minimum_hours": 168,
            "public_discussion_days": 14,
            "change_clause": "Bylaw 11.1",
            **_CLAUSES,
            "pass_clause": "Bylaw 11.2",
            "quorum_clause": "Bylaw 11.1",
        },
    ),
    (
        "council",
        {
            "subject": "ordinary",
            "name": "Formal votes",
            "since": date(2013, 2, 1),
            "quorum_base": "filled",
            "quorum": "half",
            "pass_base": "cast",
            "threshold": "simple",
            "early_close": True,
            "minimum_hours": 24,
            "seats_clause": "Charter 2",
            "quorum_clause": "Charter 5",
            "pass_clause": "Charter 6",
            "tie_clause": "Charter 6",
            "recusal_clause": "Charter 7",
            "opening_clause": "Charter 4",
        },
    ),
]


@dataclass(frozen=True)
class Sitting:
    """A seat and who holds it, or nobody. Years count from the year of the demonstration."""

    number: int
    constituency: str
    cohort: str
    name: str = ""
    affiliation: str = ""
    since: int = -1
    before: str = ""  # who held it for two years before that


BOARD_SEATS = [
    Sitting(1, "contributors", "odd years", "Ines Duarte", "Independent", -1, "Rosa Lindt"),
    Sitting(2, "contributors", "odd years", "Bob Okafor", "Halyard Cloud", -1, "Bob Okafor"),
    Sitting(3, "contributors", "even years", "Hiro Tanaka", "Independent", 0, "Timo Aalto"),
    Sitting(4, "contributors", "even years", "Kemi Adeyemi", "Independent", 0),
    Sitting(5, "members", "odd years", "Jonas Weber", "Northwind Data", -1, "Jonas Weber"),
    Sitting(6, "members", "odd years", "Lena Sorensen", "Cobalt Hosting", -1),
    Sitting(7, "members", "even years", "Mira Solano", "Tessera Systems", 0, "Vera Klein"),
    Sitting(8, "members", "even years", before="Uma Rao"),
]
COUNCIL_SEATS = [
    Sitting(1, "appointed", "", "Dana Petrova", "Independent", -1),
    Sitting(2, "appointed", "", "Hiro Tanaka", "Independent", -1),
    Sitting(3, "appointed", "", "Kemi Adeyemi", "Independent", -1),
    Sitting(4, "appointed", "", "Pavel Novak", "Halyard Cloud", -1),
    Sitting(5, "appointed", "", "Olga Marin", "Northwind Data", 0),
]


@dataclass(frozen=True)
class Office:
    number: int
    office: str
    name: str
    affiliation: str
    title: str = ""
    decided_by: str = ""


OFFICES = [
    Office(9, "chair", "Ines Duarte", "Independent"),
    Office(10, "treasurer", "Erin Vasquez", "Foundation office"),
    Office(
        11,
        "secretary",
        "Frank Moreau",
        "Foundation office",
        decided_by="Appoint Frank Moreau as secretary",
    ),
    Office(12, "counsel", "Noor Haddad", "Haddad & Brandt"),
    Office(13, "observer", "Dana Petrova", "Independent", title="Observer, engineering council"),
]


@dataclass(frozen=True)
class Question:
    """A motion; `votes` are in the order of their casting, a name may come twice."""

    body: str
    title: str
    summary: str
    text: str
    by: str
    second: str = ""
    subject: str = "ordinary"
    papers: str = ""
    bylaws: str = ""  # the file of their whole new text, if it changes them
    opened: int = 0  # days before the demonstration's first day; 0: still a draft
    days: int = 7
    votes: list[tuple[str, str]] = field(default_factory=list)
    reasons: dict[str, str] = field(default_factory=dict)


INES, BOB, HIRO, KEMI = "Ines Duarte", "Bob Okafor", "Hiro Tanaka", "Kemi Adeyemi"
JONAS, LENA, MIRA = "Jonas Weber", "Lena Sorensen", "Mira Solano"
DANA, PAVEL, OLGA = "Dana Petrova", "Pavel Novak", "Olga Marin"

MOTIONS = [
    Question(
        "board",
        "Appoint Frank Moreau as secretary",
        "The secretary keeps the minutes and the register of members.",
        "The board appoints Frank Moreau, of the foundation office, as its secretary.",
        by=INES,
        second=JONAS,
        opened=150,
        votes=[(name, "yes") for name in (INES, BOB, HIRO, KEMI, JONAS, LENA, MIRA)],
    ),
    Question(
        "board",
        "Limit how many directors one employer may send",
        "No organisation may employ more than a third of the directors; it was one half.",
        "",
        bylaws="foundation-3",
        by=BOB,
        second=KEMI,
        subject="bylaws",
        opened=120,
        days=14,
        votes=[
            *((name, "yes") for name in (BOB, KEMI, INES, HIRO, MIRA)),
            (JONAS, "no"),
            (LENA, "abstain"),
        ],
        reasons={JONAS: "One third of eight is two; a company that pays for four builds gets two."},
    ),
    Question(
        "council",
        "Support two long-term series at a time",
        "A new long-term series every second year, each supported for five years.",
        "Every second year a series is named long-term. It receives fixes for five years.",
        by=DANA,
        second=HIRO,
        opened=96,
        votes=[(DANA, "yes"), (HIRO, "yes"), (PAVEL, "no"), (KEMI, "yes")],
    ),
    Question(
        "board",
        "Hold the general meeting online only",
        "Saves the hall; takes the evening that follows it.",
        "The general meeting of next year is held online, without a hall.",
        by=LENA,
        second=JONAS,
        opened=88,
        days=4,
        votes=[(LENA, "yes"), (JONAS, "yes"), (INES, "no"), (BOB, "abstain")],
    ),
    Question(
        "board",
        "Publish nightly builds without a signature",
        "Nightly builds would appear an hour sooner, unsigned.",
        "Nightly builds are published without a signature, in a repository of their own.",
        by=JONAS,
        second=MIRA,
        opened=47,
        votes=[
            (JONAS, "yes"),
            (MIRA, "yes"),
            *((name, "no") for name in (INES, HIRO, KEMI, BOB)),
            (LENA, "abstain"),
        ],
        reasons={HIRO: "A build that nobody can check is a build that nobody should install."},
    ),
    Question(
        "board",
        "Keep the release key in a hardware module",
        "The key that signs every release moves from the release engineer’s machine into two"
        " hardware modules held by two officers.",
        """\
The board resolves that

1. the signing key of all repositories is generated in, and never leaves, a hardware security
   module;
2. two modules are kept, one with the chair and one with the secretary, in two countries;
3. a signature needs the approval of two persons for every stable release.
""",
        by=HIRO,
        second=BOB,
        papers="Offers: Cobalt Hosting 410 each; Fenwick 465 each, delivery in two weeks.",
        opened=16,
        votes=[
            (HIRO, "yes"),
            (BOB, "yes"),
            (LENA, "recuse"),
            (KEMI, "no"),
            (INES, "yes"),
            (KEMI, "abstain"),
            (MIRA, "yes"),
        ],
        reasons={LENA: "My employer, Cobalt Hosting, offered one of the modules."},
    ),
    Question(
        "board",
        "Accept the budget of the next year",
        "Income of 1,640,000, spending of 1,585,000, and a reserve for eight months.",
        """\
The board accepts the budget below and leaves its execution to the treasurer.

| Part | Share |
|---|---|
| Build and release | 38 % |
| Engineering grants | 31 % |
| Community and events | 14 % |
| Administration | 17 % |
""",
        by=JONAS,
        second=INES,
        papers="The draft of the auditor is with the treasurer.",
        opened=2,
        days=7,
        votes=[(INES, "yes"), (JONAS, "yes"), (KEMI, "abstain")],
    ),
    Question(
        "board",
        "Ask every mirror to answer over IPv6",
        "Mirrors that do not are listed below those that do, from the next summer.",
        "Mirrors are asked to answer over IPv6. From 1 July those that do are listed first.",
        by=BOB,
    ),
]
