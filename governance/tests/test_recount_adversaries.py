"""What somebody with the keys of one office can do, and who finds it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from governance.recount import bundle, receipts
from governance.recount.parts import Parts
from governance.sealed import board, manifest, wire
from governance.sealed.ballot import Ballot, cast
from governance.sealed.manifest import Candidate
from governance.sealed.wire import to_text
from governance.tests import finished_election as finished
from governance.tests import sealed_election as keys
from governance.tests.finished_election import Election, checked, faults
from governance.tests.sealed_election import CONTRIBUTORS, MEMBERS, NAME


@pytest.fixture
def made() -> Election:
    return finished.with_a_change()


def write(ballots: list[Ballot]) -> tuple[bytes, ...]:
    return tuple(wire.write_ballot(one) for one in sorted(ballots, key=lambda one: one.digest))


def without_checks(made: Election, **changed: Any) -> Parts:
    """As a box that takes anything would hand it over."""
    return made.parts(ballots=write(made.ballots), **changed)


# --- voters ---


def test_a_ballot_of_another_constituency_is_found(made: Election) -> None:
    """The pseudonym is of the contributors, the ballot for the members."""
    who = made.voters[CONTRIBUTORS][5]
    made.blocks[-1].append(keys.ballot(made.manifest, MEMBERS, who, b"\x01\x00"))
    assert "the registrar did not sign this pseudonym" in faults(made.parts(), "Ballots")


def test_a_ballot_moved_to_another_contest_is_found(made: Election) -> None:
    moved = replace(made.blocks[0][0], contest=MEMBERS.encode())
    made.blocks[0][0] = moved
    assert "the registrar did not sign" in faults(made.parts(), "Ballots")


def test_a_ballot_of_another_election_is_found(made: Election) -> None:
    other = replace(made.blocks[0][0], contest=b"2025-board/members")
    made.blocks[0][0] = other
    assert "its contest is not in the manifest" in faults(made.parts(), "Ballots")


def test_a_ballot_without_a_pseudonym_that_was_signed_is_found(made: Election) -> None:
    key, pseudonym = made.voters[CONTRIBUTORS][5]
    forged = (key, replace(pseudonym, signature=bytes(384)))
    made.blocks[-1].append(keys.ballot(made.manifest, CONTRIBUTORS, forged, b"\x01\x00"))
    assert "the registrar did not sign this pseudonym" in faults(made.parts(), "Ballots")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda one: replace(one, sequence=one.sequence + 1), "did not sign this ballot"),
        (lambda one: replace(one, signature=bytes(64)), "did not sign this ballot"),
        (lambda one: replace(one, envelope=bytes(len(one.envelope))), "did not sign this ballot"),
        (lambda one: replace(one, envelope=one.envelope + b"a"), "not as long"),
        (lambda one: replace(one, sequence=0), "no number from 1"),
    ],
)
def test_an_altered_ballot_is_found(
    made: Election, change: Callable[[Ballot], Ballot], why: str
) -> None:
    made.blocks[0][0] = change(made.blocks[0][0])
    said = faults(made.parts(), "Ballots")
    assert why in said
    assert made.blocks[0][0].digest[:16] in said


def test_a_ballot_that_is_replayed_is_found_on_the_board(made: Election) -> None:
    made.blocks[-1].append(made.blocks[0][0])
    assert "block 3 has a ballot of a block before it" in faults(made.parts(), "Board")


def test_a_ballot_that_is_there_twice_is_found(made: Election) -> None:
    twice = write([*made.ballots, made.ballots[0]])
    assert "is there 2 times" in faults(made.parts(ballots=twice), "Ballots")


def test_an_envelope_copied_under_another_pseudonym_does_not_vote_twice(made: Election) -> None:
    """Who copies a ballot from the board has a spoilt vote, which is named."""
    taken = made.blocks[0][0].envelope
    key, pseudonym = made.voters[CONTRIBUTORS][5]
    copy = cast(CONTRIBUTORS.encode(), key=key, pseudonym=pseudonym, sequence=1, envelope=taken)
    made.blocks[-1].append(copy)
    made.issued[CONTRIBUTORS].append(6)
    report = checked(made.parts())
    assert report.is_sound
    assert report.outcome is not None
    [spoilt] = report.outcome.contest(CONTRIBUTORS).spoilt
    assert spoilt.ballot == copy.digest
    assert "sealed for something else" in spoilt.why


def test_two_ballots_of_one_sequence_are_found(made: Election) -> None:
    """The box has to refuse the second: which of them counts would be open."""
    made.blocks[-1].append(made.cast(CONTRIBUTORS, 1, b"\x01", sequence=1))
    assert "two ballots of one pseudonym have sequence 1" in faults(without_checks(made), "Opening")


# --- the ballot box ---


def test_a_ballot_that_is_not_handed_over_is_found(made: Election) -> None:
    gone = made.ballots[3]
    rest = [one for one in made.ballots if one is not gone]
    said = faults(made.parts(ballots=write(rest)), "Ballots")
    assert f"ballot {gone.digest[:16]}… of block" in said
    assert "the box did not hand it over" in said


def test_a_ballot_in_no_block_is_found(made: Election) -> None:
    late = made.cast(CONTRIBUTORS, 5, b"\x00")
    said = faults(made.parts(ballots=write([*made.ballots, late])), "Ballots")
    assert f"ballot {late.digest[:16]}… is in no block" in said


@pytest.mark.parametrize("dropped", [0, 1])
def test_a_block_that_was_taken_out_is_found(made: Election, dropped: int) -> None:
    lines = list(made.parts().blocks)
    del lines[dropped]
    said = faults(made.parts(blocks=tuple(lines)), "Board")
    assert f"block {dropped + 1} has another number" in said


def test_the_last_block_taken_out_leaves_ballots_in_no_block(made: Election) -> None:
    said = faults(made.parts(blocks=made.parts().blocks[:-1]), "Ballots")
    assert "is in no block" in said


def test_the_last_block_taken_out_with_its_ballots_is_found_by_who_kept_it_or_has_a_receipt(
    made: Election,
) -> None:
    """The box made everything agree: nothing in the bundle tells, so others have to."""
    kept = b"".join(b"%b\n" % line for line in made.parts().blocks)
    [dropped] = made.blocks.pop()
    parts = made.parts()
    assert checked(parts).is_sound
    assert checked(parts, kept_blocks=kept).faults == [
        "block 3, which you kept, is gone from the board"
    ]
    _has_proof(made, parts, dropped)


def test_a_ballot_that_the_box_never_put_into_a_block_is_proved_by_its_receipt(
    made: Election,
) -> None:
    dropped = made.blocks[0].pop()
    parts = made.parts()
    assert checked(parts).is_sound
    _has_proof(made, parts, dropped)


def _has_proof(made: Election, parts: Parts, dropped: Ballot) -> None:
    signed = board.receipt(NAME, dropped.digest, made.private.box)
    receipt = json.dumps({"digest": dropped.digest, "receipt": to_text(signed)}).encode()
    texts = bundle.contents(parts, bundle.count(parts))
    found = receipts.look_up(receipt, made.manifest, texts)
    assert not found.is_sound
    assert "the box dropped the ballot" in found.said


def test_a_late_block_has_ballots_that_nobody_got_a_signature_for(made: Election) -> None:
    made.blocks.append([made.cast(CONTRIBUTORS, 5, b"\x00")])
    assert "made pseudonyms" in faults(made.parts(), "Right to vote")


def test_a_late_block_is_told_to_who_kept_the_board_as_it_was_at_the_close(made: Election) -> None:
    """Box and registrar together: the bundle agrees, and continues the board that was kept."""
    kept = b"".join(b"%b\n" % line for line in made.parts().blocks)
    made.blocks.append([made.cast(CONTRIBUTORS, 5, b"\x00")])
    made.issued[CONTRIBUTORS].append(6)
    assert checked(made.parts()).is_sound
    assert checked(made.parts(), kept_blocks=kept).notes == (
        "1 block came after those that you kept. If you kept them after the close, tell others.",
    )


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"total": 7}, "counts its ballots wrongly"),
        ({"election": "2025-board"}, "is of another election"),
        ({"previous": sha256(b"").hexdigest()}, "does not follow the one before it"),
    ],
)
def test_a_block_that_does_not_follow_is_found_though_the_box_signed_it(
    made: Election, change: dict[str, Any], why: str
) -> None:
    blocks = made.chain()
    unsigned = replace(blocks[1], **change, signature=b"")
    blocks[1] = replace(unsigned, signature=made.private.box.sign(unsigned.text))
    lines = tuple(wire.write_block(block) for block in blocks)
    assert f"block 2 {why}" in faults(made.parts(blocks=lines), "Board")


def test_a_board_that_another_key_signed_is_found(made: Election) -> None:
    good = made.parts()
    made.private = replace(made.private, box=Ed25519PrivateKey.generate())
    forged = replace(good, blocks=tuple(wire.write_block(block) for block in made.chain()))
    assert "block 1 is not signed by the box" in faults(forged, "Board")


# --- the registrar ---


def test_a_registrar_that_makes_pseudonyms_is_found(made: Election) -> None:
    """One ballot more than voters got a signature."""
    made.blocks[-1].append(made.cast(CONTRIBUTORS, 5, b"\x00"))
    said = faults(made.parts(), "Right to vote")
    assert "6 voters cast ballots, and 5 got a signature" in said


@pytest.mark.parametrize(
    ("numbers", "why"),
    [
        ([1, 2, 3, 4, 5, 6, 7], "number 7 has a signature, and is not on the roll"),
        ([0, 1, 2, 3, 4, 5], "number 0 has a signature, and is not on the roll"),
        ([1, 2, 3, 4, 5, 5], "not sorted, or one is there twice"),
        ([2, 1, 3, 4, 5], "not sorted"),
        ([1, 2], "5 voters cast ballots, and 2 got a signature"),
    ],
)
def test_more_signatures_than_the_roll_has_voters_are_found(
    made: Election, numbers: list[int], why: str
) -> None:
    made.issued[CONTRIBUTORS] = numbers
    assert why in faults(made.parts(), "Right to vote")


def test_signatures_of_a_contest_that_is_none_are_found(made: Election) -> None:
    made.issued["2026-board/friends"] = [1]
    del made.issued[MEMBERS]
    said = faults(made.parts(), "Right to vote")
    assert "names 2026-board/friends, which is no contest" in said
    assert "says nothing of 2026-board/members" in said


# --- the manifest ---


def other_candidates(made: Election) -> Election:
    """The first two candidates of a contest have changed their names."""
    first, second = made.manifest.contests
    one, two, *rest = first.candidates
    swapped = replace(first, candidates=(two, one, *rest))
    made.manifest = replace(made.manifest, contests=(swapped, second))
    return made


def test_a_changed_list_of_candidates_is_not_the_one_that_was_signed(made: Election) -> None:
    signed = made.parts().signatures
    parts = other_candidates(made).parts(signatures=signed)
    said = faults(parts, "Officers' signatures")
    assert said == "Officer 1 did not sign this manifest; Officer 2 did not sign this manifest"


def test_a_changed_list_that_officers_signed_later_is_not_the_one_the_board_follows(
    made: Election,
) -> None:
    blocks = made.parts().blocks
    parts = other_candidates(made).parts(blocks=blocks)
    assert "block 1 does not follow the one before it" in faults(parts, "Board")


def test_a_changed_roll_is_not_the_one_that_was_signed(made: Election) -> None:
    signed = made.parts().signatures
    first, second = made.manifest.contests
    more = (*first.roll, manifest.Voter(7, "Mallory", "Mallory"))
    made.manifest = replace(made.manifest, contests=(replace(first, roll=more), second))
    assert "Officer 1 did not sign" in faults(made.parts(signatures=signed), "Officers' signatures")


def test_an_officer_who_signs_for_both_is_found(made: Election) -> None:
    one, two = made.manifest.officers
    made.manifest = replace(made.manifest, officers=(one, replace(two, key=one.key)))
    made.private = replace(made.private, officers=made.private.officers[:1] * 2)
    assert "the same key" in faults(made.parts(), "Officers' signatures")


def test_a_signature_too_few_is_found(made: Election) -> None:
    parts = made.parts()
    said = faults(replace(parts, signatures=parts.signatures[:1]), "Officers' signatures")
    assert said == "2 officers, but 1 signatures"


def test_one_key_of_a_registrar_for_two_contests_is_found(made: Election) -> None:
    first, second = made.manifest.contests
    same = replace(second, registrar_key=first.registrar_key)
    made.manifest = replace(made.manifest, contests=(first, same))
    assert "two contests have the same registrar's key" in faults(made.parts(), "Registrars' keys")


@pytest.mark.parametrize("key", ["", "AAAA", to_text(bytes(294))])
def test_what_is_no_key_of_a_registrar_is_found(made: Election, key: str) -> None:
    first, second = made.manifest.contests
    made.manifest = replace(made.manifest, contests=(replace(first, registrar_key=key), second))
    assert "is no RSA key of 3072 bits" in faults(made.parts(), "Registrars' keys")


# --- several at once ---


def test_all_faults_are_listed(made: Election) -> None:
    made.blocks[0][0] = replace(made.blocks[0][0], signature=bytes(64))
    made.issued[MEMBERS] = [1, 2]
    report = checked(finished.with_opening(made, nonces=(b"\t" * 32, b"\t" * 32))).faults
    for why in (
        "the pseudonym did not sign this ballot",
        "4 voters cast ballots, and 2 got a signature",
        "the number of Officer 1 is not",
        "the number of Officer 2 is not",
    ):
        assert any(why in fault for fault in report), why


def test_a_candidate_who_is_in_two_contests_gets_one_seat(made: Election) -> None:
    """People are the same when name and affiliation are; statements may differ."""
    first, second = made.manifest.contests
    ada = Candidate("Ada", "Acme", "")
    contests = tuple(
        replace(each, candidates=(replace(ada, statement_sha256=str(place)), *each.candidates[1:]))
        for place, each in enumerate((first, second))
    )
    made.manifest = replace(made.manifest, contests=contests)
    votes = [made.cast(name, 0, b"\x00") for name in (CONTRIBUTORS, MEMBERS)]
    made.blocks = [votes]
    contributors, members = bundle.count(made.parts()).contests
    assert contributors.elected == (0,)
    assert 0 not in members.elected
