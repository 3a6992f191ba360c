"""What scrutineers and officers can do after the close; recounts of confidential elections."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest

from governance.recount.parts import Line
from governance.tests import finished_election as finished
from governance.tests.finished_election import Election, checked, faults
from governance.tests.sealed_election import CONTRIBUTORS


@pytest.fixture
def made() -> Election:
    return finished.with_a_change()


def test_a_share_that_was_not_given_out_is_found(made: Election) -> None:
    one, two = made.opening().shares
    wrong = replace(two, value=two.value ^ 1)
    said = faults(finished.with_opening(made, shares=(one, wrong)), "Scrutineers' shares")
    assert "the share of Scrutineer 2 is not the one they were given" in said
    assert "2 shares are needed, 1 are here" in said


def test_all_shares_may_be_there_and_any_two_are_enough(made: Election) -> None:
    for shares in (made.private.shares, made.private.shares[1:], made.private.shares[::2]):
        assert checked(finished.with_opening(made, shares=tuple(shares))).is_sound


def test_another_election_key_is_found(made: Election) -> None:
    wrong = made.opening().election_key ^ 1
    report = checked(finished.with_opening(made, election_key=wrong))
    assert "the shares do not make the election key that is in the bundle" in report.faults
    assert "the election key does not belong to the one in the manifest" in report.faults


def test_another_number_of_an_officer_is_found(made: Election) -> None:
    """They would choose the lots."""
    first, _ = made.opening().nonces
    said = faults(
        finished.with_opening(made, nonces=(first, bytes(32))), "Officers' numbers for the lot"
    )
    assert said == "the number of Officer 2 is not the one in the manifest"
    assert "2 officers, but 1 numbers" in faults(
        finished.with_opening(made, nonces=(first,)), "Officers' numbers for the lot"
    )


# --- confidential elections ---


def test_a_line_more_than_voters_is_found() -> None:
    parts = finished.confidential()
    more = Line(CONTRIBUTORS, sha256(b"more").hexdigest(), b"\x00")
    said = faults(replace(parts, sheet=(*parts.sheet, more)), "Right to vote")
    assert said == "2026-board/contributors: 5 voted, and the sheet has 6 ballots"


def test_a_line_of_no_contest_and_one_that_is_there_twice_are_found() -> None:
    parts = finished.confidential()
    first, *rest = parts.sheet
    other = replace(first, contest="2026-board/friends")
    assert "no contest here" in faults(replace(parts, sheet=(other, *rest)), "Sheet")
    assert "is there 2 times" in faults(replace(parts, sheet=(first, first, *rest)), "Sheet")


def test_who_voted_is_on_the_roll() -> None:
    parts = finished.confidential()
    voted = {**parts.issued, CONTRIBUTORS: [1, 2, 3, 4, 9]}
    assert "number 9 voted, and is not on the roll" in faults(
        replace(parts, issued=voted), "Right to vote"
    )
