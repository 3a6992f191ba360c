"""The contract with the ballot box of sealed elections, and the way to it. Knows no Django.

Whatever is asked again is answered again, so a caller that was killed simply repeats.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from governance.offices.asking import Caller, OfficeRefusedError, OfficeUnavailableError
from governance.sealed.wire import to_bytes, to_text

REFUSALS: Final = {
    "election": "no election of this name is open here, or the name is none",
    "manifest": "what came is no manifest of a sealed election, or not signed by its officers",
    "key": "a key of the manifest is not this box's",
    "other": "another manifest opened this election",
    "size": "the ballot is longer than ballots are",
    "wire": "what came is not written as a ballot",
    "contest": "the ballot is of a contest that is not in an election here",
    "early": "the election is not open yet, or for the close and its ballots: not over yet",
    "closed": "the election is closed",
    "invalid": "the ballot does not count: see `governance.sealed.ballot.check`",
    "taken": "another ballot of this pseudonym has this sequence",
    "old": "a ballot of this pseudonym has a higher sequence",
    "many": "this pseudonym changed its vote too often",
    "question": "the question is not understood",
}


class BallotBoxRefusedError(OfficeRefusedError):
    """The box will not do it; `code` is one of `REFUSALS`."""


class BallotBoxUnavailableError(OfficeUnavailableError):
    """The box does not answer now; ask the same again later."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The box's word that it has a ballot: its signature (`board.is_receipt`) under the digest."""

    digest: str
    signature: bytes


@dataclass(frozen=True, slots=True)
class Found:
    """Where a ballot is: in a block, waiting for the next one (`block` is None), or unknown."""

    is_known: bool
    block: int | None = None


class BallotBox(Protocol):
    """What the portal asks. All raise BallotBoxRefusedError and BallotBoxUnavailableError."""

    def ping(self) -> None: ...

    def key(self, election: str) -> bytes:
        """The public key (Ed25519, 32 bytes) of the box for an election, made at the first time."""

    def open(self, manifest: bytes, signatures: list[bytes]) -> None:
        """Take the manifest of an election, which all its officers signed."""

    def cast(self, line: bytes) -> Receipt:
        """Put a ballot (`wire.write_ballot`) into the box; the same again has the same receipt."""

    def blocks(self, election: str, after: int = 0) -> list[bytes]:
        """The lines of the board (`wire.write_block`) after that number."""

    def find(self, election: str, digest: str) -> Found: ...

    def ballots(self, election: str) -> list[bytes]:
        """The lines of all ballots in the order of their digests: only after the close."""

    def close(self, election: str) -> None:
        """Make the last block, once the time of the election is over."""


class SocketBallotBox(Caller):
    """The box behind its Unix socket. Long answers come in pieces."""

    office = "the ballot box"
    refused = BallotBoxRefusedError
    unavailable = BallotBoxUnavailableError

    def key(self, election: str) -> bytes:
        return self._ask("key", election=election)[1]

    def open(self, manifest: bytes, signatures: list[bytes]) -> None:
        self._ask("open", manifest, signatures=[to_text(each) for each in signatures])

    def cast(self, line: bytes) -> Receipt:
        answer, _ = self._ask("cast", line)
        return Receipt(answer["digest"], to_bytes(answer["receipt"]))

    def blocks(self, election: str, after: int = 0) -> list[bytes]:
        lines: list[bytes] = []
        while True:
            _, body = self._ask("blocks", election=election, after=after + len(lines))
            if not body:
                return lines
            lines += body.splitlines()

    def find(self, election: str, digest: str) -> Found:
        answer, _ = self._ask("find", election=election, digest=digest)
        return Found(answer["is_known"], answer["block"])

    def ballots(self, election: str) -> list[bytes]:
        lines: list[bytes] = []
        last = ""
        while True:
            answer, body = self._ask("ballots", election=election, after=last)
            if not body:
                return lines
            lines += body.splitlines()
            last = answer["last"]

    def close(self, election: str) -> None:
        self._ask("close", election=election)
