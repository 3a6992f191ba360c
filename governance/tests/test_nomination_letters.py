"""Letters about nominations: to who may put forward, to who lacks seconds, each once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from governance.actions import election_round
from governance.actions.candidacy import accept_nomination, nominate, second_nomination
from governance.actions.election import cancel_election
from governance.actions.election_round import begin_due, promise_batch
from governance.elections import enfranchised
from governance.models import Body, Election, ElectionRound
from governance.tests import elections as made
from governance.tests.conftest import DAY, HOUR, START
from portal.accounts.models import User
from portal.lib.models import OutboxMail
from tests.shared import shared

pytestmark = pytest.mark.django_db
ASKED = made.NOMINATIONS_END - timedelta(days=3)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(election_round, "BATCH", 2)


@shared
def officer() -> User:
    return made.make_officer()


@shared
def people() -> list[User]:
    return [made.make_contributor(name) for name in ("ana", "ben", "cai")]


@shared
def election(board: Body, officer: User, people: list[User]) -> Election:
    made.make_member("acme")
    return made.make_election(board, officer, seconds_needed=2)


def sweep(at: object) -> None:
    begin_due(at=at)  # type: ignore[arg-type]
    for each in ElectionRound.objects.running():
        while promise_batch(round_id=each.pk, at=at):  # type: ignore[arg-type]
            pass


def letters(kind: str) -> list[str]:
    found = OutboxMail.objects.filter(key__startswith=f"election:2026-board:{kind}:")
    return sorted(mail.recipient.partition("@")[0] for mail in found)


def test_everybody_who_may_nominate_is_told_once_when_nominations_open(election: Election) -> None:
    sweep(made.NOMINATIONS - HOUR)
    assert letters("nominations") == []
    sweep(made.NOMINATIONS)
    sweep(made.NOMINATIONS + HOUR)
    assert letters("nominations") == ["acme-owner", "ana", "ben", "cai"]
    text = OutboxMail.objects.get(recipient="ana@example.org").text
    assert "Contributors, 2 seats; Corporate members, 1 seat" in text
    assert "/governance/elections/2026-board/" in text


def test_the_register_is_asked_once_however_many_batches_there_are(
    election: Election, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    real = enfranchised.may_nominate

    def counted(*args: Any) -> set[int]:
        asked.append(args)
        return real(*args)

    monkeypatch.setattr(enfranchised, "may_nominate", counted)
    sweep(made.NOMINATIONS)
    assert len(letters("nominations")) == 4
    assert len(asked) == 1


def test_who_was_asked_or_put_forward_is_told_that_it_is_called_off(
    election: Election, officer: User, people: list[User], charlie: User
) -> None:
    """There is no roll yet whose voters could be told."""
    before = {"actor": people[0], "contest": made.contest_of(election, "contributors")}
    nominate(nominee=charlie, at=made.NOMINATIONS, **before)  # type: ignore[arg-type]
    sweep(made.NOMINATIONS)
    cancel_election(actor=officer, election=election, because="A mistake.", at=made.NOMINATIONS)
    sweep(made.NOMINATIONS)
    sweep(made.NOMINATIONS + HOUR)
    assert letters("called-off") == ["acme-owner", "ana", "ben", "cai", "charlie"]


def test_of_a_draft_that_is_called_off_nobody_hears(
    board: Body, officer: User, people: list[User]
) -> None:
    draft = made.make_draft(board, officer)
    cancel_election(actor=officer, election=draft, because="A mistake.", at=START)
    sweep(START)
    assert letters("called-off") == []


def test_of_two_constituencies_only_the_one_that_votes_is_asked(
    board: Body, officer: User, people: list[User]
) -> None:
    made.make_member("acme")
    election = made.make_election(board, officer)
    election.contests.filter(constituency="members").delete()
    sweep(made.NOMINATIONS)
    assert letters("nominations") == ["ana", "ben", "cai"]


def test_where_a_question_alone_is_asked_nobody_is_told_to_nominate(
    board: Body, officer: User, people: list[User]
) -> None:
    asked = made.make_question(board, officer)
    sweep(made.NOMINATIONS)
    assert not asked.rounds.exists()


def test_who_lacks_seconds_is_told_three_days_before_the_end_once(
    election: Election, people: list[User]
) -> None:
    ana, ben, cai = people
    contest = made.contest_of(election, "contributors")
    lacks = nominate(actor=ana, contest=contest, nominee=ana, at=START)
    second_nomination(actor=ben, candidacy=lacks, at=START)
    full = nominate(actor=ben, contest=contest, nominee=ben, at=START)
    for other in (ana, cai):
        second_nomination(actor=other, candidacy=full, at=START)
    nominate(actor=ana, contest=contest, nominee=cai, at=START)  # who has not answered
    sweep(ASKED - HOUR)
    assert letters("seconds") == []
    sweep(ASKED)
    sweep(ASKED + HOUR)
    assert letters("seconds") == ["ana"]
    text = OutboxMail.objects.get(key__contains=":seconds:").text
    assert "1 person who seconds you" in text
    assert "1 of 2" in text
    assert f"/candidates/{lacks.pk}/" in text


def test_who_begins_to_stand_after_that_is_told_at_once(
    election: Election, people: list[User]
) -> None:
    ana, ben, _cai = people
    sweep(ASKED)
    contest = made.contest_of(election, "contributors")
    nominate(actor=ana, contest=contest, nominee=ana, at=ASKED + DAY)
    asked = nominate(actor=ana, contest=contest, nominee=ben, at=ASKED + DAY)
    assert letters("seconds") == ["ana"]
    for statement in ("I want to.", "I really want to."):
        accept_nomination(
            actor=ben, candidacy=asked, affiliation="", statement=statement, at=ASKED + DAY
        )
    assert letters("seconds") == ["ana", "ben"]


def test_nobody_is_asked_to_nominate_in_what_is_called_off(
    election: Election, officer: User
) -> None:
    begin_due(at=made.NOMINATIONS)
    cancel_election(actor=officer, election=election, because="A fault.", at=START)
    round_id = ElectionRound.objects.get(kind="nominations").pk
    assert promise_batch(round_id=round_id, at=START) == 0
    assert letters("nominations") == []
    assert ElectionRound.objects.get(kind="nominations").done_at == START
