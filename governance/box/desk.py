"""The questions that the ballot box answers. None lists what waits for its block."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from operator import index
from typing import Final

from governance.box.office import Office
from governance.offices.desk import Answer
from governance.sealed import wire
from governance.sealed.wire import to_bytes, to_text
from portal.lib.sockets import Head, Message

PIECE: Final = 8 * 2**20  # bytes of lines in one answer, and then to the end of a line
BLOCKS, BALLOTS = 100, 1000  # lines in one answer


def verbs(office: Office) -> dict[str, Answer]:
    def ping(head: Head, body: bytes) -> Message:
        office.ping()
        return {}, b""

    def key(head: Head, body: bytes) -> Message:
        return {}, office.key(str(head["election"]))

    def open_(head: Head, body: bytes) -> Message:
        office.open(body, [to_bytes(each) for each in head["signatures"]])
        return {}, b""

    def cast(head: Head, body: bytes) -> Message:
        given = office.cast(body)
        return {"digest": given.digest, "receipt": to_text(given.signature)}, b""

    def blocks(head: Head, body: bytes) -> Message:
        lines = office.blocks(str(head["election"]), index(head["after"]), BLOCKS)
        return {}, b"\n".join(_piece(lines))

    def find(head: Head, body: bytes) -> Message:
        found = office.find(str(head["election"]), str(head["digest"]))
        return {"is_known": found.is_known, "block": found.block}, b""

    def ballots(head: Head, body: bytes) -> Message:
        lines = office.ballots(str(head["election"]), str(head["after"]), BALLOTS)
        piece = list(_piece(lines))
        last = wire.read_ballot(piece[-1]).digest if piece else ""
        return {"last": last}, b"\n".join(piece)

    def close(head: Head, body: bytes) -> Message:
        office.close(str(head["election"]))
        return {}, b""

    return {
        "ping": ping,
        "key": key,
        "open": open_,
        "cast": cast,
        "blocks": blocks,
        "find": find,
        "ballots": ballots,
        "close": close,
    }


def _piece(lines: list[bytes]) -> Iterator[bytes]:
    """As many of the lines as fit, at least one."""
    sizes = 0

    def fits(line: bytes) -> bool:
        nonlocal sizes
        is_first, sizes = not sizes, sizes + len(line)
        return is_first or sizes <= PIECE

    return takewhile(fits, lines)
