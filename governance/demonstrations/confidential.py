"""Confidential elections of the demonstration: one that was declared, whose first seat is free
again, and a question in which votes are taken. Neither needs registrar or box.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, datetime

from django.db import transaction
from django.utils import timezone

from governance.actions.body import make_seats, save_body
from governance.actions.candidacy import leave
from governance.actions.confidential_ballot import cast_confidential
from governance.actions.election import ContestPlan
from governance.actions.election_close import close_election
from governance.actions.election_count import count_election
from governance.actions.election_result import declare_election
from governance.actions.freezing import hand_over
from governance.actions.rule_set import write_rule_set
from governance.actions.seat import end_term
from governance.demonstrations.ceremony import Ceremony
from governance.demonstrations.electing import DAY, announced
from governance.elections import offices
from governance.elections.compose import OfficeKeys
from governance.models import Body, Election, RollEntry, RuleSet, Seat, SeatTerm
from governance.tally import question
from portal.accounts.demonstration import ALICE, DANA, ERIN, GRACE, person
from portal.accounts.models import User

DECLARED, ASKED = "conduct-committee", "code-of-conduct"
COMMITTEE = {
    "slug": "conduct-committee",
    "name": "Conduct committee",
    "kind": Body.Kind.COMMITTEE,
    "purpose": "Hears what is reported under the code of conduct. Contributors elect all of it.",
    "since": date(2019, 3, 1),
    "position": 35,
}
ABOUT = (
    "Three people hear what is reported under the code of conduct, for two years. Whom you trust "
    "with it is your own affair: ballots are confidential."
)
CANDIDATES = {
    "contributors": {
        "Gita Rao": "Northwind Data",
        "Hugo Silva": "Independent",
        "Ivana Babic": "Halyard Cloud",
        "Jun Park": "Independent",
        "Karim Haddad": "Cobalt Hosting",
        "Lucia Conti": "Independent",
    }
}
WITHDREW = "Lucia Conti"  # while votes were taken
PROPOSAL = "Adopt the code of conduct of this year"
PROPOSAL_TEXT = (
    "It says more clearly than the old one\n\n"
    "* **who is told** of a report, and who is not;\n"
    "* how long an answer may take: *two weeks*;\n"
    "* how somebody appeals.\n"
)
ABOUT_QUESTION = (
    "The board asks everybody who votes. It is adopted if two say yes for every one who says no."
)
UNDECIDED = {ALICE, DANA}  # who sign in here and still vote
WORDS = "drawn by the demonstration"


def load_more(*, actor: User, at: datetime) -> Iterator[str]:
    """Loaded again it changes nothing."""
    if not Election.objects.filter(name=DECLARED).exists():
        yield _declared(actor, at)
    if not Election.objects.filter(name=ASKED).exists():
        yield _asked(actor, at)


@transaction.atomic
def _declared(actor: User, at: datetime) -> str:
    """Four weeks ago its result was declared; since a week the seat of the first is free."""
    seats = _committee(actor)
    election = announced(
        actor,
        at - 42 * DAY,
        body=DECLARED,
        people=CANDIDATES,
        name=DECLARED,
        title="Election of the conduct committee",
        about=ABOUT,
        level=Election.Level.CONFIDENTIAL,
        contests=[
            ContestPlan({"constituency": "contributors", "places": 3, "quorum_percent": 20}, seats)
        ],
    )
    held = _frozen(actor, election)
    cast = _cast(election, abstain=set())
    [contest] = election.contests.all()
    gone = contest.candidacies.get(user=person(WITHDREW))
    leave(actor=gone.user, candidacy=gone, at=election.opens_at + 9 * DAY)
    close_election(election.pk, box=offices.ballot_box(), at=election.closes_at)
    held.election.refresh_from_db()
    held.tell(at=election.closes_at)
    count_election(
        election.pk,
        registrar=offices.registrar(),
        box=offices.ballot_box(),
        at=election.closes_at + DAY / 24,
    )
    declare_election(actor=actor, election=election, at=at - 28 * DAY)
    _resign(actor, contest.seats.get(number=1), timezone.localdate(at - 7 * DAY))
    return f"an election that is declared: {cast} confidential ballots"


def _committee(actor: User) -> list[Seat]:
    """Its seats, and that the papers of their election say who takes one that becomes free."""
    committee = save_body(actor=actor, body=Body(**COMMITTEE))
    write_rule_set(
        actor=actor,
        rule_set=RuleSet(
            body=committee,
            subject="ordinary",
            name="Decisions on reports",
            since=committee.since,
            quorum="half",
            vacancy_filled_by=RuleSet.FilledBy.COUNTBACK,
            vacancy_clause="Charter 3",
        ),
    )
    like = Seat(
        body=committee,
        constituency=Seat.Constituency.CONTRIBUTORS,
        term_months=24,
        since=committee.since,
    )
    return make_seats(actor=actor, seat=like, count=3)


def _resign(actor: User, seat: Seat, on: date) -> None:
    end_term(actor=actor, term=seat.terms.get(), on=on, ending=SeatTerm.Ending.RESIGNED, tell=True)


@transaction.atomic
def _asked(actor: User, at: datetime) -> str:
    """Both constituencies of the board; half of them have voted."""
    asked = {
        "method": question.METHOD,
        "proposal": PROPOSAL,
        "proposal_text": PROPOSAL_TEXT,
        "default_option": "The code of conduct of 2019 stays",
        "ratio_yes": 2,
        "quorum_percent": 20,
    }
    both = ("contributors", "members")
    election = announced(
        actor,
        at + 9 * DAY,
        body="board",
        people={},
        name=ASKED,
        title="The code of conduct",
        about=ABOUT_QUESTION,
        level=Election.Level.CONFIDENTIAL,
        contests=[ContestPlan({"constituency": each, **asked}) for each in both],
    )
    _frozen(actor, election)
    cast = _cast(election, abstain=UNDECIDED)
    return f"a question that is asked: {cast} confidential ballots so far"


def _frozen(actor: User, election: Election) -> Ceremony:
    """Two officers sign; ballots that are not sealed need no scrutineers."""
    officers = [person(name) for name in (ERIN, GRACE)]
    at = election.opens_at - DAY
    held = Ceremony(election, actor, scrutineers=[], officers=officers, at=at)
    held.make_keys()
    held.sign(OfficeKeys())
    hand_over(election.pk, registrar=offices.registrar(), box=offices.ballot_box(), at=at)
    election.refresh_from_db()
    return held


def _cast(election: Election, *, abstain: set[str]) -> int:
    """Most vote, the same people each time; of how many ballots."""
    chance = random.Random(election.name)  # noqa: S311 - a demonstration, not a secret
    entries = RollEntry.objects.standing().filter(contest__election=election)
    cast = 0
    for entry in entries.select_related("contest__election", "voter").order_by("pk"):
        if entry.voter.name in abstain or chance.random() < 0.25:
            continue
        cast_confidential(
            actor=entry.voter,
            entry=entry,
            vote=_vote(entry, chance),
            words=WORDS,
            at=election.opens_at + DAY / 24,
        )
        cast += 1
    return cast


def _vote(entry: RollEntry, chance: random.Random) -> bytes:
    """Those who come first in the list are liked a little more."""
    if entry.contest.is_question:
        return chance.choice([bytes([0]), bytes([0]), bytes([0]), bytes([1]), b""])
    everybody = range(entry.contest.candidacies.on_the_ballot().count())
    liked = sorted(everybody, key=lambda one: chance.random() + one * 0.1)
    return bytes(liked[: chance.randint(1, len(liked))])
