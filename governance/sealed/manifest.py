"""What is fixed before an election opens: the roll, who stands, the rules, all keys.

One JSON document, written in one way only, so that everybody has the same hash of it. Two officers
sign it. The first block of the board follows it, and a change afterwards is another election.
Keys and points are base64url without padding, times are ISO 8601 in UTC.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from typing import Final, cast

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_der_public_key

from governance.bundle import chain, plain
from governance.sealed import paper
from governance.sealed.ballot import HALF
from governance.sealed.envelope import CURVE
from governance.sealed.wire import to_bytes
from governance.tally import question

FORMAT: Final = "foundation-portal election 1"
MODULUS: Final = 3072  # bits of a registrar's key
SEALED: Final = "sealed"
CONFIDENTIAL: Final = "confidential"
OFFICERS: Final = 2  # who sign
BLOCK: Final = 32  # bytes: what is sealed has a multiple of it
_HEAD: Final = (
    3  # bytes of a sealed text beside one for each candidate: two of its length, its kind
)
_SIGNED: Final = b"foundation-portal manifest 1\n"


class ManifestError(ValueError):
    """A manifest that is not one, or not signed; the message says why."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Who stands. The place in the list is the candidate's number, from 0."""

    name: str
    affiliation: str  # "" without one
    statement_sha256: str


@dataclass(frozen=True, slots=True)
class Voter:
    """One vote. `voter` casts it for `name`, who may be an organisation or the same person."""

    number: int  # from 1
    name: str
    voter: str


@dataclass(frozen=True)
class Contest:
    """How one constituency elects, and who may vote in it."""

    id: str  # "2026-board/contributors"
    title: str
    method: str  # of `governance.tally.contest.METHODS`
    seats: int
    most_of_one_affiliation: int | None
    quorum: int  # voters who have to take part
    candidates: tuple[Candidate, ...]
    roll: tuple[Voter, ...]
    registrar_key: str  # RSA, SubjectPublicKeyInfo as DER; "" where ballots are not sealed
    ratio: tuple[int, ...] = (1, 1)  # of a question: at least so many yes for so many no

    @property
    def name(self) -> bytes:
        """As ballots name it."""
        return self.id.encode()

    @property
    def size(self) -> int:
        """Bytes of the text in an envelope, the same for every ballot."""
        return -(-(len(self.candidates) + _HEAD) // BLOCK) * BLOCK

    def read_paper(self, text: bytes) -> bytes:
        """What `paper.read` says of this text. Raises PaperError."""
        many = len(self.candidates)
        return paper.read(text, method=self.method, candidates=many, seats=self.seats)

    @cached_property
    def registrar(self) -> rsa.RSAPublicKey:
        return cast(rsa.RSAPublicKey, load_der_public_key(to_bytes(self.registrar_key)))


@dataclass(frozen=True, slots=True)
class Scrutineer:
    """Who keeps a share of the election key."""

    name: str
    commitment: str  # of the share: see `sharing`


@dataclass(frozen=True, slots=True)
class Officer:
    """Who signs the manifest, and has put a number into the lot that is told after the close."""

    name: str
    key: str  # a point of P-256
    nonce_sha256: str


@dataclass(frozen=True)
class Manifest:
    format: str
    election: str  # its short name
    title: str
    body: str
    level: str  # `SEALED` or `CONFIDENTIAL`
    rehearsal: bool
    opens_at: str
    closes_at: str
    rules: tuple[str, ...]  # in words
    procedure: str  # of `governance.tally.contest`
    contests: tuple[Contest, ...]  # in the order in which they are resolved
    election_key: str  # a point of P-256
    shares_needed: int
    scrutineers: tuple[Scrutineer, ...]
    box_key: str  # Ed25519
    officers: tuple[Officer, ...]
    code: dict[str, str]  # SHA-256 of what voters run, by its name

    @property
    def opens(self) -> datetime:
        return datetime.fromisoformat(self.opens_at)

    @property
    def closes(self) -> datetime:
        return datetime.fromisoformat(self.closes_at)

    @property
    def sealing_key(self) -> ec.EllipticCurvePublicKey:
        """To which ballots are sealed."""
        return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, to_bytes(self.election_key))

    @property
    def box(self) -> Ed25519PublicKey:
        return Ed25519PublicKey.from_public_bytes(to_bytes(self.box_key))

    def contest(self, name: str) -> Contest:
        """Raises KeyError for one that is not in the election."""
        return {contest.id: contest for contest in self.contests}[name]


def write(manifest: Manifest) -> bytes:
    """The one way to write it."""
    return chain.canonical(plain.dump(manifest))


def digest(text: bytes) -> str:
    """Names the manifest; the first block of the board follows it."""
    return sha256(text).hexdigest()


def read(text: bytes) -> Manifest:
    """Raises ManifestError for what is no manifest, or is written in another way than `write`."""
    try:
        found = plain.load(Manifest, json.loads(text))
        written = write(found)
    except (ValueError, RecursionError, TypeError) as error:
        raise ManifestError(f"this is no manifest: {error}") from error
    if found.format != FORMAT:
        raise ManifestError(f"a manifest of the format {found.format!r} is not known")
    if written != text:
        raise ManifestError("the manifest is not written in the one way")
    _check(cast(Manifest, found))
    return cast(Manifest, found)


def _check(manifest: Manifest) -> None:
    """Raises ManifestError for the first thing that cannot be."""
    names = [contest.id for contest in manifest.contests]
    faults = {
        "an election has contests, each with its own name": not names
        or len(set(names)) < len(names)
        or not all(name.startswith(f"{manifest.election}/") for name in names),
        "the roll of a contest is numbered from 1": any(
            [voter.number for voter in contest.roll] != list(range(1, len(contest.roll) + 1))
            for contest in manifest.contests
        ),
        "a contest has seats and candidates": any(
            contest.seats < 1 or not contest.candidates for contest in manifest.contests
        ),
        "a question has a proposal, what is without it, and a ratio": any(
            (
                contest.method == question.METHOD
                and (contest.seats != 1 or len(contest.candidates) != question.OPTIONS)
            )
            or len(contest.ratio) != question.OPTIONS
            or min(contest.ratio) < 1
            for contest in manifest.contests
        ),
        "an election opens before it closes": not _is_in_order(manifest),
        "so many shares were not given out": manifest.level == SEALED
        and not 1 <= manifest.shares_needed <= len(manifest.scrutineers),
    }
    for fault, is_there in faults.items():
        if is_there:
            raise ManifestError(fault)


def _is_in_order(manifest: Manifest) -> bool:
    try:
        return manifest.opens.tzinfo is not None and manifest.opens < manifest.closes
    except (ValueError, TypeError):
        return False


def signed_text(text: bytes) -> bytes:
    """What an officer signs with ECDSA over SHA-256."""
    return _SIGNED + text


def check_signatures(manifest: Manifest, text: bytes, signatures: list[bytes]) -> None:
    """One signature for each officer, in their order: two numbers of 32 bytes.

    Raises ManifestError where one is missing or wrong.
    """
    if len(manifest.officers) < OFFICERS or len(signatures) != len(manifest.officers):
        raise ManifestError(f"{OFFICERS} officers have to sign, each once")
    for officer, signature in zip(manifest.officers, signatures, strict=True):
        if not is_signed(officer, text, signature):
            raise ManifestError(f"{officer.name} did not sign this manifest")


def is_signed(officer: Officer, text: bytes, signature: bytes) -> bool:
    """Whether this officer signed the manifest."""
    if len(signature) != 2 * HALF:
        return False
    first, second = signature[:HALF], signature[HALF:]
    encoded = encode_dss_signature(int.from_bytes(first), int.from_bytes(second))
    try:
        key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, to_bytes(officer.key))
        key.verify(encoded, signed_text(text), ec.ECDSA(SHA256()))
    except (InvalidSignature, ValueError):
        return False
    return True
