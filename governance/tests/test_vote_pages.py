"""Voting in the browser: choose, look at it once more, cast."""

import pytest
from django.test import Client

from governance.actions.closing import close_motion
from governance.actions.motion import withdraw_motion
from governance.models import Body, Motion, Vote
from governance.tests.conftest import DAY, START, make_vote
from portal.accounts.models import User
from tests.cast import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(directors: list[User]) -> Client:
    return sign_in(directors[0])


def vote_path(motion: Motion) -> str:
    return f"{motion.get_absolute_url()}vote/"


def test_nothing_is_cast_before_it_was_reviewed(ada: Client, motion: Motion) -> None:
    review = ada.post(vote_path(motion), {"choice": "yes", "reason": "Good."})
    assert "Nothing is cast yet" in review.content.decode()
    assert not Vote.objects.exists()
    sent = {"choice": "yes", "reason": "Good.", "confirmed": "yes"}
    answer = ada.post(vote_path(motion), sent, follow=True)
    assert "Your vote counts: Yes" in answer.content.decode()
    assert "You voted: Yes" in answer.content.decode()
    assert Vote.objects.get().reason == "Good."


def test_who_changes_a_vote_is_told_which_one_gives_way(ada: Client, motion: Motion) -> None:
    first = ada.post(vote_path(motion), {"choice": "yes"}).content.decode()
    assert "Until now you voted" not in first
    ada.post(vote_path(motion), {"choice": "yes", "confirmed": "yes"})
    again = ada.post(vote_path(motion), {"choice": "no"}).content.decode()
    assert "Until now you voted: Yes" in again
    assert "It counts until you cast this one" in again


def test_who_recuses_says_why(ada: Client, motion: Motion) -> None:
    answer = ada.post(vote_path(motion), {"choice": "recuse", "confirmed": "yes"})
    assert answer.status_code == 422
    assert "Say what keeps you from taking part" in answer.content.decode()
    assert not Vote.objects.exists()


@pytest.mark.parametrize("sent", [{}, {"choice": "maybe"}])
def test_a_vote_that_is_none_is_sent_back(
    ada: Client, motion: Motion, sent: dict[str, str]
) -> None:
    assert ada.post(vote_path(motion), {**sent, "confirmed": "yes"}).status_code == 422


@pytest.mark.parametrize(
    ("choice", "words"),
    [("no", "not to be carried"), ("abstain", "favour neither"), ("recuse", "You take no part")],
)
def test_the_review_says_what_the_choice_means(
    ada: Client, motion: Motion, choice: str, words: str
) -> None:
    review = ada.post(vote_path(motion), {"choice": choice, "reason": "Mine."})
    assert words in review.content.decode()


def test_a_stranger_cannot_vote(client: Client, motion: Motion, charlie: User) -> None:
    sent = {"choice": "yes", "confirmed": "yes"}
    answer = sign_in(charlie).post(vote_path(motion), sent)
    assert answer.status_code == 403
    assert "Your vote was not counted. Only those who held" in answer.content.decode()
    page = sign_in(charlie).get(motion.get_absolute_url()).content.decode()
    assert "You do not vote on this motion" in page
    assert "Review my vote" not in page
    assert client.post(vote_path(motion), sent)["Location"].startswith("/accounts/login/")
    assert "Sign in to vote" in client.get(motion.get_absolute_url()).content.decode()
    assert not Vote.objects.exists()


def test_a_late_vote_is_refused_and_says_when_it_closed(
    board: Body, directors: list[User], ada: Client
) -> None:
    motion = make_vote(board, directors, "Over", at=START - 4 * DAY)
    path = vote_path(motion)
    answer = ada.post(path, {"choice": "yes", "confirmed": "yes"})
    assert answer.status_code == 409
    assert "The vote closed on" in answer.content.decode()
    assert not Vote.objects.exists()


def test_a_vote_on_what_was_withdrawn_is_refused(
    motion: Motion, directors: list[User], ada: Client
) -> None:
    withdraw_motion(actor=directors[0], motion=motion)
    answer = ada.post(vote_path(motion), {"choice": "yes", "confirmed": "yes"})
    assert answer.status_code == 409


def test_a_form_of_another_site_is_refused(motion: Motion, directors: list[User]) -> None:
    strict = sign_in(directors[0], Client(enforce_csrf_checks=True))
    answer = strict.post(vote_path(motion), {"choice": "yes", "confirmed": "yes"})
    assert answer.status_code == 403
    assert not Vote.objects.exists()


def test_the_decided_page_says_why_nobody_votes_any_more(
    motion: Motion, directors: list[User], ada: Client
) -> None:
    close_motion(motion_id=motion.pk, at=START + 4 * DAY)
    page = ada.get(motion.get_absolute_url()).content.decode()
    assert "Review my vote" not in page
