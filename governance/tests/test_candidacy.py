"""Nominations: by oneself or others, seconded, accepted, declined, withdrawn."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from governance.actions.candidacy import (
    accept_nomination,
    disqualify,
    leave,
    nominate,
    second_nomination,
)
from governance.actions.complaint import answer_complaint, complain
from governance.models import Body, Candidacy, Complaint, Contest, Election
from governance.refusals import NotAllowed, Refusal
from governance.tests import elections as made
from governance.tests.conftest import DAY, START
from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role
from portal.lib.models import OutboxMail
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def officer() -> User:
    return made.make_officer()


@shared
def contributors() -> list[User]:
    return [made.make_contributor(name) for name in ("cora", "carl", "cleo")]


@shared
def election(board: Body, officer: User) -> Election:
    return made.make_election(board, officer)


@shared
def contest(election: Election) -> Contest:
    return made.contest_of(election, "contributors")


@pytest.mark.parametrize("written", ["Independent", " independent ", "none", "Self-employed", "–"])
def test_who_has_no_employer_is_not_limited_with_others_who_have_none(
    contest: Contest, contributors: list[User], written: str
) -> None:
    cora = contributors[0]
    stands = nominate(actor=cora, contest=contest, nominee=cora, affiliation=written, at=START)
    assert stands.affiliation == ""
    accept_nomination(actor=cora, candidacy=stands, affiliation=written, statement="", at=START)
    assert Candidacy.objects.get().affiliation == ""


def test_two_spellings_of_an_employer_are_one(contest: Contest, contributors: list[User]) -> None:
    cora, carl, _ = contributors
    nominate(actor=cora, contest=contest, nominee=cora, affiliation="Northwind Data", at=START)
    other = nominate(
        actor=carl, contest=contest, nominee=carl, affiliation=" northwind  data", at=START
    )
    assert other.affiliation == "Northwind Data"
    mended = accept_nomination(
        actor=cora,
        candidacy=Candidacy.objects.get(user=cora),
        affiliation="Northwind DATA",
        statement="",
        at=START,
    )
    assert mended.affiliation == "Northwind Data"


def standing(contest: Contest) -> list[str]:
    return [each.name for each in contest.candidacies.standing()]


def test_one_who_stands_and_is_seconded_is_a_candidate(
    contest: Contest, contributors: list[User]
) -> None:
    cora, carl, _ = contributors
    nomination = nominate(
        actor=cora, contest=contest, nominee=cora, statement="Tests first.", at=START
    )
    assert (nomination.accepted_at, standing(contest)) == (START, [])
    second_nomination(actor=carl, candidacy=nomination, at=START)
    assert standing(contest) == ["Cora"]


def test_one_who_is_nominated_by_another_is_asked_first(
    contest: Contest, contributors: list[User], charlie: User
) -> None:
    cora, carl, _ = contributors
    nomination = nominate(actor=cora, contest=contest, nominee=charlie, at=START)
    second_nomination(actor=carl, candidacy=nomination, at=START)
    assert standing(contest) == []
    accept_nomination(
        actor=charlie, candidacy=nomination, affiliation="Acme", statement="Yes.", at=START
    )
    assert standing(contest) == ["Charlie"]
    nomination.refresh_from_db()
    assert (nomination.affiliation, nomination.statement) == ("Acme", "Yes.")


def test_nobody_answers_for_another(contest: Contest, contributors: list[User]) -> None:
    cora, carl, cleo = contributors
    nomination = nominate(actor=cora, contest=contest, nominee=carl, at=START)
    with pytest.raises(NotAllowed, match="Only Carl"):
        accept_nomination(actor=cleo, candidacy=nomination, affiliation="", statement="", at=START)
    with pytest.raises(NotAllowed, match="Only Carl"):
        leave(actor=cora, candidacy=nomination, at=START)


@pytest.mark.parametrize(
    ("at", "why"),
    [
        (made.ANNOUNCED, "Nominations open on"),
        (made.NOMINATIONS_END, "Nominations closed on"),
    ],
)
def test_nobody_is_nominated_outside_the_window(
    contest: Contest, contributors: list[User], at: object, why: str
) -> None:
    with pytest.raises(Refusal, match=why):
        nominate(actor=contributors[0], contest=contest, nominee=contributors[0], at=at)  # type: ignore[arg-type]


def test_only_the_constituency_nominates_and_seconds(
    contest: Contest, contributors: list[User], charlie: User
) -> None:
    with pytest.raises(NotAllowed, match="Contributors"):
        nominate(actor=charlie, contest=contest, nominee=charlie, at=START)
    nomination = nominate(actor=contributors[0], contest=contest, nominee=contributors[0], at=START)
    with pytest.raises(NotAllowed, match="Contributors"):
        second_nomination(actor=charlie, candidacy=nomination, at=START)


def test_a_second_comes_once_and_from_somebody_else(
    contest: Contest, contributors: list[User]
) -> None:
    cora, carl, cleo = contributors
    nomination = nominate(actor=cora, contest=contest, nominee=carl, at=START)
    for person in (cora, carl):
        with pytest.raises(NotAllowed, match="somebody else"):
            second_nomination(actor=person, candidacy=nomination, at=START)
    second_nomination(actor=cleo, candidacy=nomination, at=START)
    with pytest.raises(Refusal, match="already"):
        second_nomination(actor=cleo, candidacy=nomination, at=START)


def test_who_is_nominated_already_is_not_nominated_again(
    contest: Contest, contributors: list[User]
) -> None:
    nominate(actor=contributors[0], contest=contest, nominee=contributors[1], at=START)
    with pytest.raises(Refusal, match="Carl is nominated already"):
        nominate(actor=contributors[2], contest=contest, nominee=contributors[1], at=START)


def test_who_declined_may_be_asked_again(contest: Contest, contributors: list[User]) -> None:
    cora, carl, _ = contributors
    nomination = nominate(actor=cora, contest=contest, nominee=carl, at=START)
    assert leave(actor=carl, candidacy=nomination, at=START).leaving == "declined"
    with pytest.raises(Refusal, match="do not stand any more"):
        accept_nomination(actor=carl, candidacy=nomination, affiliation="", statement="", at=START)
    again = nominate(actor=carl, contest=contest, nominee=carl, at=START)
    assert (again.pk, again.left_at, again.leaving) == (nomination.pk, None, "")


def test_one_who_was_disqualified_stays_out_and_everybody_reads_why(
    contest: Contest, contributors: list[User], officer: User
) -> None:
    nomination = nominate(actor=contributors[0], contest=contest, nominee=contributors[0], at=START)
    with pytest.raises(NotAllowed):
        disqualify(actor=contributors[1], candidacy=nomination, reason="No.", at=START)
    with pytest.raises(Refusal, match="Name the rule"):
        disqualify(actor=officer, candidacy=nomination, reason=" ", at=START)
    disqualify(actor=officer, candidacy=nomination, reason="Bylaw 4.3", at=START)
    nomination.refresh_from_db()
    assert (nomination.leaving, nomination.leaving_reason) == ("disqualified", "Bylaw 4.3")
    letter = OutboxMail.objects.get(key__startswith="election:2026-board:disqualified:")
    assert letter.recipient == contributors[0].email
    assert "Bylaw 4.3" in letter.text
    with pytest.raises(Refusal, match="disqualified"):
        nominate(actor=contributors[0], contest=contest, nominee=contributors[0], at=START)
    with pytest.raises(Refusal, match="does not stand any more"):
        disqualify(actor=officer, candidacy=nomination, reason="Twice", at=START)


def test_who_stands_rules_on_nobody_else_in_it(
    contest: Contest, contributors: list[User], officer: User
) -> None:
    cora, carl, _ = contributors
    RoleGrant.objects.create(user=carl, role=Role.ELECTION_OFFICER, since=START - DAY)
    stands = nominate(actor=cora, contest=contest, nominee=cora, at=START)
    own = nominate(actor=carl, contest=contest, nominee=carl, at=START)
    with pytest.raises(NotAllowed, match="You stand in this election"):
        disqualify(actor=carl, candidacy=stands, reason="Bylaw 4.3", at=START)
    complaint = complain(actor=cora, election=contest.election, text="Too late.", at=START)
    answer: dict[str, Any] = {
        "answer": Complaint.Answer.REFUSED,
        "reason": "It was in time.",
        "at": START,
    }
    with pytest.raises(NotAllowed, match="You stand in this election"):
        answer_complaint(actor=carl, complaint=complaint, **answer)
    leave(actor=carl, candidacy=own, at=START)
    answer_complaint(actor=carl, complaint=complaint, **answer)
    disqualify(actor=carl, candidacy=stands, reason="Bylaw 4.3", at=START)


def test_a_name_on_the_ballot_stays_there_when_its_bearer_withdraws(
    contest: Contest, contributors: list[User]
) -> None:
    stands = made.put_forward(
        contest.election, "contributors", contributors[0], seconded_by=contributors[1]
    )
    Candidacy.objects.update(number=0)
    Election.objects.update(frozen_at=made.OPENS, manifest_sha256="a" * 64, state="frozen")
    assert leave(actor=contributors[0], candidacy=stands, at=made.OPENS).leaving == "withdrew"
    assert [each.name for each in contest.candidacies.on_the_ballot()] == ["Cora"]
    for change in ({"name": "Other"}, {"number": 1}, {"statement": "x"}, {"left_at": None}):
        with pytest.raises(IntegrityError, match="stays as it is"), transaction.atomic():
            Candidacy.objects.update(**change)


def test_nobody_withdraws_once_the_votes_are_counted(
    contest: Contest, contributors: list[User]
) -> None:
    stands = made.put_forward(
        contest.election, "contributors", contributors[0], seconded_by=contributors[1]
    )
    Election.objects.update(counted_at=made.CLOSES, state="counted")
    with pytest.raises(Refusal, match="resign"):
        leave(actor=contributors[0], candidacy=stands, at=made.CLOSES)
