"""A receipt of the ballot box, held against the board."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from governance.recount import files
from governance.recount.files import FileError
from governance.recount.words import short
from governance.sealed import board, wire
from governance.sealed.manifest import Manifest
from governance.sealed.wire import WireError, to_bytes


class ReceiptError(ValueError):
    """What is no receipt of this election; the message says why."""


@dataclass(frozen=True, slots=True)
class Found:
    """What became of the ballot of a receipt."""

    digest: str
    block: int | None  # that has it
    is_there: bool  # among the ballots that were handed over

    @property
    def is_sound(self) -> bool:
        return self.block is not None and self.is_there

    @property
    def said(self) -> str:
        name = short(self.digest)
        if self.block is None:
            return (
                f"the ballot box gave this receipt for ballot {name}, and no block has it: the box "
                "dropped the ballot. Keep the receipt, it proves this to everybody"
            )
        if not self.is_there:
            return f"ballot {name} is in block {self.block}, and was not handed over"
        return f"ballot {name} is on the board, in block {self.block}"


def look_up(receipt: bytes, manifest: Manifest, texts: Mapping[str, bytes]) -> Found:
    """Where the ballot of a receipt is: JSON with `digest` and `receipt`, as the voter keeps it.

    Raises ReceiptError where the box of this election did not give it.
    """
    digest, signature = _read(receipt, manifest)
    try:
        is_ours = board.is_receipt(manifest.election, digest, signature, manifest.box)
    except ValueError:
        is_ours = False
    if not is_ours:
        raise ReceiptError("the ballot box of this election did not sign this receipt")
    blocks = [wire.read_block(line) for line in _lines(texts, files.BLOCKS)]
    block = next((each.number for each in blocks if digest in each.ballots), None)
    there = any(_digest(line) == digest for line in _lines(texts, files.BALLOTS))
    return Found(digest, block, there)


def _read(receipt: bytes, manifest: Manifest) -> tuple[str, bytes]:
    try:
        found = json.loads(receipt)
        digest, signature = found["digest"], to_bytes(found["receipt"])
        election = found.get("election", manifest.election)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ReceiptError("this is no receipt: JSON with digest and receipt was expected") from (
            error
        )
    if election != manifest.election:
        raise ReceiptError(f"this is a receipt of another election, {election}")
    return str(digest), signature


def _lines(texts: Mapping[str, bytes], name: str) -> list[bytes]:
    try:
        return files.read_lines(texts.get(name, b""))
    except FileError as error:
        raise ReceiptError(f"{name}: {error}") from error


def _digest(line: bytes) -> str:
    try:
        return wire.read_ballot(line).digest
    except WireError:
        return ""
