"""Elections of the demonstration: one that is announced, with nominations in every state."""

from datetime import datetime, timedelta

from governance.actions.candidacy import (
    accept_nomination,
    disqualify,
    leave,
    nominate,
    second_nomination,
)
from governance.actions.complaint import answer_complaint, complain
from governance.actions.election import ContestPlan, announce_election, draft_election
from governance.actions.roll import draw_roll, object_to_roll, rule_on_objection
from governance.demonstrations.texts import BOB, DANA, HIRO, INES, JONAS, KEMI, LENA, OLGA, PAVEL
from governance.models import Body, Candidacy, Complaint, Contest, Election, Objection, Seat
from governance.motions import franchise
from portal.accounts.demonstration import ALICE, CHARLIE, person
from portal.accounts.models import User
from portal.accounts.roles import Role
from portal.members.models import Contributor, Organisation

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
ANNOUNCED = "board-even-years"
ABOUT = (
    "Four seats of the board end in spring: two that contributors fill, and two of the corporate "
    "members.\n\n"
    "* Put forward whom you would trust with a budget, or stand yourself.\n"
    "* Look at the roll now, not on the day of the vote.\n"
)
STATEMENTS = {
    HIRO: "I look after two connectors and sit on the council. On the board I would\n\n"
    "1. publish what every release costs us,\n"
    "2. pay for the build farm for **three** years at once.\n",
    KEMI: "Documentation is how most people meet us. I want a budget line for it.",
    PAVEL: "I know the ports. Somebody on the board should.",
    OLGA: "Fewer meetings, better minutes.",
    JONAS: "Northwind runs four hundred servers of this. I speak for those who pay for support.",
    LENA: "Cobalt hosts for small firms. They are many, and nobody asks them.",
}


def load(*, actor: User, at: datetime) -> None:
    """Nominations and objections go on; without a register nobody votes. Loaded again it changes
    nothing.
    """
    contributors = Contributor.objects.filter(user__in=[person(INES), person(HIRO), person(KEMI)])
    if Election.objects.filter(name=ANNOUNCED).exists() or contributors.count() < 3:
        return
    election = _announced(actor, Body.objects.get(slug="board"), at)
    of_contributors, members = election.contests.all()
    _of_contributors(of_contributors, at)
    _of_members(members, actor, at)
    draw_roll(election_id=election.pk, at=at - 3 * DAY)
    _disputes(actor, election, of_contributors, at)


def _announced(actor: User, board: Body, at: datetime) -> Election:
    noon = at.replace(hour=12, minute=0, second=0, microsecond=0)
    draft = draft_election(
        actor=actor,
        election=Election(
            body=board,
            name=ANNOUNCED,
            title="Election of the board: seats of even years",
            about=ABOUT,
            nominations_open_at=noon - 10 * DAY,
            nominations_close_at=noon + 6 * DAY,
            record_at=noon - 4 * DAY,
            objections_close_at=noon + 6 * DAY,
            opens_at=noon + 9 * DAY,
            closes_at=noon + 23 * DAY,
            complaints_close_at=noon + 30 * DAY,
        ),
        contests=[_contest(board, "contributors"), _contest(board, "members")],
        at=at - 14 * DAY,
    )
    return announce_election(actor=actor, election=draft, at=at - 13 * DAY)


def _contest(board: Body, constituency: str) -> ContestPlan:
    seats = Seat.objects.filter(body=board, constituency=constituency, cohort="even years")
    fields = {
        "constituency": constituency,
        "places": seats.count(),
        "most_of_one_affiliation": 1,
        "quorum_percent": 10,
    }
    return ContestPlan(fields, list(seats))


def _of_contributors(contest: Contest, at: datetime) -> None:
    """Two who stand, one who is asked, one without a second, one who declined, one who left."""
    _stand(contest, HIRO, INES, at - 8 * DAY)
    kemi = _ask(contest, KEMI, INES, at - 8 * DAY)
    _accept(kemi, "Independent", at - 7 * DAY)
    _second(kemi, HIRO, at - 7 * DAY)
    _ask(contest, BOB, HIRO, at - 6 * DAY)
    _accept(_ask(contest, PAVEL, KEMI, at - 6 * DAY), "Halyard Cloud", at - 5 * DAY)
    declined = _ask(contest, DANA, INES, at - 6 * DAY)
    leave(actor=person(DANA), candidacy=declined, at=at - 5 * DAY)
    left = _ask(contest, OLGA, KEMI, at - 5 * DAY)
    _accept(left, "Northwind Data", at - 5 * DAY + HOUR)
    _second(left, HIRO, at - 4 * DAY)
    leave(actor=person(OLGA), candidacy=left, at=at - 2 * DAY)


def _of_members(contest: Contest, actor: User, at: datetime) -> None:
    """One who stands, and one who was not allowed to."""
    speakers = _speakers(at - 8 * DAY)
    if not speakers:
        return
    for name, employer in ((JONAS, "Northwind Data"), (LENA, "Cobalt Hosting")):
        candidacy = nominate(
            actor=speakers[0], contest=contest, nominee=person(name), at=at - 7 * DAY
        )
        _accept(candidacy, employer, at - 6 * DAY)
        for other in speakers[1:2]:
            second_nomination(actor=other, candidacy=candidacy, at=at - 6 * DAY)
    disqualify(
        actor=actor,
        candidacy=Candidacy.objects.get(contest=contest, user=person(LENA)),
        reason="Bylaw 4.1: who holds a seat that goes on cannot stand for another.",
        at=at - 5 * DAY,
    )


def _speakers(at: datetime) -> list[User]:
    """Who speaks for members, Alice before the others."""
    owners = User.objects.filter(
        role_grants__scope_slug__in=Organisation.objects.values("slug"),
        role_grants__role=Role.OWNER,
    ).distinct()
    found = [
        user
        for user in owners.exclude(pk__in=[person(JONAS).pk, person(LENA).pk])
        if any(each.key.startswith("organisation:") for each in franchise.own_votes(user, at))
    ]
    return sorted(found, key=lambda user: (user.name != ALICE, user.name))


def _ask(contest: Contest, name: str, by: str, at: datetime) -> Candidacy:
    return nominate(actor=person(by), contest=contest, nominee=person(name), at=at)


def _stand(contest: Contest, name: str, seconded_by: str, at: datetime) -> None:
    user = person(name)
    stands = nominate(
        actor=user,
        contest=contest,
        nominee=user,
        affiliation="Independent",
        statement=STATEMENTS[name],
        at=at,
    )
    _second(stands, seconded_by, at + HOUR)


def _accept(candidacy: Candidacy, affiliation: str, at: datetime) -> None:
    accept_nomination(
        actor=candidacy.user,
        candidacy=candidacy,
        affiliation=affiliation,
        statement=STATEMENTS[candidacy.name],
        at=at,
    )


def _second(candidacy: Candidacy, by: str, at: datetime) -> None:
    second_nomination(actor=person(by), candidacy=candidacy, at=at)


def _disputes(actor: User, election: Election, contest: Contest, at: datetime) -> None:
    """An objection with its ruling and one that waits; the same of complaints."""
    charlie = person(CHARLIE)
    entries = list(contest.roll.order_by("name")[:2])
    texts = ("Has not sent a patch for a year.", "Is employed by the foundation since May.")
    for number, (entry, text) in enumerate(zip(entries, texts, strict=False)):
        objection = object_to_roll(
            actor=charlie,
            contest=contest,
            kind=Objection.Kind.REMOVE,
            key=entry.key,
            text=text,
            at=at - 2 * DAY,
        )
        if number == 0:
            rule_on_objection(
                actor=actor,
                objection=objection,
                answer=Objection.Answer.REFUSED,
                reason="Bylaw 3.2: the standing lasts two years, and this one goes on until next.",
                at=at - DAY,
            )
    late = complain(
        actor=charlie,
        election=election,
        text="Nominations opened an hour later than announced.",
        at=at - 2 * DAY,
    )
    answer_complaint(
        actor=actor,
        complaint=late,
        answer=Complaint.Answer.REFUSED,
        reason="They opened at the minute; the page of the visitor was older than that.",
        at=at - DAY,
    )
    complain(
        actor=charlie,
        election=election,
        text="The letter about the roll came twice to me.",
        at=at - HOUR,
    )
