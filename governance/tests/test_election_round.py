"""Letters to the rolls of an election: in batches, each once; reminders to who has not begun."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import transaction
from django.test import Client

from governance.actions import election_round
from governance.actions.election import cancel_election
from governance.actions.election_round import begin_due, promise_batch, promise_due
from governance.models import Body, Credential, Election, ElectionRound, RollEntry
from governance.tests import elections as made
from governance.tests.conftest import HOUR
from portal.accounts.models import User
from portal.lib.models import OutboxMail
from tests.cast import sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db
NAMES = ["ana", "ben", "cai", "dee", "eli"]
FIRST = made.CLOSES - timedelta(days=3)
LAST = made.CLOSES - timedelta(hours=24)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(election_round, "BATCH", 2)


@shared
def officer() -> User:
    return made.make_officer()


@shared
def drawn(board: Body, officer: User) -> Election:
    """Five contributors, of whom ana speaks for a member too."""
    people = [made.make_contributor(name) for name in NAMES]
    _acme, owner = made.make_member("acme")
    election = made.draw(made.make_election(board, officer))
    RollEntry.objects.filter(voter=owner).update(voter=people[0])
    return election


@pytest.fixture
def frozen(drawn: Election) -> Election:
    promise_due()
    Election.objects.update(state="frozen", frozen_at=made.RECORD, manifest_sha256="a" * 64)
    drawn.refresh_from_db()
    return drawn


def letters(kind: str) -> list[str]:
    found = OutboxMail.objects.filter(key__startswith=f"election:2026-board:{kind}:")
    return [mail.recipient.partition("@")[0] for mail in found.order_by("pk")]


def test_everybody_on_the_roll_is_told_once_of_all_their_votes(drawn: Election) -> None:
    assert promise_due() == len(NAMES) + 1
    assert promise_due() == 0
    assert sorted(letters("roll")) == NAMES
    text = OutboxMail.objects.get(recipient="ana@example.org").text
    assert "Contributors: Ana; Corporate members: acme" in text
    assert "/governance/elections/2026-board/roll/mine/" in text


def test_who_is_killed_between_two_batches_loses_nothing_and_repeats_nothing(
    drawn: Election,
) -> None:
    pk = ElectionRound.objects.get().pk
    assert promise_batch(round_id=pk) == 2
    before = ElectionRound.objects.get().reached
    with transaction.atomic():
        promise_batch(round_id=pk)
        transaction.set_rollback(True)  # the worker died before its transaction was kept
    assert ElectionRound.objects.get().reached == before
    promise_due()
    assert sorted(letters("roll")) == NAMES


def test_voting_and_its_reminders_begin_when_their_time_comes(frozen: Election) -> None:
    assert begin_due(at=made.OPENS - HOUR) == 0
    assert begin_due(at=made.OPENS) == 1
    assert begin_due(at=made.OPENS + HOUR) == 0
    assert begin_due(at=FIRST) == 1
    assert begin_due(at=FIRST + HOUR) == 0
    assert begin_due(at=LAST) == 1
    assert begin_due(at=LAST + HOUR) == 0
    kinds = list(ElectionRound.objects.values_list("kind", flat=True))
    assert kinds == ["roll_shown", "opened", "reminder", "last_call", "closing"]


def test_who_sweeps_late_reminds_once(frozen: Election) -> None:
    begin_due(at=made.OPENS)
    begin_due(at=LAST)
    begin_due(at=LAST + HOUR)
    kinds = list(ElectionRound.objects.values_list("kind", flat=True))
    assert kinds == ["roll_shown", "opened", "last_call", "closing"]


def test_a_reminder_goes_to_who_has_no_credential(frozen: Election) -> None:
    for entry in RollEntry.objects.filter(voter__name__in=["Ana", "Ben"]):
        Credential.objects.create(entry=entry)
    begin_due(at=made.OPENS)
    begin_due(at=FIRST)
    for each in ElectionRound.objects.running():
        while promise_batch(round_id=each.pk, at=FIRST):
            pass
    assert sorted(letters("open")) == NAMES
    assert sorted(letters("reminder")) == ["cai", "dee", "eli"]


def test_that_it_closes_is_told_once_to_who_may_have_voted_with_all_their_votes(
    frozen: Election,
) -> None:
    """Ana has asked for one of her two credentials: the last reminder is hers, not this."""
    for entry in RollEntry.objects.filter(name__in=["Ana", "Ben"]):
        Credential.objects.create(entry=entry)
    ElectionRound.objects.create(election=frozen, kind="opened", begun_at=made.OPENS)
    ElectionRound.objects.update(done_at=made.OPENS)
    for _sweep in range(2):
        begin_due(at=LAST)
        for each in ElectionRound.objects.running():
            while promise_batch(round_id=each.pk, at=LAST):
                pass
    assert letters("closing") == ["ben"]
    assert sorted(letters("reminder")) == ["ana", "cai", "dee", "eli"]


def test_of_a_confidential_vote_is_known_who_voted_so_nobody_is_asked_in_vain(
    drawn: Election,
) -> None:
    ElectionRound.objects.create(election=drawn, kind="opened", begun_at=made.OPENS)
    Election.objects.update(
        state="frozen", level="confidential", frozen_at=made.RECORD, manifest_sha256="a" * 64
    )
    begin_due(at=LAST)
    assert not ElectionRound.objects.filter(kind="closing").exists()


def test_nobody_is_reminded_of_what_is_over(frozen: Election) -> None:
    begin_due(at=LAST)
    begin_due(at=LAST)
    for each in ElectionRound.objects.running():
        promise_batch(round_id=each.pk, at=made.CLOSES)
    assert not ElectionRound.objects.running().exists()
    assert letters("open") == letters("reminder") == []


def test_everybody_is_told_that_it_is_called_off_and_who_runs_it_sees_the_letters(
    drawn: Election, officer: User
) -> None:
    cancel_election(actor=officer, election=drawn, because="The roll was wrong.", at=made.RECORD)
    promise_due()
    assert sorted(letters("called-off")) == NAMES
    desk: Client = sign_in(officer)
    page = desk.get(f"{drawn.get_absolute_url()}letters/").content.decode()
    assert "all written" in page
    assert "called off" in page
    assert (
        "Nobody matches"
        in desk.get(f"{drawn.get_absolute_url()}letters/?q=nobody").content.decode()
    )
