"""What the ballot box takes and what it refuses, and when it makes a block.

It knows pseudonyms, and nothing of who is behind them. A ballot is stored before its receipt
leaves; no time is stored with it, no address, and no line of the log is written for it.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from governance.box import board
from governance.box.client import BallotBoxRefusedError, Found, Receipt
from governance.offices.database import Connection, Database
from governance.offices.elections import Elections
from governance.offices.keys import ELECTION, Keys, KeyUnsafeError
from governance.offices.process import Clock, system_clock
from governance.sealed import ballot as sealed
from governance.sealed import wire
from governance.sealed.ballot import Ballot, BallotError
from governance.sealed.board import Block, receipt
from governance.sealed.manifest import MODULUS, Contest, Manifest
from governance.sealed.wire import LARGEST_BALLOT, WireError, to_text

logger = logging.getLogger("governance.box")

EPOCH: Final = timedelta(hours=1)
FEWEST: Final = 10  # new ballots of a block before the close
MOST: Final = 1000  # ballots of one pseudonym: nobody fills the disk with changes of a vote


class Office:
    """The ballot box itself, in this process. Safe to call from several threads."""

    def __init__(self, folder: Path, database: Database, clock: Clock = system_clock) -> None:
        self._database, self._clock = database, clock
        self._keys = Keys(folder, Ed25519PrivateKey, Ed25519PrivateKey.generate)
        self._elections = Elections(database, BallotBoxRefusedError)
        # When the epoch of each election began. It is not stored: after a start it begins anew.
        self._since: dict[str, datetime] = {}
        self._began = clock()

    def ping(self) -> None:
        with self._database.read() as connection:
            connection.execute("SELECT 1")

    def key(self, election: str) -> bytes:
        if not ELECTION.fullmatch(election):
            raise BallotBoxRefusedError("election", "this is no name of an election")
        if found := self._elections.find(election):
            return _public(self._key_of(found))
        return _public(self._keys.made(election))

    def open(self, manifest: bytes, signatures: list[bytes]) -> None:
        self._elections.open(manifest, signatures, check_keys=self._check_keys)

    def cast(self, line: bytes) -> Receipt:
        ballot, election, contest = self._read(line)
        try:
            sealed.check(
                ballot, contest=contest.name, registrar=contest.registrar, size=contest.size
            )
        except BallotError as error:
            raise BallotBoxRefusedError("invalid", str(error)) from error
        key = self._key_of(election)
        with self._database.write() as connection:
            found = board.before(connection, ballot)
            if not found.has_it:
                self._must_be_open(connection, election)
                _must_follow(found, ballot)
                board.add(connection, election.election, ballot)
        return Receipt(ballot.digest, receipt(election.election, ballot.digest, key))

    def blocks(self, election: str, after: int = 0, most: int | None = None) -> list[bytes]:
        self._election(election)
        query = (
            "SELECT line FROM blocks WHERE election = %s AND number > %s ORDER BY number LIMIT %s"
        )
        with self._database.read() as connection:
            return [line for (line,) in connection.execute(query, [election, after, most])]

    def find(self, election: str, digest: str) -> Found:
        self._election(election)
        query = (
            "SELECT block FROM ballots WHERE election = %(election)s AND digest = %(digest)s UNION"
            " SELECT NULL FROM pending WHERE election = %(election)s AND digest = %(digest)s"
        )
        with self._database.read() as connection:
            row = connection.execute(query, {"election": election, "digest": digest}).fetchone()
        return Found(is_known=True, block=row[0]) if row else Found(is_known=False)

    def ballots(self, election: str, after: str = "", most: int | None = None) -> list[bytes]:
        """`after` a digest, at most so many of them."""
        self._election(election)
        query = (
            "SELECT line FROM ballots WHERE election = %s AND digest > %s ORDER BY digest LIMIT %s"
        )
        with self._database.read() as connection:
            if not _is_closed(connection, election):
                raise BallotBoxRefusedError("early", "ballots are told after the close")
            return [line for (line,) in connection.execute(query, [election, after, most])]

    def close(self, election: str) -> None:
        found = self._election(election)
        if self._clock() < found.closes:
            raise BallotBoxRefusedError("early", "the time of the election is not over")
        key = self._key_of(found)
        with self._database.write() as connection:
            if _is_closed(connection, election):
                return
            block = self._make_block(connection, found, key)
            connection.execute("INSERT INTO closed (election) VALUES (%s)", [election])
        logger.info("%s is closed: block %d is the last", election, block.number)

    def tend(self) -> None:
        """Make the blocks whose time has come, and close what is over. The process calls it again
        and again.
        """
        with self._database.read() as connection:
            query = "SELECT name FROM elections EXCEPT SELECT election FROM closed ORDER BY 1"
            names = [name for (name,) in connection.execute(query)]
        faults: list[Exception] = []
        for name in names:
            try:
                self._tend(name)
            except Exception as error:  # the other elections go on
                faults.append(error)
        if faults:
            raise faults[0]

    def _tend(self, name: str) -> None:
        election, now = self._election(name), self._clock()
        if now >= election.closes:
            self.close(name)
        elif now - self._since.setdefault(name, max(self._began, election.opens)) >= EPOCH:
            self._end_epoch(election, now)

    def _end_epoch(self, election: Manifest, now: datetime) -> None:
        key = self._key_of(election)
        with self._database.write() as connection:
            if board.waiting(connection, election.election) < FEWEST:
                return
            block = self._make_block(connection, election, key)
        self._since[election.election] = now
        logger.info("%s has block %d", election.election, block.number)

    def _make_block(
        self, connection: Connection, election: Manifest, key: Ed25519PrivateKey
    ) -> Block:
        text = self._elections.text(election.election) or b""
        return board.make_block(connection, election.election, sha256(text).hexdigest(), key)

    def _must_be_open(self, connection: Connection, election: Manifest) -> None:
        """Asked where nobody else writes: what came in time is in the last block."""
        now = self._clock()
        if now < election.opens:
            raise BallotBoxRefusedError("early", "the election is not open yet")
        if now >= election.closes or _is_closed(connection, election.election):
            raise BallotBoxRefusedError("closed", "the election is closed")

    def _read(self, line: bytes) -> tuple[Ballot, Manifest, Contest]:
        if len(line) > LARGEST_BALLOT:
            raise BallotBoxRefusedError("size", f"a ballot has at most {LARGEST_BALLOT} bytes")
        try:
            ballot = wire.read_ballot(line)
        except WireError as error:
            raise BallotBoxRefusedError("wire", str(error)) from error
        contest = ballot.contest.decode()
        election = self._elections.find(contest.partition("/")[0])
        try:
            if election:
                return ballot, election, election.contest(contest)
        except KeyError:
            pass
        raise BallotBoxRefusedError("contest", "no election with this contest is open here")

    def _election(self, name: str) -> Manifest:
        if found := self._elections.find(name):
            return found
        raise BallotBoxRefusedError("election", "no election of this name is open here")

    def _key_of(self, election: Manifest) -> Ed25519PrivateKey:
        key = self._keys.there(election.election)
        if to_text(_public(key)) != election.box_key:
            raise KeyUnsafeError(f"the key of {election.election} is another than in the manifest")
        return key

    def _check_keys(self, manifest: Manifest) -> None:
        try:
            self._key_of(manifest)
        except KeyUnsafeError as error:
            raise BallotBoxRefusedError("key", "the key is not this box's") from error
        if not all(map(_has_registrar, manifest.contests)):
            raise BallotBoxRefusedError(
                "manifest", f"a contest has no key of a registrar: RSA of {MODULUS} bits"
            )


def _has_registrar(contest: Contest) -> bool:
    try:
        key: object = contest.registrar
    except (ValueError, UnsupportedAlgorithm):
        return False
    return isinstance(key, rsa.RSAPublicKey) and key.key_size == MODULUS


def _must_follow(found: board.Before, ballot: Ballot) -> None:
    if found.has_sequence:
        raise BallotBoxRefusedError("taken", "another ballot of this pseudonym has this sequence")
    if ballot.sequence < found.highest:
        raise BallotBoxRefusedError("old", "a ballot of this pseudonym has a higher sequence")
    if found.ballots >= MOST:
        raise BallotBoxRefusedError("many", f"a vote can be changed {MOST - 1} times")


def _is_closed(connection: Connection, election: str) -> bool:
    query = "SELECT 1 FROM closed WHERE election = %s"
    return connection.execute(query, [election]).fetchone() is not None


def _public(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
