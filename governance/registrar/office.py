"""What the registrar signs and what it refuses.

It knows who of the roll asked, and never what was signed: a pseudonym comes blinded. A number gets
one signature for good; what was asked is stored before it is answered, and no time with it.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from governance.offices.database import Database
from governance.offices.elections import TABLE, Elections
from governance.offices.keys import CONTEST, Keys, KeyUnsafeError
from governance.offices.process import Clock, system_clock
from governance.registrar.client import RegistrarRefusedError
from governance.sealed import blind
from governance.sealed.manifest import MODULUS, Contest, Manifest
from governance.sealed.wire import to_text

EXPONENT: Final = 65537
STEPS: Final = (
    TABLE,
    """CREATE TABLE issued (
        contest text NOT NULL,
        number integer NOT NULL,
        blinded_sha256 text NOT NULL,
        PRIMARY KEY (contest, number)
    )""",
)


class Office:
    """The registrar itself, in this process. Safe to call from several threads."""

    def __init__(self, folder: Path, database: Database, clock: Clock = system_clock) -> None:
        self._database, self._clock = database, clock
        self._keys = Keys(folder, rsa.RSAPrivateKey, _make_key)
        self._elections = Elections(database, RegistrarRefusedError)

    def ping(self) -> None:
        with self._database.read() as connection:
            connection.execute("SELECT 1")

    def key(self, contest: str) -> bytes:
        if not CONTEST.fullmatch(contest):
            raise RegistrarRefusedError("contest", "this is no name of a contest")
        if found := self._find(contest):
            return _public(self._key_of(found[1]))
        return _public(self._keys.made(contest))

    def open(self, manifest: bytes, signatures: list[bytes]) -> None:
        self._elections.open(manifest, signatures, check_keys=self._check_keys)

    def sign(self, contest: str, number: int, blinded: bytes) -> bytes:
        election, found = self._contest(contest)
        self._must_be_open(election)
        if not 1 <= number <= len(found.roll):
            raise RegistrarRefusedError("number", f"nobody on the roll has the number {number}")
        key = self._key_of(found)
        _must_be_blinded(key, blinded)
        self._claim(contest, number, sha256(blinded).hexdigest())
        return blind.sign(key, blinded)

    def issued(self, contest: str) -> list[int]:
        self._contest(contest)
        with self._database.read() as connection:
            query = "SELECT number FROM issued WHERE contest = %s ORDER BY number"
            return [number for (number,) in connection.execute(query, [contest])]

    def _claim(self, contest: str, number: int, digest: str) -> None:
        """The number is given its signature for this, or was before."""
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO issued (contest, number, blinded_sha256) VALUES (%s, %s, %s)"
                " ON CONFLICT DO NOTHING",
                [contest, number, digest],
            )
            query = "SELECT blinded_sha256 FROM issued WHERE contest = %s AND number = %s"
            row = connection.execute(query, [contest, number]).fetchone()
        if row != (digest,):
            raise RegistrarRefusedError("taken", "this number was given its signature already")

    def _must_be_open(self, election: Manifest) -> None:
        now = self._clock()
        if now < election.opens:
            raise RegistrarRefusedError("early", "the election is not open yet")
        if now >= election.closes:
            raise RegistrarRefusedError("late", "the election is closed")

    def _contest(self, contest: str) -> tuple[Manifest, Contest]:
        if found := self._find(contest):
            return found
        raise RegistrarRefusedError("contest", "no election with this contest is open here")

    def _find(self, contest: str) -> tuple[Manifest, Contest] | None:
        election = self._elections.find(contest.partition("/")[0])
        if election is None:
            return None
        try:
            return election, election.contest(contest)
        except KeyError:
            return None

    def _key_of(self, contest: Contest) -> rsa.RSAPrivateKey:
        key = self._keys.there(contest.id)
        if to_text(_public(key)) != contest.registrar_key:
            raise KeyUnsafeError(f"the key of {contest.id} is another than in the manifest")
        return key

    def _check_keys(self, manifest: Manifest) -> None:
        for contest in manifest.contests:
            try:
                self._key_of(contest)
            except KeyUnsafeError as error:
                raise RegistrarRefusedError(
                    "key", f"the key of {contest.id} is not this registrar's"
                ) from error


def _make_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(EXPONENT, MODULUS)


def _public(key: rsa.RSAPrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def _must_be_blinded(key: rsa.RSAPrivateKey, blinded: bytes) -> None:
    """Before anything is stored: a number shall not be spent on what cannot be signed."""
    is_long_enough = len(blinded) == key.key_size // 8
    if not is_long_enough or int.from_bytes(blinded) >= key.public_key().public_numbers().n:
        raise RegistrarRefusedError("blinded", "this is no blinded message of this contest")
