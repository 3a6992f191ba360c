"""Confidential votes at once, and as the election closes. On real PostgreSQL, in real threads."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from governance.actions.confidential_ballot import Receipt, cast_confidential
from governance.actions.election_close import close_due
from governance.elections import sheet
from governance.models import Body, ConfidentialBallot, Credential, Election, RollEntry
from governance.refusals import Refusal
from governance.tests import elections as made
from governance.tests.conftest import HOUR
from governance.tests.test_confidential import NOBODY, WORDS, frozen
from governance.tests.test_race import at_once
from portal.lib.models import OutboxMail

pytestmark = pytest.mark.django_db(transaction=True)
VOTERS = 10


@pytest.fixture
def entries(board: Body) -> list[RollEntry]:
    """Who is asked a question, while it is open."""
    officer = made.make_officer()
    election = made.make_question(board, officer, level="confidential")
    for number in range(VOTERS):
        made.make_contributor(f"voter{number}")
    made.draw(election)
    frozen(election, officer)
    rows = RollEntry.objects.standing().select_related("contest__election", "voter")
    return list(rows)


def casting(entry: RollEntry) -> Callable[[], object]:
    at = made.OPENS + HOUR
    return partial(
        cast_confidential, actor=entry.voter, entry=entry, vote=b"\x00", words=WORDS, at=at
    )


def test_whose_ballot_was_acknowledged_is_on_the_sheet_and_nobody_else(
    entries: list[RollEntry],
) -> None:
    close = partial(close_due, box=NOBODY, at=made.CLOSES)
    *answers, closed = at_once([*map(casting, entries), close])
    assert closed == 1
    receipts = {each.digest for each in answers if isinstance(each, Receipt)}
    refused = [each for each in answers if isinstance(each, Refusal)]
    assert len(receipts) + len(refused) == VOTERS
    election = Election.objects.get()
    assert {line.digest for line in sheet.of_ballots(election)} == receipts
    assert len(sheet.who_voted(election)["2026-board/contributors"]) == len(receipts)
    assert isinstance(at_once([casting(entries[0])])[0], Refusal)  # it is closed


def test_one_voter_in_many_windows_has_one_ballot_and_one_letter(entries: list[RollEntry]) -> None:
    answers = at_once([casting(entries[0]) for _ in range(6)])
    receipts = [each for each in answers if isinstance(each, Receipt)]
    assert len(receipts) == 6
    assert [each.replaces for each in receipts].count(False) == 1
    assert ConfidentialBallot.objects.get().digest in {each.digest for each in receipts}
    assert Credential.objects.count() == 1
    assert OutboxMail.objects.filter(subject__startswith="Your vote was taken").count() == 1
