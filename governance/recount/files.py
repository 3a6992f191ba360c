"""The parts of an election as the files of its bundle, and back; each written in one way only."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from governance.bundle import chain, plain
from governance.recount.parts import Left, Line, Opening, Parts
from governance.sealed.sharing import ORDER, SALT, Share
from governance.sealed.wire import WireError, to_bytes, to_text

MANIFEST: Final = "manifest.json"
SIGNATURES: Final = "signatures.json"
ISSUED: Final = "issued.json"
VOTED: Final = "voted.json"
BLOCKS: Final = "blocks.jsonl"
BALLOTS: Final = "ballots.jsonl"
SHEET: Final = "sheet.csv"
OPENING: Final = "opening.json"
LEFT: Final = "left.json"
RESULT: Final = "result.json"
OF_SEALED: Final = (MANIFEST, SIGNATURES, ISSUED, BLOCKS, BALLOTS, OPENING, LEFT)
OF_CONFIDENTIAL: Final = (MANIFEST, SIGNATURES, VOTED, SHEET, OPENING, LEFT)
_HEX: Final = frozenset("0123456789abcdef")
_NUMBER: Final = 64  # hexadecimal digits of a number or a hash


class FileError(ValueError):
    """A file that is not as it has to be; the message says why."""


# --- writing ---


def of_parts(parts: Parts, *, sealed: bool) -> dict[str, bytes]:
    """The files that are counted, by their names."""
    issued = {contest: list(numbers) for contest, numbers in parts.issued.items()}
    found = {
        MANIFEST: parts.manifest,
        SIGNATURES: _document([to_text(one) for one in parts.signatures]),
        OPENING: opening(parts.opening),
        LEFT: _document([plain.dump(one) for one in _in_order(parts.left)]),
    }
    if sealed:
        lines = {BLOCKS: parts.blocks, BALLOTS: parts.ballots}
        texts = {name: b"".join(b"%b\n" % line for line in each) for name, each in lines.items()}
        return found | texts | {ISSUED: _document(issued)}
    return found | {SHEET: sheet(parts.sheet), VOTED: _document(issued)}


def opening(found: Opening) -> bytes:
    """The file of what was kept secret until the close."""
    shares = sorted(found.shares, key=lambda one: one.place)
    return _document(
        {
            "shares": [
                {
                    "place": one.place,
                    "value": one.value.to_bytes(32).hex(),
                    "salt": one.salt.hex(),
                }
                for one in shares
            ],
            "election_key": found.election_key.to_bytes(32).hex() if found.election_key else "",
            "nonces": [nonce.hex() for nonce in found.nonces],
        }
    )


def sheet(lines: Sequence[Line]) -> bytes:
    """The sheet of a confidential election: sorted, so that no order of casting is told."""
    rows = sorted((line.digest, line.contest, line.paper.hex()) for line in lines)
    return "".join(f"{contest},{digest},{paper}\n" for digest, contest, paper in rows).encode()


def inputs(files: Mapping[str, bytes]) -> dict[str, str]:
    """The SHA-256 of every file that the result follows from."""
    known = {*OF_SEALED, *OF_CONFIDENTIAL}
    return {name: sha256(data).hexdigest() for name, data in files.items() if name in known}


def anchor_of_sheet(text: bytes) -> str:
    """What the lots of a confidential election hang on, as those of a sealed one on its board."""
    return sha256(text).hexdigest()


# --- reading: all raise FileError ---


def read_signatures(text: bytes) -> list[bytes]:
    return [_bytes(one) for one in _read(text, list)]


def read_numbers(text: bytes) -> dict[str, list[int]]:
    """issued.json and voted.json."""
    found = _read(text, dict)
    for contest, numbers in found.items():
        if type(numbers) is not list or not all(type(one) is int for one in numbers):
            raise FileError(f"{contest} has no list of roll numbers")
    return {str(contest): list(numbers) for contest, numbers in found.items()}


def read_left(text: bytes) -> list[Left]:
    try:
        found: list[Left] = plain.load(list[Left], _read(text, list))
    except (ValueError, TypeError) as error:
        raise FileError(str(error)) from error
    if _in_order(found) != found:
        raise FileError("those who left are not in their order")
    return found


def read_opening(text: bytes) -> Opening:
    found = _read(text, dict)
    if found.keys() != {"shares", "election_key", "nonces"}:
        raise FileError("shares, election_key and nonces were expected")
    if type(found["shares"]) is not list or type(found["nonces"]) is not list:
        raise FileError("shares and nonces are lists")
    key = int(_hex(found["election_key"], _NUMBER), 16) if found["election_key"] != "" else 0
    nonces = tuple(bytes.fromhex(_hex(one)) for one in found["nonces"])
    return Opening(tuple(_share(one) for one in found["shares"]), key, nonces)


def read_lines(text: bytes) -> list[bytes]:
    """The lines of blocks.jsonl and ballots.jsonl."""
    if not text:
        return []
    if not text.endswith(b"\n"):
        raise FileError("the last line has no end: the file was cut")
    return text[:-1].split(b"\n")


def read_sheet(text: bytes) -> list[Line]:
    found = [_line(line, number) for number, line in enumerate(read_lines(text), 1)]
    if sheet(found) != text:
        raise FileError("the lines are not sorted by their digests")
    return found


def _document(found: Any) -> bytes:
    return chain.canonical(found)


def _read(text: bytes, kind: type) -> Any:
    try:
        found = json.loads(text)
        written = chain.canonical(found)
    except (ValueError, RecursionError) as error:
        raise FileError(f"this is no JSON: {error}") from error
    if type(found) is not kind:
        raise FileError("this is another document than the one that was expected")
    if written != text:
        raise FileError("the document is not written in the one way")
    return found


def _share(found: Any) -> Share:
    if type(found) is not dict or found.keys() != {"place", "value", "salt"}:
        raise FileError("a share has a place, a value and a salt")
    if type(found["place"]) is not int or not 0 < found["place"] < 2**8:
        raise FileError("the place of a share is no number from 1")
    value = int(_hex(found["value"], _NUMBER), 16)
    if value >= ORDER:
        raise FileError("the value of a share is no number below the order of the curve")
    return Share(found["place"], value, bytes.fromhex(_hex(found["salt"], 2 * SALT)))


def _line(line: bytes, number: int) -> Line:
    try:
        contest, digest, paper = line.decode().split(",")
        found = Line(contest, _hex(digest, _NUMBER), bytes.fromhex(_hex(paper)))
    except ValueError as error:
        raise FileError(f"line {number} is no contest, digest and paper") from error
    return found


def _hex(text: Any, length: int | None = None) -> str:
    """Lower case, as everything here is written."""
    if type(text) is not str or set(text) - _HEX or len(text) % 2:
        raise FileError("this is no hexadecimal number in lower case")
    if length is not None and len(text) != length:
        raise FileError(f"a number of {length} hexadecimal digits was expected")
    return text


def _bytes(text: Any) -> bytes:
    try:
        return to_bytes(text) if type(text) is str else b""
    except WireError as error:
        raise FileError(str(error)) from error


def _in_order(left: Sequence[Left]) -> list[Left]:
    return sorted(left, key=lambda one: (one.contest, one.candidate))
