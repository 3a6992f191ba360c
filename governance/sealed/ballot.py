"""A sealed ballot: the envelope, the pseudonym that cast it, and the registrar's word for that.

A pseudonym is a key pair that the voter's program made for one contest; the registrar signed its
public half blindly (`blind`). It signs each ballot it casts. The highest sequence of a pseudonym
counts, so that a vote can be changed until the close.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.utils import (
    decode_dss_signature,
    encode_dss_signature,
)
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from governance.sealed import blind
from governance.sealed.envelope import CURVE, POINT, overhead

HALF: Final = 32  # bytes of each of the two numbers of a signature
MOST_CHANGES: Final = 2**31 - 1
_VOTER: Final = b"foundation-portal voter 1"
_BALLOT: Final = b"foundation-portal ballot 1"
_ECDSA: Final = ec.ECDSA(SHA256())


class BallotError(ValueError):
    """A ballot that does not count; the message says why."""


@dataclass(frozen=True, slots=True)
class Pseudonym:
    """Who casts, for everybody to see: the same in all ballots of a voter in one contest."""

    point: bytes  # the public key, uncompressed
    prefix: bytes
    signature: bytes  # of the registrar


@dataclass(frozen=True, slots=True)
class Ballot:
    """What stands on the board."""

    contest: bytes  # names the election and the constituency
    pseudonym: Pseudonym
    sequence: int  # from 1
    envelope: bytes
    signature: bytes  # of the pseudonym, two numbers of 32 bytes

    @property
    def digest(self) -> str:
        """Names the ballot on the board. The signature is left out: it can be written two ways."""
        return hashlib.sha256(_signed(self)).hexdigest()


def voter_message(contest: bytes, point: bytes) -> bytes:
    """What the registrar signs blindly: a pseudonym of this contest and no other."""
    return _framed(_VOTER, contest, point)


def bound_to(contest: bytes, point: bytes) -> bytes:
    """What the envelope of a ballot is bound to: copied under another pseudonym it stays closed."""
    return _framed(_BALLOT, contest, point)


def point_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    """The public half as it stands in a pseudonym."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def cast(
    contest: bytes,
    *,
    key: ec.EllipticCurvePrivateKey,
    pseudonym: Pseudonym,
    sequence: int,
    envelope: bytes,
) -> Ballot:
    """A ballot signed by its pseudonym."""
    unsigned = Ballot(contest, pseudonym, sequence, envelope, b"")
    first, second = decode_dss_signature(key.sign(_signed(unsigned), _ECDSA))
    signature = first.to_bytes(HALF) + second.to_bytes(HALF)
    return Ballot(contest, pseudonym, sequence, envelope, signature)


def check(ballot: Ballot, *, contest: bytes, registrar: rsa.RSAPublicKey, size: int) -> None:
    """Raises BallotError for a ballot that does not count in this contest.

    `size` is that of its envelopes' texts. What is inside is not looked at: nobody can, yet.
    """
    if ballot.contest != contest:
        raise BallotError("the ballot is of another contest")
    if not 1 <= ballot.sequence <= MOST_CHANGES:
        raise BallotError("the sequence of the ballot is no number from 1")
    if len(ballot.envelope) != size + overhead():
        raise BallotError("the envelope is not as long as all of this contest are")
    voter, prefix = ballot.pseudonym, ballot.pseudonym.prefix
    if len(voter.point) != POINT or len(prefix) != blind.PREFIX:
        raise BallotError("the pseudonym is not one")
    message = blind.prepare(voter_message(contest, voter.point), prefix=prefix)
    if not blind.verify(registrar, message, voter.signature):
        raise BallotError("the registrar did not sign this pseudonym")
    _check_signature(ballot)


def standing(ballots: list[Ballot]) -> list[Ballot]:
    """Of each pseudonym the ballot with the highest sequence, in the order of their digests.

    Raises BallotError where a pseudonym has two ballots of one sequence: a box takes only one.
    """
    last: dict[bytes, Ballot] = {}
    seen: dict[tuple[bytes, int], str] = {}
    for ballot in ballots:
        mark = (ballot.pseudonym.point, ballot.sequence)
        if seen.setdefault(mark, ballot.digest) != ballot.digest:
            raise BallotError(f"two ballots of one pseudonym have sequence {ballot.sequence}")
        before = last.get(ballot.pseudonym.point)
        if before is None or before.sequence < ballot.sequence:
            last[ballot.pseudonym.point] = ballot
    return sorted(last.values(), key=lambda ballot: ballot.digest)


def _check_signature(ballot: Ballot) -> None:
    if len(ballot.signature) != 2 * HALF:
        raise BallotError("the signature of the ballot is not one")
    first, second = ballot.signature[:HALF], ballot.signature[HALF:]
    signature = encode_dss_signature(int.from_bytes(first), int.from_bytes(second))
    try:
        key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, ballot.pseudonym.point)
        key.verify(signature, _signed(ballot), _ECDSA)
    except (InvalidSignature, ValueError) as error:
        raise BallotError("the pseudonym did not sign this ballot") from error


def _signed(ballot: Ballot) -> bytes:
    voter = ballot.pseudonym
    parts = (ballot.contest, voter.point, voter.prefix, voter.signature)
    return _framed(_BALLOT, *parts, ballot.sequence.to_bytes(8), ballot.envelope)


def _framed(*parts: bytes) -> bytes:
    """Parts with their lengths, so that no two lists of parts make the same bytes."""
    return b"".join(len(part).to_bytes(4) + part for part in parts)
