"""Votes of a meeting, written down by who keeps the record of the body."""

import pytest
from django.test import Client

from governance.actions.amendment import accept_amendment, propose_amendment, withdraw_amendment
from governance.actions.meeting_vote import record_meeting_vote
from governance.models import Body, Motion, Vote
from governance.motions import history
from governance.refusals import NotAllowed, Refusal
from governance.tests.conftest import DAY, HOUR, START, make_draft
from portal.accounts.models import User
from portal.lib.models import OutboxMail
from tests.cast import sign_in

pytestmark = pytest.mark.django_db
YES, NO = Vote.Choice.YES, Vote.Choice.NO
VOICES = {1: YES, 2: YES, 3: YES, 4: NO}


def test_a_meeting_decides_at_once(draft: Motion, frank: User) -> None:
    decided = record_meeting_vote(
        actor=frank, motion=draft, voices=VOICES, voted_at=START - HOUR, at=START
    )
    assert decided.state == Motion.State.ADOPTED
    assert (decided.decided_at, decided.deadline) == (START - HOUR, None)
    assert decided.way == Motion.Way.MEETING
    votes = Vote.objects.filter(voter__motion=decided)
    assert {vote.recorded_by for vote in votes} == {frank}
    assert OutboxMail.objects.filter(key__startswith="motion_result").count() == 5
    assert not OutboxMail.objects.filter(key__startswith="motion_opened").exists()
    told = [event.text for event in history.events(decided)]
    assert "Voted on in a meeting, recorded by Frank." in told
    assert f"Carried as resolution {decided.resolution}." in told


def test_too_few_in_the_room_decide_nothing(draft: Motion, frank: User) -> None:
    decided = record_meeting_vote(
        actor=frank, motion=draft, voices={1: YES, 2: YES}, voted_at=START, at=START
    )
    assert decided.state == Motion.State.VOID


@pytest.mark.parametrize(
    ("voices", "hours", "words"),
    [
        ({7: YES}, 0, "Nobody held seat 7"),
        ({}, 0, "Choose how"),
        (VOICES, 1, "choose an earlier"),
        (VOICES, -48, "choose a later"),
    ],
)
def test_what_cannot_have_happened_is_refused(
    draft: Motion, frank: User, voices: dict[int, Vote.Choice], hours: int, words: str
) -> None:
    with pytest.raises(Refusal, match=words):
        record_meeting_vote(
            actor=frank, motion=draft, voices=voices, voted_at=START + hours * HOUR, at=START
        )
    draft.refresh_from_db()
    assert draft.state == Motion.State.DRAFT
    assert not Vote.objects.exists()


def test_a_director_does_not_write_down_the_votes_of_others(
    draft: Motion, motion: Motion, directors: list[User], frank: User
) -> None:
    with pytest.raises(NotAllowed, match="secretary"):
        record_meeting_vote(
            actor=directors[0], motion=draft, voices=VOICES, voted_at=START, at=START
        )
    with pytest.raises(Refusal, match="opened or given already"):
        record_meeting_vote(actor=frank, motion=motion, voices=VOICES, voted_at=START, at=START)


def test_the_secretary_reviews_before_it_counts(
    board: Body, directors: list[User], frank: User
) -> None:
    draft = make_draft(board, directors[0], "In the room", at=START - 2 * DAY)
    path = f"{draft.get_absolute_url()}meeting-vote/"
    desk = sign_in(frank)
    assert "Seat 1, Ada" in desk.get(path).content.decode()
    when = (START - DAY).strftime("%Y-%m-%dT%H:%M")
    sent = {"voted_at": when, **{f"seat_{n}": "yes" for n in range(1, 5)}, "seat_5": "absent"}
    review = desk.post(path, sent).content.decode()
    assert "Is this how the meeting voted?" in review
    assert not Vote.objects.exists()
    changed = desk.post(path, sent | {"change": "yes"}).content.decode()
    assert "Review it" in changed
    none = dict.fromkeys(sent, "absent") | {"voted_at": when, "confirmed": "yes"}
    assert "Choose how those who were present" in desk.post(path, none).content.decode()
    done = desk.post(path, sent | {"confirmed": "yes"}, follow=True).content.decode()
    assert "recorded and counted" in done
    assert "Voted in a meeting" in done
    assert Vote.objects.count() == 4


def test_an_amendment_after_the_vote_is_told_and_one_without_answer_is_left(
    discussed: Motion, directors: list[User], frank: User, client: Client
) -> None:
    taken, left = [
        propose_amendment(
            actor=directors[2],
            motion=discussed,
            passage="",
            replacement=f"Text {number}.",
            reason="Better.",
            at=START + HOUR,
        )
        for number in (1, 2)
    ]
    accept_amendment(actor=directors[0], amendment=taken, at=START + 5 * HOUR)
    desk, path = sign_in(frank), f"{discussed.get_absolute_url()}meeting-vote/"
    for hours, says in [(4, True), (6, False)]:
        when = (START + hours * HOUR).strftime("%Y-%m-%dT%H:%M")
        page = desk.get(path, {"voted_at": when}).content.decode()
        assert ("Amendment 1 came into the text" in page) is says
        assert "One amendment is not answered" in page
    at = START + 6 * HOUR
    record_meeting_vote(actor=frank, motion=discussed, voices=VOICES, voted_at=at, at=at)
    discussed.refresh_from_db()
    page = client.get(discussed.get_absolute_url()).content.decode()
    assert "Not answered" in page
    assert "the text stands without it" in page
    with pytest.raises(Refusal, match="not open any more"):
        withdraw_amendment(actor=directors[2], amendment=left)


def test_others_are_told_who_records(draft: Motion, directors: list[User]) -> None:
    page = sign_in(directors[0]).get(f"{draft.get_absolute_url()}meeting-vote/", follow=True)
    assert "Only the secretary of the body" in page.content.decode()


def test_a_stranger_finds_nothing(client: Client, draft: Motion) -> None:
    path = f"{draft.get_absolute_url()}meeting-vote/"
    assert client.get(path)["Location"].startswith("/accounts/login/")
