"""Another text for a motion: proposed, accepted, rejected with a reason, voted on."""

import pytest

from governance.actions.amendment import (
    accept_amendment,
    propose_amendment,
    reject_amendment,
    withdraw_amendment,
)
from governance.actions.amendment_vote import put_amendment
from governance.actions.closing import close_due
from governance.actions.motion import withdraw_motion
from governance.actions.vote import cast_vote
from governance.discussion.amending import NotFoundOnceError, amended, passages, tidy
from governance.models import Amendment, Motion, Vote
from governance.refusals import NotAllowed, Refusal
from governance.tests.conftest import DAY, HOUR, START
from portal.accounts.models import User
from portal.lib.models import OutboxMail

pytestmark = pytest.mark.django_db


def amend(
    author: User,
    motion: Motion,
    passage: str = "two",
    replacement: str = "three",
    parent: Amendment | None = None,
) -> Amendment:
    return propose_amendment(
        actor=author,
        motion=motion,
        passage=passage,
        replacement=replacement,
        reason="One more.",
        parent=parent,
        at=START + HOUR,
    )


def voted(amendment: Amendment, people: list[User], choice: str) -> Motion:
    vote = put_amendment(
        actor=people[0], amendment=amendment, deadline=START + 3 * DAY, at=START + 2 * HOUR
    )
    for person in people[:4]:
        cast_vote(actor=person, motion=vote, choice=Vote.Choice(choice), at=START + DAY)
    close_due(at=START + 3 * DAY)
    vote.refresh_from_db()
    return vote


@pytest.mark.parametrize(
    ("base", "passage", "replacement", "after"),
    [
        ("one two", "two", "three", "one three"),
        ("one two", "", "whole", "whole"),
        ("one two", " two", "", "one"),
    ],
)
def test_what_an_amendment_makes_of_a_text(
    base: str, passage: str, replacement: str, after: str
) -> None:
    assert amended(base, passage=passage, replacement=replacement) == after


@pytest.mark.parametrize(("base", "times"), [("one", 0), ("two two", 2)])
def test_a_passage_stands_in_the_text_once(base: str, times: int) -> None:
    with pytest.raises(NotFoundOnceError) as refusal:
        amended(base, passage="two", replacement="three")
    assert refusal.value.times == times


def test_a_passage_is_found_where_the_text_ends_a_line_inside_it() -> None:
    base = "4.1 The same\n  persons own half.\n\n4.2 The same"
    after = amended(base, passage="same persons own", replacement="people have")
    assert after == "4.1 The people have half.\n\n4.2 The same"
    assert [base.count(each) for each in passages(base)] == [0, 1], "shown in one line"
    for each in passages(base):
        assert amended(base, passage=each, replacement=each).split() == base.split()
    with pytest.raises(NotFoundOnceError):
        amended(base, passage="half. 4.2", replacement="")  # another paragraph
    with pytest.raises(NotFoundOnceError) as refusal:
        amended("a\nb c. a\nb", passage="a b", replacement="")
    assert refusal.value.times == 2


def test_line_ends_of_a_browser_are_no_change() -> None:
    assert tidy(" a\r\nb \n") == "a\nb"


def test_the_proposer_accepts_and_the_text_changes(
    discussed: Motion, directors: list[User]
) -> None:
    amendment = amend(directors[2], discussed)
    letter = OutboxMail.objects.get(key__startswith="amendment_proposed")
    assert letter.recipient == "ada@example.org"
    with pytest.raises(NotAllowed, match="Only Ada"):
        accept_amendment(actor=directors[1], amendment=amendment, at=START + DAY)
    accepted = accept_amendment(actor=directors[0], amendment=amendment, at=START + DAY)
    discussed.refresh_from_db()
    assert "**three** modules" in discussed.text
    assert (accepted.text_before, accepted.text_after) == (
        discussed.text.replace("three", "two"),
        discussed.text,
    )
    answer = OutboxMail.objects.get(key__startswith="amendment_answered")
    assert answer.recipient == "cyd@example.org"
    with pytest.raises(Refusal, match="not open any more"):
        accept_amendment(actor=directors[0], amendment=amendment, at=START + DAY)


def test_a_rejection_says_why(discussed: Motion, directors: list[User]) -> None:
    amendment = amend(directors[2], discussed)
    with pytest.raises(Refusal, match="Say why"):
        reject_amendment(actor=directors[0], amendment=amendment, because="  ")
    rejected = reject_amendment(actor=directors[0], amendment=amendment, because="Too dear.")
    assert (rejected.state, rejected.because) == (Amendment.State.REJECTED, "Too dear.")
    assert "Too dear." in OutboxMail.objects.get(key__startswith="amendment_answered").text


def test_who_proposed_it_takes_it_back(discussed: Motion, directors: list[User]) -> None:
    amendment = amend(directors[2], discussed)
    with pytest.raises(Refusal, match="Only Cyd"):
        withdraw_amendment(actor=directors[0], amendment=amendment)
    withdrawn = withdraw_amendment(actor=directors[2], amendment=amendment)
    assert withdrawn.state == Amendment.State.WITHDRAWN
    with pytest.raises(Refusal, match="not open"):
        withdraw_amendment(actor=directors[2], amendment=amendment)
    with pytest.raises(Refusal, match="not open"):
        reject_amendment(actor=directors[0], amendment=amendment, because="Late.")


@pytest.mark.parametrize(
    ("passage", "replacement", "words"),
    [
        ("four", "five", "does not stand"),
        ("e", "E", "times. Copy more"),
        ("two", "two", "change something"),
        ("The board resolves that\n\n1. **two** modules are bought.", " ", "Nothing would be left"),
    ],
)
def test_what_could_not_be_carried_out_is_refused(
    discussed: Motion, directors: list[User], passage: str, replacement: str, words: str
) -> None:
    with pytest.raises(Refusal, match=words):
        amend(directors[1], discussed, passage, replacement)
    assert not discussed.amendments.exists()


def test_an_amendment_says_why(discussed: Motion, directors: list[User]) -> None:
    with pytest.raises(Refusal, match="Say why"):
        propose_amendment(
            actor=directors[1], motion=discussed, replacement="Else.", reason=" ", at=START
        )


def test_only_a_discussion_is_amended_and_not_by_strangers(
    draft: Motion, discussed: Motion, directors: list[User], charlie: User
) -> None:
    with pytest.raises(Refusal, match="while a motion is discussed"):
        amend(directors[1], draft)
    with pytest.raises(NotAllowed, match="Everybody reads"):
        amend(charlie, discussed)


def test_a_lost_passage_is_not_accepted(discussed: Motion, directors: list[User]) -> None:
    first, second = amend(directors[1], discussed), amend(directors[2], discussed, "**two**", "2")
    whole = amend(directors[3], discussed, "", "Nothing is bought.")
    accept_amendment(actor=directors[0], amendment=first, at=START + DAY)
    for late in Amendment.objects.filter(pk__in=[second.pk, whole.pk]):
        assert late.is_stale
        with pytest.raises(Refusal, match="text has changed"):
            accept_amendment(actor=directors[0], amendment=late, at=START + DAY)


def test_an_amendment_of_an_amendment_changes_its_new_text(
    discussed: Motion, directors: list[User]
) -> None:
    parent = amend(directors[1], discussed, "two", "three blue")
    child = amend(directors[2], discussed, "blue", "red", parent=parent)
    with pytest.raises(NotAllowed, match="Only Bea"):
        accept_amendment(actor=directors[0], amendment=child, at=START + DAY)
    accept_amendment(actor=directors[1], amendment=child, at=START + DAY)
    discussed.refresh_from_db()
    assert "two" in discussed.text
    accept_amendment(actor=directors[0], amendment=parent, at=START + DAY)
    discussed.refresh_from_db()
    assert "**three red** modules" in discussed.text
    with pytest.raises(Refusal, match="Only an open amendment"):
        amend(directors[3], discussed, "red", "green", parent=parent)


def test_the_body_carries_an_amendment_that_was_rejected(
    discussed: Motion, directors: list[User]
) -> None:
    amendment = amend(directors[2], discussed)
    reject_amendment(actor=directors[0], amendment=amendment, because="No.", at=START + HOUR)
    vote = voted(amendment, directors, "yes")
    assert (vote.state, vote.resolution) == (Motion.State.ADOPTED, "")
    assert "> three" in vote.text
    discussed.refresh_from_db()
    amendment.refresh_from_db()
    assert "**three** modules" in discussed.text
    assert amendment.state == Amendment.State.ACCEPTED
    assert not Motion.objects.resolutions(START + 9 * DAY).exists()


def test_the_body_rejects_an_amendment(discussed: Motion, directors: list[User]) -> None:
    amendment = amend(directors[2], discussed)
    voted(amendment, directors, "no")
    discussed.refresh_from_db()
    amendment.refresh_from_db()
    assert "**two** modules" in discussed.text
    assert amendment.state == Amendment.State.REJECTED
    assert "did not carry it" in amendment.because


def test_a_withdrawn_vote_leaves_the_amendment_open(
    discussed: Motion, directors: list[User]
) -> None:
    amendment = amend(directors[0], discussed)
    vote = put_amendment(
        actor=directors[1], amendment=amendment, deadline=START + DAY, at=START + 2 * HOUR
    )
    with pytest.raises(Refusal, match="not open"):
        put_amendment(actor=directors[1], amendment=amendment, deadline=START + DAY, at=START)
    withdraw_motion(actor=directors[0], motion=vote, at=START + 3 * HOUR)
    amendment.refresh_from_db()
    assert amendment.state == Amendment.State.OPEN
    again = put_amendment(
        actor=directors[1], amendment=amendment, deadline=START + DAY, at=START + 4 * HOUR
    )
    assert again.pk != vote.pk


@pytest.mark.parametrize(
    ("passage", "replacement", "words"),
    [
        ("two", "three", "the passage\n\n> two\n\nis replaced by\n\n> three"),
        ("two", "", "the passage\n\n> two\n\nis replaced by\n\n> —"),
        ("", "None.\n\nAt all.", "the whole text is replaced by\n\n> None.\n>\n> At all."),
    ],
)
def test_the_question_of_an_amendment_can_be_read_alone(
    discussed: Motion, directors: list[User], passage: str, replacement: str, words: str
) -> None:
    amendment = amend(directors[2], discussed, passage, replacement)
    text = voted(amendment, directors, "no").text
    assert text.startswith(f"In the motion “{discussed.title}”:\n\n{words}\n\nsha256 ")


def test_the_question_of_an_amendment_to_an_amendment_names_both(
    discussed: Motion, directors: list[User]
) -> None:
    first = amend(directors[2], discussed)
    second = amend(directors[3], discussed, "three", "four", parent=first)
    text = voted(second, directors, "yes").text
    assert text.startswith(f"In amendment 1 to “{discussed.title}”:\n\nthe passage\n\n> three")
    first.refresh_from_db()
    assert first.replacement == "four"
