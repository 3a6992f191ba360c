"""What an election leaves behind, from which everything about its result follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from governance.sealed.sharing import Share

WITHDREW: Final = "withdrew"
DISQUALIFIED: Final = "disqualified"


@dataclass(frozen=True, slots=True)
class Left:
    """Who left after the manifest was signed: still on the ballot, and not to be elected."""

    contest: str
    candidate: int  # the place in the contest's list, from 0
    how: str  # `WITHDREW` or `DISQUALIFIED`
    on: str  # the day, ISO 8601
    reason: str


@dataclass(frozen=True, slots=True)
class Opening:
    """What was kept secret until the close. Confidential elections have only the nonces."""

    shares: tuple[Share, ...]
    election_key: int  # the private number; 0 where nothing was sealed
    nonces: tuple[bytes, ...]  # of the officers, in their order


@dataclass(frozen=True, slots=True)
class Line:
    """A ballot of a confidential election."""

    contest: str
    digest: str
    paper: bytes  # as in `governance.sealed.paper`, without the byte of its kind


@dataclass(frozen=True)
class Parts:
    """All but the result. `issued` has roll numbers: of whom the registrar gave a signature; in a
    confidential election of who voted.
    """

    manifest: bytes  # as it was signed
    signatures: tuple[bytes, ...]
    issued: Mapping[str, Sequence[int]]  # by contest, rising
    opening: Opening
    left: tuple[Left, ...] = ()
    blocks: tuple[bytes, ...] = ()  # lines, in their order, without line ends
    ballots: tuple[bytes, ...] = ()  # lines, in the order of their digests
    sheet: tuple[Line, ...] = ()  # of a confidential election, in any order


def seed(anchor: str, nonces: Sequence[bytes]) -> str:
    """From which every lot follows: nobody knew all of it before the close.

    SHA-256 of lines: the hash of the last block (of the sheet, in a confidential election), then
    the number of each officer in hexadecimal.
    """
    lines = [anchor, *(nonce.hex() for nonce in nonces)]
    return sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
