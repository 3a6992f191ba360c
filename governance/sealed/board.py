"""The board: blocks of ballots that follow each other, so that none can be taken out unseen.

A block has the digests of the ballots that are new, sorted, so that no order of casting is told;
each names the one before it by its hash and is signed by the box. A receipt is the box's signature
under one digest: a ballot with a receipt that is in no block proves that the box dropped it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

_BLOCK: Final = "foundation-portal block 1"
_RECEIPT: Final = "foundation-portal receipt 1"


class BoardError(ValueError):
    """A board that is not whole; the message says at which block and why."""


@dataclass(frozen=True, slots=True)
class Block:
    """The ballots of one epoch."""

    election: str
    number: int  # from 1
    previous: str  # the hash of the block before; of the manifest for the first
    ballots: tuple[str, ...]  # digests in their order
    total: int  # ballots in this block and all before
    signature: bytes = b""

    @property
    def text(self) -> bytes:
        """What is hashed and signed: lines, each ended by a line feed."""
        head = [_BLOCK, self.election, str(self.number), self.previous, str(self.total)]
        return "".join(f"{line}\n" for line in [*head, *self.ballots]).encode()

    @property
    def hash(self) -> str:
        return hashlib.sha256(self.text).hexdigest()


def first_block(
    election: str, manifest_sha256: str, ballots: Iterable[str], key: Ed25519PrivateKey
) -> Block:
    """The block that follows the manifest."""
    return _signed(Block(election, 1, manifest_sha256, *_numbered(ballots, 0)), key)


def next_block(last: Block, ballots: Iterable[str], key: Ed25519PrivateKey) -> Block:
    """The block that follows another."""
    fresh, total = _numbered(ballots, last.total)
    return _signed(Block(last.election, last.number + 1, last.hash, fresh, total), key)


def check_board(
    blocks: Sequence[Block], *, election: str, manifest_sha256: str, key: Ed25519PublicKey
) -> set[str]:
    """The digests of all ballots. Raises BoardError at the first block that does not follow."""
    found: set[str] = set()
    previous = manifest_sha256
    for number, block in enumerate(blocks, 1):
        fresh = set(block.ballots)
        faults = {
            "is of another election": block.election != election,
            "has another number": block.number != number,
            "does not follow the one before it": block.previous != previous,
            "has ballots that are not sorted, or one twice": (list(block.ballots) != sorted(fresh)),
            "has a ballot of a block before it": bool(fresh & found),
            "counts its ballots wrongly": block.total != len(found) + len(block.ballots),
            "is not signed by the box": not _is_signed(key, block.signature, block.text),
        }
        for fault, is_there in faults.items():
            if is_there:
                raise BoardError(f"block {number} {fault}")
        found |= fresh
        previous = block.hash
    return found


def receipt(election: str, digest: str, key: Ed25519PrivateKey) -> bytes:
    """The box's word that it has this ballot; always the same for the same ballot."""
    return key.sign(_receipt_text(election, digest))


def is_receipt(election: str, digest: str, signature: bytes, key: Ed25519PublicKey) -> bool:
    """Whether the box gave this receipt for the ballot of that digest."""
    return _is_signed(key, signature, _receipt_text(election, digest))


def _numbered(ballots: Iterable[str], before: int) -> tuple[tuple[str, ...], int]:
    fresh = tuple(sorted(ballots))
    return fresh, before + len(fresh)


def _signed(block: Block, key: Ed25519PrivateKey) -> Block:
    parts = (block.election, block.number, block.previous, block.ballots, block.total)
    return Block(*parts, signature=key.sign(block.text))


def _receipt_text(election: str, digest: str) -> bytes:
    return f"{_RECEIPT}\n{election}\n{digest}\n".encode()


def _is_signed(key: Ed25519PublicKey, signature: bytes, text: bytes) -> bool:
    try:
        key.verify(signature, text)
    except InvalidSignature:
        return False
    return True
