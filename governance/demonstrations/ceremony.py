"""What browsers of key holders and voters do in an election, done here by the same arithmetic.

For the demonstration, and for tests.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from governance.actions.credential import issue_credential
from governance.actions.freezing import (
    fetch_keys,
    hand_over_due,
    sign_manifest,
    write_manifest,
)
from governance.actions.keyholder import make_key, name_keyholders, tell_nonce
from governance.actions.share import Dealt, confirm_share, deal_shares, tell_share
from governance.box.client import BallotBox, Receipt
from governance.elections import signed
from governance.elections.compose import OfficeKeys
from governance.models import Election, ElectionOfficer, RollEntry, Scrutineer
from governance.registrar.client import Registrar
from governance.sealed import blind, manifest, paper, sharing, wire
from governance.sealed.ballot import (
    HALF,
    Ballot,
    Pseudonym,
    bound_to,
    cast,
    point_of,
    voter_message,
)
from governance.sealed.envelope import CURVE, open_envelope, seal
from governance.sealed.manifest import Manifest
from governance.sealed.wire import to_bytes, to_text
from portal.accounts.models import User

Key = ec.EllipticCurvePrivateKey
SHARE_SIZE = 64


def _bound(election: Election, place: int) -> bytes:
    return f"{election.name}/share/{place}".encode()


@dataclass
class Ceremony:
    """The files of the key holders of an election."""

    election: Election
    runs: User
    scrutineers: list[User]
    officers: list[User]
    at: datetime
    keys: dict[int, Key] = field(default_factory=dict)  # by user
    nonces: dict[int, str] = field(default_factory=dict)

    def make_keys(self) -> None:
        name_keyholders(
            actor=self.runs,
            election=self.election,
            scrutineers=self.scrutineers,
            officers=self.officers,
            at=self.at,
        )
        for scrutineer in self._scrutineers():
            self._make(scrutineer)
        for officer in self.election.officers.order_by("place"):
            self.nonces[officer.user_id] = secrets.token_hex(32)
            hashed = sha256(bytes.fromhex(self.nonces[officer.user_id])).hexdigest()
            self._make(officer, nonce_sha256=hashed)

    def split(self) -> None:
        """Make the election key and give each scrutineer their share."""
        key = ec.generate_private_key(CURVE)
        holders = self._scrutineers()
        shares = sharing.split(
            key.private_numbers().private_value,
            needed=self.election.shares_needed,
            shares=len(holders),
        )
        dealt = [
            Dealt(self._sealed(holder, share), share.commitment)
            for holder, share in zip(holders, shares, strict=True)
        ]
        deal_shares(
            actor=self.runs,
            election=self.election,
            election_key=to_text(point_of(key)),
            shares=dealt,
            at=self.at,
        )
        for holder in self._scrutineers():
            share = self._opened(holder)
            confirm_share(
                actor=holder.user, scrutineer=holder, commitment=share.commitment, at=self.at
            )

    def freeze(self, registrar: Registrar, box: BallotBox) -> None:
        """Write the manifest, have it signed, tell registrar and box."""
        self.sign(fetch_keys(self.election, registrar, box))
        hand_over_due(registrar=registrar, box=box, at=self.at)
        self.election.refresh_from_db()

    def sign(self, keys: OfficeKeys) -> None:
        """Write the manifest with these keys of registrar and box, and have it signed."""
        write_manifest(actor=self.runs, election=self.election, keys=keys, at=self.at)
        self.election.refresh_from_db()
        for officer in self.election.officers.order_by("place"):
            sign_manifest(
                actor=officer.user, officer=officer, signature=self.signature(officer), at=self.at
            )
        self.election.refresh_from_db()

    def signature(self, officer: ElectionOfficer) -> str:
        text = manifest.signed_text(self.election.manifest.encode())
        signed = self.keys[officer.user_id].sign(text, ec.ECDSA(SHA256()))
        first, second = decode_dss_signature(signed)
        return to_text(first.to_bytes(HALF) + second.to_bytes(HALF))

    def tell(self, *, at: datetime, without: int = 0) -> None:
        """Shares and hidden numbers, after the close; the last scrutineers may be missing."""
        holders = self._scrutineers()
        for holder in holders[: len(holders) - without]:
            share = self._opened(holder)
            tell_share(
                actor=holder.user,
                scrutineer=holder,
                share=f"{share.value:064x}",
                salt=share.salt.hex(),
                at=at,
            )
        for officer in self.election.officers.all():
            nonce = self.nonces[officer.user_id]
            tell_nonce(actor=officer.user, officer=officer, nonce=nonce, at=at)

    def _scrutineers(self) -> list[Scrutineer]:
        return list(self.election.scrutineers.order_by("place"))

    def _make(self, holder: Scrutineer | ElectionOfficer, **more: str) -> None:
        key = self.keys[holder.user_id] = ec.generate_private_key(CURVE)
        make_key(
            actor=holder.user,
            holder=holder,  # type: ignore[type-var]
            key=to_text(point_of(key)),
            at=self.at,
            **more,
        )

    def _sealed(self, holder: Scrutineer, share: sharing.Share) -> str:
        key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, to_bytes(holder.key))
        text = share.value.to_bytes(32) + share.salt
        bound = _bound(self.election, holder.place)
        return to_text(seal(text, to=key, bound=bound, size=SHARE_SIZE))

    def _opened(self, holder: Scrutineer) -> sharing.Share:
        bound = _bound(self.election, holder.place)
        key = self.keys[holder.user_id]
        text = open_envelope(to_bytes(holder.sealed_share), key=key, bound=bound)
        return sharing.Share(holder.place, int.from_bytes(text[:32]), text[32:])


@dataclass
class Voter:
    """What a voter's browser keeps: the pseudonym, and how often it has voted."""

    entry: RollEntry
    key: Key
    pseudonym: Pseudonym
    manifest: Manifest
    sequence: int = 0

    def ballot(self, *places: int) -> Ballot:
        """The next ballot: the candidates in this order."""
        self.sequence += 1
        contest = self.manifest.contest(self.entry.contest.id_on_the_board)
        envelope = seal(
            paper.write(bytes(places)),
            to=self.manifest.sealing_key,
            bound=bound_to(contest.name, self.pseudonym.point),
            size=contest.size,
        )
        return cast(
            contest.name,
            key=self.key,
            pseudonym=self.pseudonym,
            sequence=self.sequence,
            envelope=envelope,
        )

    def cast(self, box: BallotBox, *places: int) -> Receipt:
        """Vote, or vote again."""
        return box.cast(wire.write_ballot(self.ballot(*places)))


def voter(entry: RollEntry, ask: Callable[[bytes], bytes]) -> Voter:
    """Make a pseudonym and have it signed; `ask` brings what is blinded to the registrar."""
    found = signed.manifest_of(entry.contest.election)
    contest = found.contest(entry.contest.id_on_the_board)
    key = ec.generate_private_key(CURVE)
    prepared = blind.prepare(voter_message(contest.name, point_of(key)))
    blinded, inverse = blind.blind(contest.registrar, prepared)
    signature = blind.finalize(contest.registrar, prepared, ask(blinded), inverse)
    return Voter(entry, key, Pseudonym(point_of(key), prepared[: blind.PREFIX], signature), found)


def credential(entry: RollEntry, registrar: Registrar, at: datetime) -> Voter:
    """A voter with the signature of the registrar."""

    def ask(blinded: bytes) -> bytes:
        return issue_credential(
            actor=entry.voter, entry=entry, blinded=blinded, registrar=registrar, at=at
        )

    return voter(entry, ask)
