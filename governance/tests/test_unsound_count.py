"""A count that does not agree with what was signed: nothing is published, and it is told."""

from __future__ import annotations

from typing import Any

import pytest

from governance.actions.confidential_ballot import cast_confidential
from governance.actions.election_close import close_due
from governance.actions.election_count import count_due
from governance.demonstrations.ceremony import Ceremony
from governance.models import Body, Election, ElectionOfficer, RollEntry
from governance.tests import elections as made
from governance.tests.conftest import HOUR
from portal import health
from portal.accounts.models import User
from portal.lib.models import OutboxMail
from tests.cast import make_person, sign_in

pytestmark = pytest.mark.django_db
NOBODY: Any = None  # neither registrar nor box is asked of a confidential election
FAULT = "f" * 64


@pytest.fixture
def officer() -> User:
    return made.make_officer()


@pytest.fixture
def election(board: Body, officer: User) -> Election:
    """Closed, and all numbers are told."""
    election = made.make_question(board, officer, level="confidential")
    made.make_contributor("cora")
    made.draw(election)
    signers = [make_person(f"signer{n}") for n in (1, 2)]
    at = made.NOMINATIONS_END
    ceremony = Ceremony(election, officer, scrutineers=[], officers=signers, at=at)
    ceremony.make_keys()
    ceremony.freeze(NOBODY, NOBODY)
    entry = RollEntry.objects.get()
    cast_confidential(
        actor=entry.voter, entry=entry, vote=b"\x00", words="any words at all", at=made.OPENS + HOUR
    )
    close_due(box=NOBODY, at=made.CLOSES)
    election.refresh_from_db()
    ceremony.tell(at=made.CLOSES)
    return election


def count() -> int:
    return count_due(registrar=NOBODY, box=NOBODY, at=made.CLOSES)


def test_what_is_unsound_is_told_once_to_who_runs_it_and_to_the_operator(
    election: Election, officer: User
) -> None:
    number = ElectionOfficer.objects.get(place=1).nonce
    ElectionOfficer.objects.filter(place=1).update(nonce=FAULT)
    for _sweep in range(2):
        assert count() == 0
    election.refresh_from_db()
    assert election.state == Election.State.CLOSED
    assert "Signer1" in election.count_fault
    assert any(election.count_fault in text for text in health.warnings())
    [letter] = OutboxMail.objects.filter(key__startswith="election:2026-board:unsound:")
    assert letter.recipient == officer.email
    page = sign_in(officer).get(election.get_absolute_url()).content.decode()
    assert "It cannot be counted" in page
    assert (
        "It cannot be counted"
        not in sign_in(make_person("x")).get(election.get_absolute_url()).content.decode()
    )
    ElectionOfficer.objects.filter(place=1).update(nonce=number)
    assert count() == 1
    election.refresh_from_db()
    assert election.count_fault == ""
    assert not [text for text in health.warnings() if "cannot be counted" in text]
