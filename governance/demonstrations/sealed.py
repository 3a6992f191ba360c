"""Sealed elections of the demonstration: one that is counted, and one in which votes are taken.

The counted one was closed before the demonstration began, so that its ballots never were in the box
of this installation; they are made as browsers make them, and anybody can count its bundle again.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.db import models, transaction

from governance.actions.candidacy import nominate, second_nomination
from governance.actions.credential import note_issued
from governance.actions.election import ContestPlan, announce_election, draft_election
from governance.actions.election_count import count_parts
from governance.actions.roll import draw_roll
from governance.demonstrations.ceremony import Ceremony, voter
from governance.elections import offices
from governance.elections.compose import OfficeKeys
from governance.elections.enfranchised import askable
from governance.models import Body, Contest, Election, RollEntry
from governance.offices.asking import OfficeUnavailableError
from governance.sealed import blind, board, manifest, wire
from governance.sealed.ballot import Ballot
from portal.accounts.demonstration import ALICE, BOB, CHARLIE, DANA, ERIN, person
from portal.accounts.models import User
from portal.members.actions.nomination import Case, approve_nomination
from portal.members.actions.nomination import nominate as propose
from portal.members.models import Contributor

DAY = timedelta(days=1)
COUNTED, OPEN = "board-odd-years", "council-seats"
MEMBERS_SINCE = 150 * DAY
WORK = "Sends patches and reviews those of others, for years."
NAMES = (
    *("Aiko Mori", "Bram Visser", "Chidi Eze", "Daria Kos", "Elif Demir", "Finn Larsen"),
    *("Gita Rao", "Hugo Silva", "Ivana Babic", "Jun Park", "Karim Haddad", "Lucia Conti"),
    *("Mateo Ruiz", "Nadia Karim", "Oskar Lind", "Petra Novak", "Quentin Roy", "Rosa Meyer"),
)
STATEMENT = (
    "I have looked after a part of this project for some years. On the board I would publish what "
    "things cost, answer within a week, and leave after two terms."
)


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
    election = _announced(
        actor,
        at - 2 * DAY,
        name=COUNTED,
        title="Election of the board: seats of odd years",
        contests=[
            ContestPlan({"constituency": "contributors", "places": 2, "quorum_percent": 25}),
        ],
    )
    held = _keys_held(actor, election, election.opens_at - DAY)
    registrar = rsa.generate_private_key(65537, manifest.MODULUS)
    box = Ed25519PrivateKey.generate()
    held.sign(_public(election, registrar, box))
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
        election = _announced(
            actor,
            at + 13 * DAY,
            name=OPEN,
            title="Election of the engineering council",
            contests=[ContestPlan({"constituency": "contributors", "places": 3})],
        )
        held = _keys_held(actor, election, election.opens_at - DAY)
        held.freeze(registrar, box)
    return "an election in which votes are taken"


def _announced(
    actor: User, closes: datetime, *, name: str, title: str, contests: list[ContestPlan]
) -> Election:
    """With its candidates and its roll; voting was open for two weeks when it closes."""
    opens = closes.replace(hour=12, minute=0, second=0, microsecond=0) - 14 * DAY
    election = draft_election(
        actor=actor,
        election=Election(
            body=Body.objects.get(slug="board" if name == COUNTED else "council"),
            name=name,
            title=title,
            nominations_open_at=opens - 24 * DAY,
            nominations_close_at=opens - 2 * DAY,
            record_at=opens - 12 * DAY,
            objections_close_at=opens - 2 * DAY,
            opens_at=opens,
            closes_at=opens + 14 * DAY,
            complaints_close_at=opens + 21 * DAY,
        ),
        contests=contests,
        at=opens - 26 * DAY,
    )
    announce_election(actor=actor, election=election, at=opens - 25 * DAY)
    for contest in election.contests.all():
        _nominate(contest, opens - 20 * DAY)
    draw_roll(election_id=election.pk, at=opens - 12 * DAY)
    election.refresh_from_db()
    return election


def _nominate(contest: Contest, at: datetime) -> None:
    """Five stand, each seconded by another."""
    people = _voters(contest, at)
    employers = ("Northwind Data", "Halyard Cloud", "Independent", "Northwind Data", "Independent")
    for place, (user, employer) in enumerate(zip(people, employers, strict=False)):
        stands = nominate(
            actor=user,
            contest=contest,
            nominee=user,
            affiliation=employer,
            statement=STATEMENT,
            at=at,
        )
        second_nomination(actor=people[place - 1], candidacy=stands, at=at + DAY)


def _voters(contest: Contest, at: datetime) -> list[User]:
    """Who may vote in the constituency, by name."""

    found = [each.answer.voter for each in askable(contest, at) if each.answer.may_vote]
    return list(User.objects.filter(pk__in=[one for one in found if one]).order_by("name"))


def _keys_held(actor: User, election: Election, at: datetime) -> Ceremony:
    held = Ceremony(
        election,
        actor,
        scrutineers=[person(name) for name in (ALICE, BOB, CHARLIE)],
        officers=[person(name) for name in (DANA, ERIN)],
        at=at,
    )
    held.make_keys()
    held.split()
    return held


def _public(election: Election, registrar: rsa.RSAPrivateKey, box: Ed25519PrivateKey) -> OfficeKeys:
    der = registrar.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    raw = box.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    return OfficeKeys(raw, {one.id_on_the_board: der for one in election.contests.all()})


def _cast(election: Election, registrar: rsa.RSAPrivateKey) -> list[Ballot]:
    """Most vote, some change their vote, one votes blank; the same people each time."""
    chance = random.Random(election.name)  # noqa: S311 - a demonstration, not a secret
    ballots: list[Ballot] = []
    for place, entry in enumerate(_entries(election)):
        if chance.random() < 0.2:
            continue
        own = voter(entry, lambda blinded: blind.sign(registrar, blinded))
        note_issued(entry)
        candidates = range(len(own.manifest.contest(entry.contest.id_on_the_board).candidates))
        liked = sorted(candidates, key=lambda one: chance.random() + one * 0.15)
        ballots.append(own.ballot(*liked[: chance.randint(0 if place == 3 else 1, len(liked))]))
        if chance.random() < 0.15:
            ballots.append(own.ballot(*liked[::-1]))
    return ballots


def _entries(election: Election) -> models.QuerySet[RollEntry]:
    found = RollEntry.objects.standing().filter(contest__election=election)
    return found.select_related("contest__election", "voter")
