"""An election of a board for the tests: contributors and two members, with all dates around START.

Nominations are open from NOMINATIONS on, the roll is drawn at RECORD, voting opens at OPENS.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

from governance.actions.candidacy import nominate, second_nomination
from governance.actions.election import ContestPlan, announce_election, draft_election
from governance.actions.roll import draw_roll
from governance.demonstrations.ceremony import Ceremony
from governance.models import Body, Candidacy, Contest, Election
from governance.tests.conftest import DAY, START
from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role, Scope
from portal.members.models import Contributor, Organisation, Standing, Tier
from portal.members.tests.people import make_organisation, make_term, make_tier
from tests.cast import make_person

ANNOUNCED = START - 2 * DAY
NOMINATIONS = START - DAY
RECORD = START + 5 * DAY
OBJECTIONS_END = START + 9 * DAY
NOMINATIONS_END = START + 9 * DAY
OPENS = START + 10 * DAY
CLOSES = START + 24 * DAY
COMPLAINTS_END = START + 31 * DAY
TIMES = {
    "nominations_open_at": NOMINATIONS,
    "nominations_close_at": NOMINATIONS_END,
    "record_at": RECORD,
    "objections_close_at": OBJECTIONS_END,
    "opens_at": OPENS,
    "closes_at": CLOSES,
    "complaints_close_at": COMPLAINTS_END,
}


def make_officer(name: str = "olga") -> User:
    """Who runs elections."""
    officer = make_person(name, (Role.ELECTION_OFFICER, Scope.FOUNDATION, ""))
    RoleGrant.objects.filter(user=officer).update(since=START - 300 * DAY)
    return officer


def make_draft(body: Body, officer: User, **changed: Any) -> Election:
    """Contributors fill two seats, members one."""
    fields: dict[str, Any] = {
        "name": "2026-board",
        "title": "Election of the board 2026",
        **TIMES,
        **changed,
    }
    return draft_election(
        actor=officer,
        election=Election(body=body, **fields),
        contests=[
            ContestPlan({"constituency": "contributors", "places": 2}),
            ContestPlan({"constituency": "members", "places": 1}),
        ],
        at=ANNOUNCED,
    )


def make_election(body: Body, officer: User, **changed: Any) -> Election:
    draft = make_draft(body, officer, **changed)
    return announce_election(actor=officer, election=draft, at=ANNOUNCED)


PROPOSAL, DEFAULT = "Adopt the code of conduct of 2026", "The code of conduct of 2024 stays"


def make_question(body: Body, officer: User, *, level: str = "sealed", **changed: Any) -> Election:
    """Contributors are asked one thing, which needs two yes for each no; nobody stands."""
    asked = {"proposal": PROPOSAL, "proposal_text": "**All** of it.", "default_option": DEFAULT}
    plan = {"constituency": "contributors", "method": "yes-no", "ratio_yes": 2, **asked}
    draft = draft_election(
        actor=officer,
        election=Election(
            body=body, name="2026-board", title="The code of conduct", level=level, **TIMES
        ),
        contests=[ContestPlan(plan | changed)],
        at=ANNOUNCED,
    )
    return announce_election(actor=officer, election=draft, at=ANNOUNCED)


def make_contributor(name: str, since: datetime = START - 400 * DAY) -> User:
    """A contributor in standing, who accepted and has an account."""
    user = make_person(name)
    person = Contributor.objects.create(
        email=user.email, name=user.name, user=user, accepted_at=since
    )
    ends = START + 400 * DAY
    Standing.objects.create(contributor=person, starts_at=since, ends_at=ends)
    RoleGrant.objects.create(user=user, role=Role.CONTRIBUTOR, since=since)
    TOTP.activate(user, generate_totp_secret())  # who has a role signs in by it
    return user


def make_member(name: str) -> tuple[Organisation, User]:
    """An organisation that may vote, and who speaks for it."""
    owner = make_person(f"{name}-owner")
    TOTP.activate(owner, generate_totp_secret())
    organisation = make_organisation(name, owner=owner)
    grants = RoleGrant.objects.filter(scope_kind=Scope.ORGANISATION, scope_slug=organisation.slug)
    grants.update(since=START - 300 * DAY)
    tier = Tier.objects.filter(slug="gold").first() or make_tier()
    make_term(organisation, tier, START - 100 * DAY)
    return organisation, owner


def contest_of(election: Election, constituency: str) -> Contest:
    return election.contests.get(constituency=constituency)


def put_forward(
    election: Election, constituency: str, user: User, *, seconded_by: User, affiliation: str = ""
) -> Candidacy:
    """Somebody stands, seconded by another."""
    contest = contest_of(election, constituency)
    stands = nominate(
        actor=user,
        contest=contest,
        nominee=user,
        affiliation=affiliation,
        statement="I want to.",
        at=START,
    )
    return second_nomination(actor=seconded_by, candidacy=stands, at=START)


def draw(election: Election) -> Election:
    """Draw the roll on the record date."""
    assert draw_roll(election_id=election.pk, at=RECORD)
    election.refresh_from_db()
    return election


def make_ceremony(election: Election, officer: User) -> Ceremony:
    """Three scrutineers and two officers who sign, as nominations end; no keys are made yet."""
    return Ceremony(
        election,
        officer,
        scrutineers=[make_person(f"scrutineer{n}") for n in (1, 2, 3)],
        officers=[make_person(f"signer{n}") for n in (1, 2)],
        at=NOMINATIONS_END,
    )
