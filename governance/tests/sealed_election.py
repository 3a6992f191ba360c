"""A sealed election of two constituencies, made without the portal: for tests of its parts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from governance.sealed import blind, manifest, sharing
from governance.sealed.ballot import (
    HALF,
    Ballot,
    Pseudonym,
    bound_to,
    cast,
    point_of,
    voter_message,
)
from governance.sealed.envelope import CURVE, seal
from governance.sealed.manifest import Candidate, Contest, Manifest, Officer, Scrutineer, Voter
from governance.sealed.wire import to_text

NAME = "2026-board"
CONTRIBUTORS = f"{NAME}/contributors"
MEMBERS = f"{NAME}/members"
Key = ec.EllipticCurvePrivateKey


@cache
def registrar_key(contest: str) -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, manifest.MODULUS)


@dataclass(frozen=True)
class Keys:
    """All that is private, which no single process ever has together."""

    election: Key
    shares: list[sharing.Share]
    box: Ed25519PrivateKey
    officers: list[Key]
    nonces: list[bytes]


def keys(*, needed: int = 2, shares: int = 3) -> Keys:
    election = ec.generate_private_key(CURVE)
    number = election.private_numbers().private_value
    return Keys(
        election,
        sharing.split(number, needed=needed, shares=shares),
        Ed25519PrivateKey.generate(),
        [ec.generate_private_key(CURVE) for _ in range(manifest.OFFICERS)],
        [bytes([place]) * 32 for place in range(manifest.OFFICERS)],
    )


def contest(name: str, *, voters: int = 5, seats: int = 1, candidates: int = 3) -> Contest:
    public = registrar_key(name).public_key()
    der = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return Contest(
        id=name,
        title=name.partition("/")[2].title(),
        method="scottish-stv",
        seats=seats,
        most_of_one_affiliation=None,
        quorum=0,
        candidates=tuple(
            Candidate(f"Candidate {place}", "Acme" if place % 2 else "", sha256(b"").hexdigest())
            for place in range(candidates)
        ),
        roll=tuple(Voter(n, f"Voter {n}", f"Voter {n}") for n in range(1, voters + 1)),
        registrar_key=to_text(der),
    )


def made(private: Keys, **changed: object) -> Manifest:
    """A manifest with these keys."""
    found = Manifest(
        format=manifest.FORMAT,
        election=NAME,
        title="Election of the board",
        body="Board",
        level=manifest.SEALED,
        rehearsal=False,
        opens_at="2026-11-01T12:00:00+00:00",
        closes_at="2026-11-15T12:00:00+00:00",
        rules=("Half of the seats are elected by contributors.",),
        procedure="last-elected-leaves",
        contests=(contest(CONTRIBUTORS), contest(MEMBERS)),
        election_key=to_text(point_of(private.election)),
        shares_needed=2,
        scrutineers=tuple(
            Scrutineer(f"Scrutineer {share.place}", share.commitment) for share in private.shares
        ),
        box_key=to_text(private.box.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)),
        officers=tuple(
            Officer(f"Officer {place}", to_text(point_of(key)), sha256(nonce).hexdigest())
            for place, (key, nonce) in enumerate(
                zip(private.officers, private.nonces, strict=True), 1
            )
        ),
        code={},
    )
    return replace(found, **changed)  # type: ignore[arg-type]


def signatures(private: Keys, text: bytes) -> list[bytes]:
    """Of all officers under a manifest."""
    return [_signature(key, manifest.signed_text(text)) for key in private.officers]


def _signature(key: Key, text: bytes) -> bytes:
    first, second = decode_dss_signature(key.sign(text, ec.ECDSA(SHA256())))
    return first.to_bytes(HALF) + second.to_bytes(HALF)


def voter(name: str) -> tuple[Key, Pseudonym]:
    """A key pair and the pseudonym that the registrar of the contest signed without seeing it."""
    key, private = ec.generate_private_key(CURVE), registrar_key(name)
    prepared = blind.prepare(voter_message(name.encode(), point_of(key)))
    blinded, inverse = blind.blind(private.public_key(), prepared)
    signed = blind.finalize(private.public_key(), prepared, blind.sign(private, blinded), inverse)
    return key, Pseudonym(point_of(key), prepared[: blind.PREFIX], signed)


def ballot(
    election: Manifest, name: str, who: tuple[Key, Pseudonym], text: bytes, sequence: int = 1
) -> Ballot:
    """A ballot of this voter with this text (see `governance.sealed.paper`)."""
    key, pseudonym = who
    of = election.contest(name)
    bound = bound_to(of.name, pseudonym.point)
    envelope = seal(text, to=election.sealing_key, bound=bound, size=of.size)
    return cast(of.name, key=key, pseudonym=pseudonym, sequence=sequence, envelope=envelope)
