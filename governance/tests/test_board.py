"""The board of sealed ballots: nothing is taken out, put in, doubled or moved unseen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from governance.sealed.board import (
    Block,
    BoardError,
    check_board,
    first_block,
    is_receipt,
    next_block,
    receipt,
)

KEY = Ed25519PrivateKey.generate()
ELECTION = "2026-council"
MANIFEST = "ab" * 32
Change = Callable[[list[Block]], list[Block]]


def board() -> list[Block]:
    first = first_block(ELECTION, MANIFEST, ["cc", "aa"], KEY)
    second = next_block(first, ["bb"], KEY)
    return [first, second, next_block(second, [], KEY)]


def checked(blocks: list[Block]) -> set[str]:
    return check_board(blocks, election=ELECTION, manifest_sha256=MANIFEST, key=KEY.public_key())


def signed(block: Block, **changed: object) -> Block:
    """By the box itself: what a dishonest one could do."""
    other = replace(block, **changed)  # type: ignore[arg-type]
    return replace(other, signature=KEY.sign(other.text))


def test_all_ballots_are_on_a_board_that_is_whole() -> None:
    assert checked(board()) == {"aa", "bb", "cc"}
    assert checked([]) == set()


def test_ballots_of_a_block_stand_in_the_order_of_their_digests() -> None:
    one, other = ["aa", "cc", "bb"], ["bb", "aa", "cc"]
    assert first_block(ELECTION, MANIFEST, one, KEY) == first_block(ELECTION, MANIFEST, other, KEY)


FAULTS: dict[str, tuple[Change, str]] = {
    "a block is missing": (lambda b: [b[0], b[2]], "block 2 has another number"),
    "blocks are swapped": (lambda b: [b[1], b[0]], "block 1 has another number"),
    "another manifest": (
        lambda b: [signed(b[0], previous="00")], "block 1 does not follow"),
    "a ballot was taken out": (
        lambda b: [signed(b[0], ballots=("aa",), total=1), *b[1:]], "block 2 does not follow"),
    "a ballot was exchanged": (
        lambda b: [signed(b[0], ballots=("aa", "dd")), *b[1:]], "block 2 does not follow"),
    "a ballot twice in a block": (
        lambda b: [signed(b[0], ballots=("aa", "aa"))], "not sorted, or one twice"),
    "an order that tells": (lambda b: [signed(b[0], ballots=("cc", "aa"))], "not sorted"),
    "a ballot in two blocks": (
        lambda b: [b[0], signed(b[1], ballots=("aa",))], "block 2 has a ballot of a block before"),
    "a wrong total": (lambda b: [signed(b[0], total=3)], "block 1 counts its ballots wrongly"),
    "another election": (lambda b: [signed(b[0], election="x")], "of another election"),
    "a flipped byte": (lambda b: [replace(b[0], ballots=("aa", "cd"))], "is not signed"),
    "another signer": (
        lambda b: [replace(b[0], signature=Ed25519PrivateKey.generate().sign(b[0].text))],
        "is not signed"),
    "no signature": (lambda b: [replace(b[0], signature=b"")], "is not signed"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_board_that_is_not_whole_is_found_out(fault: str) -> None:
    change, why = FAULTS[fault]
    with pytest.raises(BoardError, match=why):
        checked(change(board()))


def test_a_receipt_is_of_one_ballot_in_one_election_and_always_the_same() -> None:
    mine = receipt(ELECTION, "aa", KEY)
    assert mine == receipt(ELECTION, "aa", KEY)
    assert is_receipt(ELECTION, "aa", mine, KEY.public_key())
    for election, digest, key in [
        ("x", "aa", KEY), (ELECTION, "bb", KEY), (ELECTION, "aa", Ed25519PrivateKey.generate()),
    ]:  # fmt: skip
        assert not is_receipt(election, digest, mine, key.public_key())


def test_a_receipt_without_its_ballot_proves_that_the_box_dropped_it() -> None:
    mine = receipt(ELECTION, "dd", KEY)
    assert is_receipt(ELECTION, "dd", mine, KEY.public_key())
    assert "dd" not in checked(board())
