"""Who said that they want to vote is on the roll, where the rules ask for it."""

from datetime import timedelta

import pytest
from django.test import Client

from governance import reasons
from governance.actions.affirmation import affirm_vote
from governance.actions.closing import close_motion
from governance.actions.motion import draft_motion, open_motion
from governance.actions.vote import cast_vote
from governance.models import Affirmation, Body, Motion, Vote
from governance.motions import franchise
from governance.refusals import NotAllowed
from governance.tests.conftest import DAY, HOUR, START, make_rules
from portal.accounts.models import User
from portal.members.actions.contributor import accept_standing
from portal.members.models import Organisation
from portal.members.tests.people import (
    YEAR,
    make_contributor,
    make_organisation,
    make_secured,
    make_term,
    make_tier,
)
from tests.cast import sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db
LONG_AGO = START - timedelta(days=100)


@shared
def gwen(charlie: User, frank: User) -> User:
    """A contributor in standing."""
    gwen = make_secured("gwen")
    contributor = make_contributor(charlie, frank, LONG_AGO)
    accept_standing(user=gwen, contributor=contributor, is_listed=False, at=LONG_AGO)
    gwen.role_grants.update(since=LONG_AGO)
    return gwen


@shared
def hugo(charlie: User, frank: User) -> User:
    """Another."""
    hugo = make_secured("hugo")
    contributor = make_contributor(charlie, frank, LONG_AGO, name="Hugo", email=hugo.email)
    if contributor.user_id is None:
        accept_standing(user=hugo, contributor=contributor, is_listed=False, at=LONG_AGO)
    hugo.role_grants.update(since=LONG_AGO)
    return hugo


@shared
def acme() -> Organisation:
    """A member; olga speaks for it."""
    owner = make_secured("olga")
    organisation = make_organisation(owner=owner)
    owner.role_grants.update(since=START - 2 * YEAR)
    make_term(organisation, make_tier(), LONG_AGO)
    return organisation


def key(user: User) -> str:
    [candidate] = franchise.own_votes(user, START)
    return candidate.key


def put_to(electorate: str, board: Body, author: User, title: str, days_ago: int = 0) -> Motion:
    opens = START - days_ago * DAY
    motion = draft_motion(
        actor=author,
        body=board,
        subject="ordinary",
        title=title,
        summary="Asked of everybody.",
        text="Resolved.",
        electorate=electorate,
        at=opens - HOUR,
    )
    return open_motion(actor=author, motion=motion, deadline=opens + 3 * DAY, at=opens)


def roll(motion: Motion) -> list[str]:
    return [place.name for place in motion.roster.all()]


def asks(board: Body, activity: str) -> None:
    make_rules(board, activity=activity, quorum_base="eligible", quorum="none", seconds_needed=0)


def test_without_such_a_rule_everybody_is_on_the_roll(
    board: Body, directors: list[User], gwen: User, hugo: User
) -> None:
    asks(board, "none")
    assert roll(put_to("contributors", board, directors[0], "All")) == ["Gwen", "Hugo"]


def test_who_affirmed_is_on_the_roll_and_who_did_not_learns_why_not(
    board: Body, directors: list[User], gwen: User, hugo: User
) -> None:
    asks(board, "affirmed")
    affirm_vote(actor=gwen, voter_key=key(gwen), at=START - 30 * DAY)
    motion = put_to("contributors", board, directors[0], "Affirmed")
    assert roll(motion) == ["Gwen"]
    refusal = reasons.not_to_vote(hugo, motion, START + HOUR)
    assert "only who said that they want to vote" in str(refusal)
    assert reasons.not_to_vote(gwen, motion, START + HOUR) is None
    assert "Only those who were on the roll" in str(
        reasons.not_to_vote(directors[0], motion, START + HOUR)
    )


def test_an_affirmation_of_last_year_counts_no_more(
    board: Body, directors: list[User], gwen: User, hugo: User
) -> None:
    asks(board, "affirmed")
    affirm_vote(actor=gwen, voter_key=key(gwen), at=START - 30 * DAY)
    affirm_vote(actor=hugo, voter_key=key(hugo), at=START - 30 * DAY)
    Affirmation.objects.filter(affirmed_by=gwen).update(affirmed_at=START - 2 * YEAR)
    assert roll(put_to("contributors", board, directors[0], "This year")) == ["Hugo"]


def test_who_voted_last_time_is_on_the_next_roll(
    board: Body, directors: list[User], gwen: User, hugo: User
) -> None:
    asks(board, "voted")
    first = put_to("contributors", board, directors[0], "First", days_ago=20)
    assert roll(first) == ["Gwen", "Hugo"]  # nobody could vote before
    at = START - 19 * DAY
    cast_vote(actor=hugo, motion=first, choice=Vote.Choice.YES, at=at)
    assert close_motion(motion_id=first.pk, at=START - 10 * DAY)
    assert roll(put_to("contributors", board, directors[0], "Second")) == ["Hugo"]


def test_a_member_is_affirmed_by_who_speaks_for_it(
    board: Body, directors: list[User], acme: Organisation, gwen: User
) -> None:
    asks(board, "either")
    olga = User.objects.get(email__startswith="olga")
    with pytest.raises(NotAllowed):
        affirm_vote(actor=gwen, voter_key="organisation:acme")
    affirm_vote(actor=olga, voter_key="organisation:acme", at=START - DAY)
    assert roll(put_to("members", board, directors[0], "Of members")) == ["Olga"]


def test_the_page_takes_an_affirmation(gwen: User, board: Body) -> None:
    asks(board, "affirmed")
    client = sign_in(gwen)
    page = client.get("/governance/affirmation/").content.decode()
    assert "never" in page
    assert "needed</span>" in page
    assert "Ordinary decisions" in page
    answer = client.post("/governance/affirmation/", {"voter": key(gwen)}, follow=True)
    assert "Gwen wants to vote" in answer.content.decode()
    assert "counts</span>" in answer.content.decode()
    assert Affirmation.objects.get().affirmed_by == gwen
    other = client.post("/governance/affirmation/", {"voter": "organisation:acme"}, follow=True)
    assert "This is not your vote" in other.content.decode()


def test_who_has_no_vote_reads_who_has(charlie: User) -> None:
    client = sign_in(charlie)
    assert (
        "No vote of members is yours now" in client.get("/governance/affirmation/").content.decode()
    )


def test_a_stranger_is_asked_to_sign_in(client: Client, db: None) -> None:
    assert client.get("/governance/affirmation/").status_code == 302
