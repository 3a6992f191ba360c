"""Sealed elections of the demonstration: one that is counted, and one in which votes are taken.

The counted one was closed before the demonstration began, so that its ballots never were in the box
of this installation; they are made as browsers make them, and anybody can count its bundle again.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.db import models, transaction

from governance.actions.credential import note_issued
from governance.actions.election import ContestPlan
from governance.actions.election_count import count_parts
from governance.demonstrations.ceremony import Ceremony, voter
from governance.demonstrations.electing import announced
from governance.demonstrations.texts import JONAS, LENA
from governance.elections import offices
from governance.elections.compose import OfficeKeys
from governance.models import Election, RollEntry, Seat, SeatTerm
from governance.offices.asking import OfficeUnavailableError
from governance.sealed import blind, board, manifest, wire
from governance.sealed.ballot import Ballot
from portal.accounts.demonstration import ALICE, BOB, DANA, ERIN, GRACE, HEIDI, person
from portal.accounts.models import User
from portal.members.actions.nomination import Case, approve_nomination
from portal.members.actions.nomination import nominate as propose
from portal.members.models import Contributor

DAY = timedelta(days=1)
Registrar = dict[str, rsa.RSAPrivateKey]  # by contest
COUNTED, OPEN = "board-odd-years", "council-seats"
MEMBERS_SINCE = 150 * DAY
BLANK = 3  # the place on the rolls of who takes part and prefers nobody
WORK = "Sends patches and reviews those of others, for years."
NAMES = (
    *("Aiko Mori", "Bram Visser", "Chidi Eze", "Daria Kos", "Elif Demir", "Finn Larsen"),
    *("Gita Rao", "Hugo Silva", "Ivana Babic", "Jun Park", "Karim Haddad", "Lucia Conti"),
    *("Mateo Ruiz", "Nadia Karim", "Oskar Lind", "Petra Novak", "Quentin Roy", "Rosa Meyer"),
)
ABOUT_BOARD = (
    "Four seats of the board begin anew: two that contributors fill, and two of the corporate "
    "members. Who is elected begins when the terms of those who sit there now end."
)
ABOUT_COUNCIL = (
    "The council decides what is released and for how long it is supported. Contributors elect "
    "three of its members; whoever votes ranks as many candidates as they want."
)
CANDIDATES = {  # by constituency, with their employers
    "contributors": {
        "Aiko Mori": "Northwind Data",
        "Bram Visser": "Halyard Cloud",
        "Chidi Eze": "Independent",
        "Daria Kos": "Independent",
        "Elif Demir": "Northwind Data",
    },
    "members": {
        JONAS: "Northwind Data",
        LENA: "Cobalt Hosting",
        "Nils Dekker": "Polder Storage",
        "Tara Quinn": "Redstart Payments",
    },
}


def load_more(*, actor: User, at: datetime) -> Iterator[str]:
    """Contributors who vote, and both elections; loaded again it changes nothing."""
    for name in (*NAMES, DANA):
        _welcome(actor, name, at - MEMBERS_SINCE)
    yield f"contributors who vote: {len(NAMES) + 1}"
    if not Election.objects.filter(name=COUNTED).exists():
        yield _counted(actor, at)
    if not Election.objects.filter(name=OPEN).exists():
        yield _open(actor, at)


def _welcome(actor: User, name: str, at: datetime) -> None:
    """A contributor who proposed themselves."""
    user = person(name)
    if Contributor.objects.filter(email=user.email).exists():
        return
    case = Case(name, user.email, WORK, [f"https://code.example/{name.split()[0].lower()}"])
    nomination = propose(actor=user, case=case, at=at)
    approve_nomination(actor=actor, nomination=nomination, until=at + 700 * DAY, at=at)


@transaction.atomic
def _counted(actor: User, at: datetime) -> str:
    election = announced(
        actor,
        at - 2 * DAY,
        body="board",
        people=CANDIDATES,
        name=COUNTED,
        title="Election of the board: seats of odd years",
        about=ABOUT_BOARD,
        term_begins_on=_odd_terms().aggregate(end=models.Max("until"))["end"],
        contests=[_odd_years(constituency) for constituency in CANDIDATES],
    )
    held = _keys_held(actor, election, election.opens_at - DAY)
    registrar = {
        contest.id_on_the_board: rsa.generate_private_key(65537, manifest.MODULUS)
        for contest in election.contests.all()
    }
    box = Ed25519PrivateKey.generate()
    held.sign(_public(registrar, box))
    ballots = _cast(election, registrar)
    sha = election.manifest_sha256
    block = board.first_block(election.name, sha, [each.digest for each in ballots], box)
    Election.objects.filter(pk=election.pk).update(
        state=Election.State.CLOSED, closed_at=election.closes_at, handed_over_at=held.at
    )
    held.tell(at=election.closes_at)
    election.refresh_from_db()
    issued: dict[str, list[int]] = defaultdict(list)
    for entry in _entries(election).filter(credential__isnull=False):
        issued[entry.contest.id_on_the_board].append(entry.number or 0)
    lines = [wire.write_ballot(each) for each in sorted(ballots, key=lambda one: one.digest)]
    count_parts(
        election, issued, [wire.write_block(block)], lines, at=election.closes_at + DAY / 24
    )
    return f"an election that is counted: {len(ballots)} ballots"


def _open(actor: User, at: datetime) -> str:
    """Needs registrar and box; where they do not answer it is left out until they do."""
    registrar, box = offices.registrar(), offices.ballot_box()
    try:
        box.ping()
        registrar.ping()
    except OfficeUnavailableError as error:
        return f"no open election: {error}"
    with transaction.atomic():
        election = announced(
            actor,
            at + 13 * DAY,
            body="council",
            people=CANDIDATES,
            name=OPEN,
            title="Election of the engineering council",
            about=ABOUT_COUNCIL,
            contests=[ContestPlan({"constituency": "contributors", "places": 3})],
        )
        held = _keys_held(actor, election, election.opens_at - DAY)
        held.freeze(registrar, box)
    return "an election in which votes are taken"


def _odd_terms() -> models.QuerySet[SeatTerm]:
    return SeatTerm.objects.filter(seat__body__slug="board", seat__cohort="odd years")


def _odd_years(constituency: str) -> ContestPlan:
    """Half of the board: two of its seats for each constituency."""
    seats = Seat.objects.filter(body__slug="board", constituency=constituency, cohort="odd years")
    fields = {
        "constituency": constituency,
        "places": seats.count(),
        "quorum_percent": 25,
        "most_of_one_affiliation": 1,
    }
    return ContestPlan(fields, list(seats))


def _keys_held(actor: User, election: Election, at: datetime) -> Ceremony:
    held = Ceremony(
        election,
        actor,
        scrutineers=[person(name) for name in (ALICE, BOB, HEIDI)],
        officers=[person(name) for name in (ERIN, GRACE)],
        at=at,
    )
    held.make_keys()
    held.split()
    return held


def _public(registrar: Registrar, box: Ed25519PrivateKey) -> OfficeKeys:
    der, spki = Encoding.DER, PublicFormat.SubjectPublicKeyInfo
    raw = box.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    keys = {name: key.public_key().public_bytes(der, spki) for name, key in registrar.items()}
    return OfficeKeys(raw, keys)


def _cast(election: Election, registrar: Registrar) -> list[Ballot]:
    """Most vote, some change their vote, one votes blank; the same people each time."""
    chance = random.Random(election.name)  # noqa: S311 - a demonstration, not a secret
    ballots: list[Ballot] = []
    for place, entry in enumerate(_entries(election)):
        if place != BLANK and chance.random() < 0.2:
            continue
        key = registrar[entry.contest.id_on_the_board]
        own = voter(entry, partial(blind.sign, key))
        note_issued(entry)
        candidates = range(len(own.manifest.contest(entry.contest.id_on_the_board).candidates))
        liked = sorted(candidates, key=lambda one: chance.random() + one * 0.15)
        chosen = 0 if place == BLANK else chance.randint(1, len(liked))
        ballots.append(own.ballot(*liked[:chosen]))
        if chance.random() < 0.15:
            ballots.append(own.ballot(*liked[::-1]))
    return ballots


def _entries(election: Election) -> models.QuerySet[RollEntry]:
    found = RollEntry.objects.standing().filter(contest__election=election)
    return found.select_related("contest__election", "voter")
