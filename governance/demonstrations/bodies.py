"""The other bodies of the demonstration foundation, and what its people declared."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from governance.actions.affiliation import declare_affiliation
from governance.actions.body import dissolve_body, make_seats, save_body
from governance.actions.declaration import end_declaration
from governance.actions.interest import declare_interest
from governance.actions.seat import end_term, seat_person
from governance.models import Affiliation, Body, Interest, Seat, SeatTerm
from portal.accounts.demonstration import person
from portal.accounts.models import User
from portal.members.models import Organisation

INTERIM_FROM, INTERIM_UNTIL = date(2012, 11, 5), date(2013, 2, 1)
RESIGNED_AFTER = timedelta(days=20)
Relation, Kind, Audience = Affiliation.Relation, Interest.Kind, Interest.Audience

BODIES: list[dict[str, Any]] = [
    {
        "slug": "interim-board",
        "name": "Interim board",
        "kind": Body.Kind.BOARD,
        "purpose": "Founded the foundation and held the first election.",
        "since": INTERIM_FROM,
        "position": 15,
    },
    {
        "slug": "finance-committee",
        "name": "Finance committee",
        "kind": Body.Kind.COMMITTEE,
        "purpose": "Prepares the budget, reads the books every quarter, reports to the board.",
        "since": date(2014, 5, 1),
        "position": 30,
    },
    {
        "slug": "advisory-list",
        "name": "Advisory list",
        "kind": Body.Kind.ADVISORY,
        "purpose": "Open to commercial members; hears of plans first and says what it thinks.",
        "since": date(2013, 2, 1),
        "position": 40,
    },
    {
        "slug": "contributors",
        "name": "Contributors",
        "kind": Body.Kind.MEMBERSHIP,
        "constituency": Body.Constituency.CONTRIBUTORS,
        "purpose": "People who are members by what they did. They elect half of the board.",
        "since": date(2013, 2, 1),
        "position": 50,
    },
    {
        "slug": "corporate-members",
        "name": "Corporate members",
        "kind": Body.Kind.MEMBERSHIP,
        "constituency": Body.Constituency.MEMBERS,
        "purpose": "One vote each, whatever they pay. They elect half of the board.",
        "since": date(2013, 2, 1),
        "position": 60,
    },
    {
        "slug": "office",
        "name": "Foundation office",
        "kind": Body.Kind.STAFF,
        "purpose": "Employed by the foundation; carries out what the board decides.",
        "since": date(2013, 6, 1),
        "position": 70,
    },
]


@dataclass(frozen=True)
class Sitting:
    """Who holds a seat of one of these bodies since when; an office has no vote."""

    body: str
    name: str
    since: date
    office: str = ""
    title: str = ""
    entry: SeatTerm.Entry = SeatTerm.Entry.APPOINTED


SITTINGS = [
    Sitting("interim-board", "Rosa Lindt", INTERIM_FROM, entry=SeatTerm.Entry.INTERIM),
    Sitting("interim-board", "Timo Aalto", INTERIM_FROM, entry=SeatTerm.Entry.INTERIM),
    Sitting("interim-board", "Vera Klein", INTERIM_FROM, entry=SeatTerm.Entry.INTERIM),
    Sitting("finance-committee", "Mira Solano", date(2024, 5, 1)),
    Sitting("finance-committee", "Kemi Adeyemi", date(2025, 5, 1)),
    Sitting("finance-committee", "Lena Sorensen", date(2024, 5, 1)),
    Sitting("finance-committee", "Mira Solano", date(2025, 5, 1), office=Seat.Office.CHAIR),
    Sitting(
        "finance-committee",
        "Erin Vasquez",
        date(2024, 5, 1),
        office=Seat.Office.ADVISER,
        title="Treasurer",
    ),
    Sitting("office", "Frank Moreau", date(2019, 9, 1), office=Seat.Office.EXECUTIVE),
    Sitting(
        "office",
        "Heidi Brandt",
        date(2022, 4, 1),
        office=Seat.Office.EMPLOYEE,
        title="Editor and events",
    ),
]


@dataclass(frozen=True)
class Work:
    name: str
    organisation: str
    since: date
    until: date | None = None
    relation: Affiliation.Relation = Relation.EMPLOYEE


WORK = [
    Work("Bob Okafor", "Tessera Systems", date(2016, 2, 1), date(2022, 6, 12)),
    Work("Bob Okafor", "Halyard Cloud", date(2022, 6, 12)),
    Work("Ines Duarte", "", date(2023, 3, 1), relation=Relation.INDEPENDENT),
    Work("Hiro Tanaka", "", date(2021, 1, 11), relation=Relation.INDEPENDENT),
    Work("Hiro Tanaka", "Example Standards Body", date(2024, 4, 1), relation=Relation.BOARD),
    Work("Jonas Weber", "Northwind Data", date(2019, 2, 3)),
    Work("Lena Sorensen", "Cobalt Hosting", date(2021, 9, 1), relation=Relation.OWNER),
    Work("Mira Solano", "Tessera Systems", date(2018, 10, 1)),
    Work("Pavel Novak", "Halyard Cloud", date(2020, 1, 7)),
    Work("Olga Marin", "Northwind Data", date(2023, 8, 15), relation=Relation.CONTRACTOR),
]
INTERESTS: list[tuple[str, dict[str, Any]]] = [
    (
        "Bob Okafor",
        {
            "kind": Kind.SHARES,
            "what": "Holds shares of Halyard Cloud, which sells hosted builds.",
            "audience": Audience.PUBLIC,
            "since": date(2022, 6, 12),
        },
    ),
    (
        "Mira Solano",
        {
            "kind": Kind.CONTRACT,
            "what": "Tessera Systems sells the hardware modules that keep signing keys.",
            "audience": Audience.PUBLIC,
            "since": date(2024, 3, 1),
        },
    ),
    (
        "Lena Sorensen",
        {
            "kind": Kind.FAMILY,
            "what": "A sister works for the auditor that the board may choose.",
            "audience": Audience.BODY,
            "since": date(2025, 1, 20),
        },
    ),
    (
        "Kemi Adeyemi",
        {
            "kind": Kind.POSITION,
            "what": "Board of a conference that asks the foundation for sponsorship.",
            "audience": Audience.PUBLIC,
            "since": date(2023, 5, 2),
            "until": date(2025, 5, 2),
        },
    ),
]


def load(*, actor: User | None, at: datetime) -> None:
    """After the board and the council; once."""
    if Body.objects.filter(slug=BODIES[0]["slug"]).exists():
        return
    bodies = {each["slug"]: save_body(actor=actor, body=Body(**each)) for each in BODIES}
    _attach(actor, bodies["finance-committee"])
    for sitting in SITTINGS:
        _sit(actor, bodies[sitting.body], sitting)
    dissolve_body(actor=actor, body=bodies["interim-board"], on=INTERIM_UNTIL)
    _resign(actor, at)
    for work in WORK:
        _work(work)
    for name, interest in INTERESTS:
        declare_interest(actor=person(name), user=person(name), **interest)


def _attach(actor: User | None, committee: Body) -> None:
    committee.parent = Body.objects.get(slug="board")
    save_body(actor=actor, body=committee)


def _sit(actor: User | None, body: Body, sitting: Sitting) -> None:
    like = Seat(
        body=body,
        is_voting=not sitting.office,
        office=sitting.office,
        title=sitting.title,
        since=body.since,
    )
    [seat] = make_seats(actor=actor, seat=like, count=1)
    seat_person(
        actor=actor,
        seat=seat,
        user=person(sitting.name),
        since=sitting.since,
        entry=sitting.entry,
    )


def _resign(actor: User | None, at: datetime) -> None:
    """The vacant seat of the board: its holder resigned soon after the second term began."""
    seat = Seat.objects.get(body__slug="board", number=8)
    before = seat.terms.select_related("user").latest("since")
    begins = before.until or at.date()
    term = seat_person(
        actor=actor,
        seat=seat,
        user=before.user,
        since=begins,
        until=seat.full_term(begins),
        affiliation=before.affiliation,
        entry=SeatTerm.Entry.ELECTED,
    )
    resigned = begins + RESIGNED_AFTER
    end_term(actor=actor, term=term, on=resigned, ending=SeatTerm.Ending.RESIGNED)


def _work(work: Work) -> None:
    user = person(work.name)
    declared = declare_affiliation(
        actor=user,
        user=user,
        relation=work.relation,
        name=work.organisation,
        organisation=Organisation.objects.filter(name=work.organisation).first(),
        since=work.since,
    )
    if work.until is not None:
        end_declaration(actor=user, declaration=declared, on=work.until)
