"""A motion put to the contributors: their roll is frozen when the vote opens."""

from datetime import timedelta

import pytest
from django.test import Client

from governance import letters
from governance.actions.letter_round import promise_due
from governance.actions.motion import draft_motion, open_motion, second_motion
from governance.actions.motion_comment import comment_on_motion
from governance.actions.vote import cast_vote
from governance.models import Body, Motion, RosterSeat, Vote
from governance.motions import deliveries
from governance.refusals import NotAllowed, Refusal
from governance.tests.conftest import DAY, HOUR, START, make_rules
from portal.accounts.models import User
from portal.lib.models import OutboxMail
from portal.members.electorate import Candidate
from portal.members.eligibility import Answer, Constituency
from portal.members.models import Organisation
from tests.cast import make_person, sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def speaker() -> User:
    """Speaks for two organisations."""
    return make_person("sam")


@pytest.fixture
def members(
    board: Body, directors: list[User], speaker: User, monkeypatch: pytest.MonkeyPatch
) -> Motion:
    """Put to the corporate members: Acme and Bolt, both spoken for by Sam, and Cog by Tia."""
    make_rules(board, early_close=True, quorum_base="eligible", pass_base="cast")
    rows = [("acme", speaker), ("bolt", speaker), ("cog", make_person("tia"))]
    for slug, _who in rows:
        Organisation.objects.create(slug=slug, name=slug.title())
    found = [
        Candidate(
            key=f"organisation:{slug}",
            name=slug.title(),
            answer=Answer(Constituency.MEMBERS, (), voter=who.pk, voter_name=str(who)),
        )
        for slug, who in rows
    ]
    monkeypatch.setattr("governance.actions.roster.eligible_voters", lambda at: found)
    return opened(board, directors, Motion.Electorate.MEMBERS)


def opened(board: Body, people: list[User], electorate: str) -> Motion:
    draft = draft_motion(
        actor=people[0],
        body=board,
        subject="ordinary",
        title="Ask the members",
        summary="A question.",
        text="Asked.",
        electorate=electorate,
        at=START - DAY,
    )
    second_motion(actor=people[1], motion=draft, at=START - HOUR)
    return open_motion(actor=people[0], motion=draft, deadline=START + 3 * DAY, at=START)


def test_each_organisation_has_one_vote_by_who_speaks_for_it(
    members: Motion, speaker: User
) -> None:
    roster = list(members.roster.values_list("number", "name", "affiliation"))
    assert roster == [(1, "Sam", "Acme"), (2, "Sam", "Bolt"), (3, "Tia", "Cog")]
    assert not members.roster.filter(seat__isnull=False).exists()
    assert members.record_at == START
    cast_vote(actor=speaker, motion=members, choice=Vote.Choice.YES, number=1, at=START + HOUR)
    cast_vote(actor=speaker, motion=members, choice=Vote.Choice.NO, number=2, at=START + HOUR)
    told = Vote.objects.values_list("voter__affiliation", "choice")
    assert set(told) == {("Acme", "yes"), ("Bolt", "no")}
    assert str(RosterSeat.objects.get(number=1)) == "Acme (Sam)"
    with pytest.raises(NotAllowed, match="Vote for your own"):
        cast_vote(actor=speaker, motion=members, choice=Vote.Choice.YES, number=3, at=START + HOUR)


def test_a_vote_of_members_runs_its_time(members: Motion, speaker: User) -> None:
    for number in (1, 2):
        choice = Vote.Choice.YES
        cast_vote(actor=speaker, motion=members, choice=choice, number=number, at=START + HOUR)
    members.refresh_from_db()
    assert members.state == Motion.State.OPEN


def test_who_votes_for_two_is_asked_for_each(members: Motion, speaker: User) -> None:
    window = sign_in(speaker)
    page = members.get_absolute_url()
    assert "You vote for Acme" in window.get(page).content.decode()
    sent = {"choice": "yes", "confirmed": "yes", "number": "1"}
    done = window.post(f"{page}vote/", sent, follow=True).content.decode()
    assert "Your vote counts" in done
    assert "You vote for Bolt" in done
    review = window.post(f"{page}vote/", {"choice": "no", "number": "2"}).content.decode()
    assert 'name="number" value="2"' in review
    assert window.post(f"{page}vote/", {"choice": "no", "number": "3"}).status_code == 404


def test_nobody_on_the_roll_means_no_vote(board: Body, directors: list[User]) -> None:
    with pytest.raises(Refusal, match="nobody could vote"):
        opened(board, directors, Motion.Electorate.CONTRIBUTORS)


def test_voters_take_part_in_the_discussion(members: Motion, speaker: User, charlie: User) -> None:
    comment_on_motion(actor=speaker, motion=members, text="Acme agrees.", at=START + HOUR)
    with pytest.raises(NotAllowed):
        comment_on_motion(actor=charlie, motion=members, text="So do I.", at=START + HOUR)


def test_the_body_sees_which_letters_left(
    members: Motion, directors: list[User], frank: User, charlie: User, client: Client
) -> None:
    mails = OutboxMail.objects.filter(about=f"motion:{members.pk}")
    path = f"{members.get_absolute_url()}delivery/"
    assert "Letters are being written: vote opened" in sign_in(frank).get(path).content.decode()
    promise_due()
    assert mails.count() == 3
    broken = mails.get(recipient="tia@example.org")
    OutboxMail.objects.filter(pk=broken.pk).update(
        given_up_at=START + timedelta(hours=1), last_error="SMTPRecipientsRefused: 550 <tia>"
    )
    assert list(deliveries.addresses(letters.about(members), "sa")) == ["sam@example.org"]
    found = deliveries.addresses(letters.about(members))
    first, second = deliveries.recipients(letters.about(members), list(found))
    assert (first.name, len(second.letters)) == ("Tia", 2)
    assert "bad" in {letter.tone for letter in first.letters}
    page = sign_in(directors[2]).get(path).content.decode()
    assert "not delivered" in page
    assert "550" not in page
    assert "550" in sign_in(frank).get(path).content.decode()
    assert sign_in(charlie).get(path).status_code == 403
