"""Votes of members for the tests: organisations and who speaks for them."""

from collections.abc import Sequence
from datetime import datetime

import pytest

from governance.actions.motion import draft_motion, open_motion, second_motion
from governance.models import Body, Motion
from governance.tests.conftest import DAY, HOUR, START
from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role
from portal.members.electorate import Candidate
from portal.members.eligibility import Answer, Constituency
from portal.members.models import Contributor, Organisation, Standing

Speaker = tuple[str, User]


def enrol(patch: pytest.MonkeyPatch, speakers: Sequence[Speaker]) -> None:
    """Each organisation is a member, and the person speaks for it."""
    for slug, _user in speakers:
        Organisation.objects.get_or_create(slug=slug, defaults={"name": slug.title()})
    found = [
        Candidate(
            key=f"organisation:{slug}",
            name=slug.title(),
            answer=Answer(Constituency.MEMBERS, (), voter=user.pk, voter_name=str(user)),
        )
        for slug, user in speakers
    ]
    patch.setattr("governance.actions.roster.eligible_voters", lambda at: found)


def ask(
    board: Body, people: list[User], electorate: str = Motion.Electorate.MEMBERS, days: int = 3
) -> Motion:
    """A vote of members, by the first person, open for some days."""
    return open_motion(
        actor=people[0],
        motion=written(board, people, electorate),
        deadline=START + days * DAY,
        at=START,
    )


def written(board: Body, people: list[User], electorate: str, at: datetime = START) -> Motion:
    """By the first person, seconded by the second, so that its vote can open at `at`."""
    draft = draft_motion(
        actor=people[0],
        body=board,
        subject="ordinary",
        title="Ask the members",
        summary="A question.",
        text="Asked.",
        electorate=electorate,
        at=at - DAY,
    )
    return second_motion(actor=people[1], motion=draft, at=at - HOUR)


def contributors(size: int, at: datetime = START) -> list[User]:
    """So many contributors in standing, who accepted and have an account."""
    since, ends = at - 400 * DAY, at + 400 * DAY
    users = User.objects.bulk_create(
        User(email=f"member{n}@example.org", name=f"Member {n:05}") for n in range(size)
    )
    people = Contributor.objects.bulk_create(
        Contributor(email=user.email, name=user.name, user=user, accepted_at=since)
        for user in users
    )
    Standing.objects.bulk_create(
        Standing(contributor=each, starts_at=since, ends_at=ends) for each in people
    )
    RoleGrant.objects.bulk_create(
        RoleGrant(user=user, role=Role.CONTRIBUTOR, since=since) for user in users
    )
    return users
