"""Ballots and blocks as JSON, one object in a line; bytes are base64url without padding."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any, Final

from governance.sealed.ballot import Ballot, Pseudonym
from governance.sealed.board import Block

LARGEST_BALLOT: Final = 16 * 2**10  # bytes of JSON
_BALLOT: Final = {
    "contest": str,
    "point": str,
    "prefix": str,
    "registrar_signature": str,
    "sequence": int,
    "envelope": str,
    "signature": str,
}
_BLOCK: Final = {
    "election": str,
    "number": int,
    "previous": str,
    "total": int,
    "ballots": list,
    "signature": str,
}


class WireError(ValueError):
    """What is no ballot or block; the message says why."""


def to_text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def to_bytes(text: str) -> bytes:
    """Raises WireError for what `to_text` would not have written."""
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise WireError("this is no base64url") from error
    if to_text(data) != text:
        raise WireError("this is no base64url without padding")
    return data


def write_ballot(ballot: Ballot) -> bytes:
    """One line, without its end."""
    return _line(
        {
            "contest": ballot.contest.decode(),
            "point": to_text(ballot.pseudonym.point),
            "prefix": to_text(ballot.pseudonym.prefix),
            "registrar_signature": to_text(ballot.pseudonym.signature),
            "sequence": ballot.sequence,
            "envelope": to_text(ballot.envelope),
            "signature": to_text(ballot.signature),
        }
    )


def read_ballot(line: bytes) -> Ballot:
    """Raises WireError for what is not written as a ballot; `ballot.check` asks if it counts."""
    fields = _fields(line, _BALLOT)
    return Ballot(
        fields["contest"].encode(),
        Pseudonym(
            to_bytes(fields["point"]),
            to_bytes(fields["prefix"]),
            to_bytes(fields["registrar_signature"]),
        ),
        fields["sequence"],
        to_bytes(fields["envelope"]),
        to_bytes(fields["signature"]),
    )


def write_block(block: Block) -> bytes:
    """One line, without its end."""
    return _line(
        {
            "election": block.election,
            "number": block.number,
            "previous": block.previous,
            "total": block.total,
            "ballots": list(block.ballots),
            "signature": to_text(block.signature),
        }
    )


def read_block(line: bytes) -> Block:
    """Raises WireError for what is not written as a block; `board.check_board` checks all."""
    fields = _fields(line, _BLOCK)
    ballots = tuple(fields["ballots"])
    if not all(type(digest) is str for digest in ballots):
        raise WireError("the ballots of a block are digests")
    return Block(
        fields["election"],
        fields["number"],
        fields["previous"],
        ballots,
        fields["total"],
        to_bytes(fields["signature"]),
    )


def _line(fields: dict[str, Any]) -> bytes:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()


def _fields(line: bytes, kinds: dict[str, type]) -> dict[str, Any]:
    """The object of a line, with exactly these fields of these kinds."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise WireError("this is no JSON") from error
    if not isinstance(fields, dict) or fields.keys() != kinds.keys():
        raise WireError(f"an object with {', '.join(kinds)} was expected")
    for name, kind in kinds.items():
        if type(fields[name]) is not kind:
            raise WireError(f"{name} is no {kind.__name__}")
    try:
        json.dumps(fields, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:  # half of a pair of surrogates
        raise WireError("a text of it cannot be written in UTF-8") from error
    return fields
