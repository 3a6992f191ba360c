"""Complaints: by anybody with an account until their time is over, answered with reasons."""

from __future__ import annotations

import pytest

from governance.actions.complaint import MOST_OF_ONE, answer_complaint, complain
from governance.models import Body, Complaint, Election
from governance.refusals import NotAllowed, Refusal
from governance.tests import elections as made
from governance.tests.conftest import DAY, START
from portal.accounts.models import User
from tests.shared import shared

pytestmark = pytest.mark.django_db
Answer = Complaint.Answer


@shared
def officer() -> User:
    return made.make_officer()


@shared
def election(board: Body, officer: User) -> Election:
    return made.make_election(board, officer)


@shared
def complaint(election: Election, charlie: User) -> Complaint:
    return complain(actor=charlie, election=election, text="It was late.", at=START)


def test_complaints_are_taken_until_their_time_is_over(election: Election, charlie: User) -> None:
    last = made.COMPLAINTS_END - DAY / 24
    assert complain(actor=charlie, election=election, text="Late.", at=last).made_at == last
    with pytest.raises(Refusal, match="Complaints were taken until"):
        complain(actor=charlie, election=election, text="Late.", at=made.COMPLAINTS_END)


@pytest.mark.parametrize("state", ["draft", "cancelled", "declared"])
def test_nobody_complains_about_what_is_not_held_or_settled(
    election: Election, charlie: User, state: str
) -> None:
    Election.objects.update(state=state)
    with pytest.raises(Refusal):
        complain(actor=charlie, election=election, text="Late.", at=START)


def test_an_empty_complaint_is_none(election: Election, charlie: User) -> None:
    with pytest.raises(Refusal, match="Say what went wrong"):
        complain(actor=charlie, election=election, text=" \n", at=START)


def test_one_person_does_not_fill_the_page(election: Election, charlie: User) -> None:
    for number in range(MOST_OF_ONE):
        complain(actor=charlie, election=election, text=f"Number {number}.", at=START)
    with pytest.raises(Refusal, match="wait for their answers"):
        complain(actor=charlie, election=election, text="One more.", at=START)


def test_an_answer_has_a_reason_and_is_given_once(complaint: Complaint, officer: User) -> None:
    with pytest.raises(Refusal, match="Give the reason"):
        answer_complaint(
            actor=officer, complaint=complaint, answer=Answer.GRANTED, reason=" ", at=START
        )
    ruled = answer_complaint(
        actor=officer, complaint=complaint, answer=Answer.GRANTED, reason="True.", at=START
    )
    assert (ruled.answer, ruled.answered_by) == ("granted", officer)
    with pytest.raises(Refusal, match="already"):
        answer_complaint(
            actor=officer, complaint=complaint, answer=Answer.REFUSED, reason="No.", at=START
        )


def test_who_runs_the_election_answers_and_not_one_s_own(
    election: Election, complaint: Complaint, officer: User, charlie: User
) -> None:
    granted, why = Answer.GRANTED, "True."
    with pytest.raises(NotAllowed):
        answer_complaint(actor=charlie, complaint=complaint, answer=granted, reason=why, at=START)
    own = complain(actor=officer, election=election, text="Mine.", at=START)
    with pytest.raises(NotAllowed, match="Somebody else"):
        answer_complaint(actor=officer, complaint=own, answer=granted, reason=why, at=START)


def test_nothing_is_ruled_after_the_result_was_declared(
    complaint: Complaint, officer: User
) -> None:
    Election.objects.update(state="declared")
    with pytest.raises(Refusal, match="declared"):
        answer_complaint(
            actor=officer, complaint=complaint, answer=Answer.GRANTED, reason="True.", at=START
        )
