"""A sound bundle is found sound, step by step; its outcome is what the votes say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from governance.recount import bundle, result
from governance.recount.check import check
from governance.recount.parts import Left, Parts
from governance.tests import finished_election as finished
from governance.tests.sealed_election import CONTRIBUTORS, MEMBERS

GONE = Left(CONTRIBUTORS, 2, "withdrew", "2026-11-10", "moved away")


@pytest.fixture(scope="module")
def parts() -> Parts:
    return finished.with_a_change().parts()


@pytest.fixture(scope="module", params=["sealed", "confidential"])
def either(request: pytest.FixtureRequest, parts: Parts) -> Parts:
    return parts if request.param == "sealed" else finished.confidential()


def test_a_sound_bundle_agrees_in_every_step(either: Parts) -> None:
    report = check(finished.contents(either))
    assert report.faults == []
    assert report.notes == ()
    assert all(step.said for step in report.steps)


def test_steps_say_how_many(parts: Parts) -> None:
    said = {step.title: step.said for step in check(finished.contents(parts)).steps}
    assert "3 blocks with 10 ballots" in said["Board"]
    assert "Contributors: 5 voted ≤ 5 signatures ≤ 6 on the roll" in said["Right to vote"]
    assert "2 shares of 3" in said["Scrutineers' shares"]
    assert "7 that say something, 1 blank, 1 spoilt; 1 ballot replaced" in said["Opening"]
    assert "the paper names a candidate twice" in said["Opening"]
    assert "Contributors: Candidate 2 elected (5 of 6 voted)" in said["Count"]


def test_the_last_ballot_of_a_voter_counts(parts: Parts) -> None:
    votes = bundle.votes(parts)[CONTRIBUTORS]
    assert sorted(votes.papers) == sorted([b"\x02", b"\x00\x02", b"\x01", b"\x02\x01", b""])
    assert votes.replaced == 1


def test_blank_and_spoilt_votes_take_part(parts: Parts) -> None:
    contributors, members = bundle.count(parts).contests
    assert (contributors.took_part, contributors.blank, contributors.valid) == (5, 1, 4)
    assert (members.took_part, len(members.spoilt), members.valid) == (4, 1, 3)


def test_a_result_is_read_as_it_was_written(either: Parts) -> None:
    counted = bundle.count(either)
    assert result.read(result.write(counted)) == counted


def test_the_same_parts_are_the_same_bytes(either: Parts) -> None:
    turned = replace(
        either,
        sheet=either.sheet[::-1],
        issued=dict(reversed(list(either.issued.items()))),
        opening=replace(either.opening, shares=either.opening.shares[::-1]),
    )
    assert finished.packed(turned) == finished.packed(either)


def test_an_archive_is_read_as_it_was_packed(parts: Parts) -> None:
    assert bundle.unpack(finished.packed(parts)) == finished.contents(parts)


def test_who_left_is_counted_with_and_without(parts: Parts) -> None:
    contributors, members = bundle.count(replace(parts, left=(GONE,))).contests
    assert contributors.everybody.elected == (2,)
    assert contributors.without is not None
    assert contributors.without.elected == contributors.elected
    assert 2 not in contributors.elected
    assert members.without is not None
    assert check(finished.contents(replace(parts, left=(GONE,)))).is_sound


def test_who_has_a_seat_does_not_stand_in_a_later_contest(parts: Parts) -> None:
    contributors, members = bundle.count(parts).contests
    assert contributors.elected == members.everybody.seated == (2,)
    assert members.elected == (1,)


def test_without_a_quorum_nobody_is_elected_and_nobody_taken_from_others() -> None:
    parts = finished.election(quorum=5).parts()
    contributors, members = bundle.count(parts).contests
    assert (contributors.has_quorum, members.has_quorum) == (True, False)
    assert members.elected == ()
    assert members.everybody.elected != ()
    none = bundle.count(finished.election(quorum=9).parts()).contests
    assert none[1].everybody.seated == ()


@pytest.mark.parametrize(
    ("left", "why"),
    [
        (replace(GONE, contest="another"), "no contest"),
        (replace(GONE, candidate=3), "never stood"),
    ],
)
def test_who_never_stood_cannot_leave(parts: Parts, left: Left, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        bundle.count(replace(parts, left=(left,)))


def test_a_contest_that_everybody_left_elects_nobody(parts: Parts) -> None:
    everybody = tuple(replace(GONE, contest=MEMBERS, candidate=one) for one in range(3))
    members = bundle.count(replace(parts, left=everybody)).contest(MEMBERS)
    assert members.elected == ()
    assert members.stands.rounds == ()
    assert check(finished.contents(replace(parts, left=everybody))).is_sound
