"""A receipt of the ballot box, held against the board; or of a confidential ballot, its sheet."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from governance.recount import files
from governance.recount.files import FileError
from governance.recount.parts import Line
from governance.recount.words import short
from governance.sealed import board, wire
from governance.sealed import line as names
from governance.sealed.manifest import CONFIDENTIAL, Manifest
from governance.sealed.wire import WireError, to_bytes

FORMAT: Final = "foundation-portal receipt 1"  # of a confidential ballot


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


@dataclass(frozen=True, slots=True)
class FoundLine:
    """What became of a confidential ballot."""

    digest: str
    line: Line | None

    @property
    def is_sound(self) -> bool:
        return self.line is not None

    @property
    def said(self) -> str:
        if self.line is None:
            return (
                f"the sheet has no line {short(self.digest)}: the ballot of this receipt was left "
                "out, or the voter cast another after it. Ask the officers"
            )
        paper = self.line.paper.hex() or "blank"
        return f"line {short(self.digest)} of the sheet is of this receipt; its paper: {paper}"


def look_up(receipt: bytes, manifest: Manifest, texts: Mapping[str, bytes]) -> Found | FoundLine:
    """What became of the ballot of a receipt. Raises ReceiptError for what is none."""
    if manifest.level == CONFIDENTIAL:
        return _on_the_sheet(receipt, manifest, texts)
    return _on_the_board(receipt, manifest, texts)


def _on_the_sheet(receipt: bytes, manifest: Manifest, texts: Mapping[str, bytes]) -> FoundLine:
    """The receipt has both parts of its key, so that the name of the line is worked out anew."""
    try:
        found = json.loads(receipt)
        drawn, words = bytes.fromhex(found["portal"]), str(found["words"])
        digest = names.name_of(names.key_of(drawn, words), manifest.election)
        is_ours = (found["election"], found["digest"]) == (manifest.election, digest)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ReceiptError("this is no receipt of a confidential ballot") from error
    if not is_ours:
        raise ReceiptError("the name on this receipt does not follow from its key and election")
    try:
        lines = files.read_sheet(texts.get(files.SHEET, b""))
    except FileError as error:
        raise ReceiptError(f"{files.SHEET}: {error}") from error
    return FoundLine(digest, next((one for one in lines if one.digest == digest), None))


def _on_the_board(receipt: bytes, manifest: Manifest, texts: Mapping[str, bytes]) -> Found:
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
