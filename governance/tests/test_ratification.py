"""A change of bylaws that the members must agree to, after the body has carried it."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from governance.actions.amendment import propose_amendment
from governance.actions.body import save_body
from governance.actions.closing import close_due, close_motion
from governance.actions.motion import open_motion
from governance.actions.ratification import ask_classes
from governance.actions.vote import cast_vote
from governance.models import Body, Bylaws, Motion, Proposal, Ratification, Version, Vote
from governance.refusals import Refusal
from governance.tests.bylaws import discuss, make_bylaws, make_proposal, make_version
from governance.tests.conftest import DAY, FOUNDED, HOUR, START, make_rules
from portal.accounts.models import User
from portal.members.actions.contributor import accept_standing
from portal.members.tests.people import make_contributor, make_organisation, make_term, make_tier
from tests.cast import make_person, sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db
LATER = START + 5 * DAY


@shared
def bylaws(board: Body) -> Bylaws:
    """Both classes have to agree to a change."""
    bylaws = make_bylaws(board, member_vote="both", effective_after_days=10)
    make_version(bylaws)
    return bylaws


@shared
def gwen(charlie: User, frank: User) -> User:
    """A contributor with a vote."""
    person, since = make_person("gwen"), timezone.now() - DAY
    contributor = make_contributor(charlie, frank, since)
    accept_standing(user=person, contributor=contributor, is_listed=False, at=since)
    return person


@shared
def olga() -> User:
    """She speaks for a member."""
    person = make_person("olga")
    make_term(make_organisation(owner=person), make_tier(), timezone.now() - DAY)
    person.role_grants.update(since=timezone.now() - DAY)
    return person


def make_class(constituency: str) -> Body:
    body = Body(
        slug=constituency,
        name=constituency.title(),
        kind=Body.Kind.MEMBERSHIP,
        constituency=constituency,
        purpose="Votes.",
        since=FOUNDED,
    )
    save_body(actor=None, body=body)
    make_rules(body, subject="bylaws", quorum_base="filled")
    return body


def carry(motion: Motion, people: list[User], at: datetime = START) -> None:
    motion.refresh_from_db()
    for person in people:
        cast_vote(actor=person, motion=motion, choice=Vote.Choice.YES, at=at + HOUR)
    assert motion.deadline is not None
    close_motion(motion_id=motion.pk, at=motion.deadline + timedelta(seconds=1))


def test_who_opens_the_vote_reads_who_is_asked_after_it(
    bylaws: Bylaws, directors: list[User], gwen: User
) -> None:
    make_class("contributors")
    proposal = discuss(make_proposal(bylaws, directors[0]), directors)
    desk, path = sign_in(directors[0]), proposal.motion.get_absolute_url()
    said = "Carried here, it goes to a vote of the members too"
    assert said in desk.get(path).content.decode()
    opening = desk.get(f"{path}open/").content.decode()
    assert said in opening
    assert "is not answered" not in opening
    propose_amendment(
        actor=directors[2],
        motion=proposal.motion,
        passage="one third",
        replacement="two thirds",
        reason="More.",
    )
    assert "One amendment is not answered" in desk.get(f"{path}open/").content.decode()


def carried(bylaws: Bylaws, directors: list[User]) -> Proposal:
    """By the board, at the end of a vote of three days."""
    proposal = discuss(make_proposal(bylaws, directors[0]), directors)
    open_motion(actor=directors[0], motion=proposal.motion, deadline=START + 3 * DAY, at=START)
    carry(proposal.motion, directors)
    return proposal


def test_it_is_adopted_when_both_classes_agree(
    bylaws: Bylaws, directors: list[User], gwen: User, olga: User
) -> None:
    make_class("contributors")
    make_class("members")
    proposal = carried(bylaws, directors)
    assert bylaws.versions.count() == 1
    votes = Ratification.objects.filter(proposal=proposal).select_related("motion")
    by_class = {each.motion.electorate: each.motion for each in votes}
    assert [seat.user for seat in by_class["contributors"].roster.all()] == [gwen]
    assert by_class["members"].text_sha256 == Motion.objects.get(proposal=proposal).text_sha256
    carry(by_class["contributors"], [gwen], LATER)
    assert bylaws.versions.count() == 1
    carry(by_class["members"], [olga], LATER)
    version = Version.objects.get(bylaws=bylaws, number=2)
    assert version.adopted_by == proposal.motion
    assert version.effective_on == version.adopted_on + timedelta(days=10)


def test_what_a_class_does_not_carry_is_not_adopted(
    bylaws: Bylaws, directors: list[User], olga: User
) -> None:
    make_class("members")
    proposal = carried(bylaws, directors)
    [vote] = proposal.ratifications.all()  # there is no contributor, so none is asked
    other = discuss(make_proposal(bylaws, directors[0], title="Again"), directors)
    with pytest.raises(Refusal, match="is open and changes the same bylaws"):
        open_motion(actor=directors[0], motion=other.motion, deadline=LATER + DAY, at=LATER)
    assert vote.motion.deadline is not None
    close_motion(motion_id=vote.motion_id, at=vote.motion.deadline + HOUR)
    vote.motion.refresh_from_db()
    assert vote.motion.state == Motion.State.VOID
    assert bylaws.versions.count() == 1


def test_the_pages_say_that_the_members_are_asked_and_what_they_said(
    bylaws: Bylaws, directors: list[User], gwen: User, client: Client
) -> None:
    def read(url: str) -> str:
        return client.get(url).content.decode()

    make_class("contributors")
    proposal = carried(bylaws, directors)
    [vote] = proposal.ratifications.all()
    motion = Motion.objects.get(proposal=proposal)
    page = read(motion.get_absolute_url())
    assert "when the members agree" in page
    assert "The members vote on it too" in page
    assert "In force since" not in page
    [listed] = Motion.objects.resolutions(LATER)
    assert (listed.needs_members, listed.force((LATER + DAY).date())) == (True, "later")
    assert motion not in Motion.objects.in_force((LATER + DAY).date())
    assert motion in Motion.objects.in_force_later((LATER + DAY).date())
    assert client.get(f"{motion.get_absolute_url()[:-1]}.json").json()["effective"] is None
    asked = read(vote.motion.get_absolute_url())
    assert f"resolution {motion.resolution}</a>" in asked
    assert "Sign in to vote, if you are on the roll below." in asked
    assert "the day the members agree" in read(proposal.get_absolute_url())
    assert "members vote" in read("/governance/bylaws/")
    Motion.objects.filter(pk=vote.motion_id).update(state=Motion.State.FAILED)
    page = read(motion.get_absolute_url())
    assert "The members did not agree" in page
    assert "In force since" not in page
    Motion.objects.filter(pk=vote.motion_id).update(state=Motion.State.OPEN)
    carry(vote.motion, [gwen], LATER)
    version = Version.objects.get(bylaws=bylaws, number=2)
    page = read(motion.get_absolute_url())
    assert f"{version.effective_on:%-d %b %Y}" in page
    assert "The members carried it too" in page
    motion = Motion.objects.get(pk=motion.pk)
    assert motion.effective_on == version.effective_on
    assert motion in Motion.objects.in_force(version.effective_on)
    assert motion not in Motion.objects.in_force(version.adopted_on), "ten days later"
    vote.motion.refresh_from_db()
    assert "They did: it is" in read(vote.motion.get_absolute_url())


def test_without_anybody_on_the_rolls_the_body_decides(
    bylaws: Bylaws, directors: list[User]
) -> None:
    carried(bylaws, directors)
    assert bylaws.versions.count() == 2


def test_a_class_without_rules_keeps_the_vote_from_opening(
    bylaws: Bylaws, directors: list[User], olga: User
) -> None:
    with pytest.raises(Refusal, match="which has no rules for it"):
        carried(bylaws, directors)


def test_a_class_that_came_to_life_during_the_vote_gets_its_rules_before_it_is_asked(
    bylaws: Bylaws, directors: list[User], caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody was a member when the vote opened. The decision waits; nothing is lost by it."""
    proposal = discuss(make_proposal(bylaws, directors[0]), directors)
    deadline = START + 3 * DAY
    open_motion(actor=directors[0], motion=proposal.motion, deadline=deadline, at=START)
    for person in directors:
        cast_vote(actor=person, motion=proposal.motion, choice=Vote.Choice.YES, at=START + HOUR)
    make_term(make_organisation(owner=make_person("olga")), make_tier(), START)
    assert close_due(at=deadline) == 0
    assert "could not be moved on" in caplog.text
    assert "has no rules for it" in caplog.text
    proposal.motion.refresh_from_db()
    assert proposal.motion.state == Motion.State.OPEN
    make_class("members")
    assert close_due(at=deadline + HOUR) == 1
    [asked] = proposal.ratifications.all()
    assert asked.motion.electorate == Motion.Electorate.MEMBERS
    assert bylaws.versions.count() == 1


def test_what_no_vote_was_opened_on_asks_nobody(
    bylaws: Bylaws, directors: list[User], olga: User
) -> None:
    assert ask_classes(make_proposal(bylaws, directors[0]), START) == []
