"""The rows of the box: what waits, what is in blocks, and how the one becomes the other.

Ballots that wait lie in the order in which they were cast. A block writes them anew, sorted by
their digests, in one transaction that empties the table of those that wait: neither the place of a
row on the disk nor the number of the transaction that wrote it tells which of a block came first.
What waits for another election at that moment is written anew in the same way. No table has a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, LiteralString

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from governance.offices.database import Connection
from governance.offices.elections import TABLE
from governance.sealed import wire
from governance.sealed.ballot import Ballot
from governance.sealed.board import Block, first_block, next_block

_BALLOT: Final = """
    election text NOT NULL,
    digest text NOT NULL,
    contest text NOT NULL,
    point bytea NOT NULL,
    sequence integer NOT NULL,
    line bytea NOT NULL,
    PRIMARY KEY (election, digest),
    UNIQUE (contest, point, sequence)"""
STEPS: Final = (
    TABLE,
    f"CREATE TABLE pending ({_BALLOT})",
    f"CREATE TABLE ballots ({_BALLOT}, block integer NOT NULL)",
    """CREATE TABLE blocks (
        election text NOT NULL,
        number integer NOT NULL,
        line bytea NOT NULL,
        PRIMARY KEY (election, number)
    )""",
    "CREATE TABLE closed (election text PRIMARY KEY)",
    # PostgreSQL keeps samples of what it analysed, and when: of the middle of an epoch, that is.
    "ALTER TABLE pending SET (autovacuum_enabled = false, toast.autovacuum_enabled = false),"
    " ALTER election SET STATISTICS 0, ALTER digest SET STATISTICS 0,"
    " ALTER contest SET STATISTICS 0, ALTER point SET STATISTICS 0,"
    " ALTER sequence SET STATISTICS 0, ALTER line SET STATISTICS 0",
    'ALTER TABLE ballots ALTER digest TYPE text COLLATE "C"',  # read in this order, piece by piece
)
_BEFORE: Final = """
    SELECT count(*), coalesce(max(sequence), 0),
        coalesce(bool_or(digest = %(digest)s), false),
        coalesce(bool_or(sequence = %(sequence)s), false)
    FROM (
        SELECT digest, contest, point, sequence FROM pending
        UNION ALL SELECT digest, contest, point, sequence FROM ballots
    ) AS either
    WHERE contest = %(contest)s AND point = %(point)s"""
_ADD: Final = """
    INSERT INTO pending (election, digest, contest, point, sequence, line)
    VALUES (%(election)s, %(digest)s, %(contest)s, %(point)s, %(sequence)s, %(line)s)"""
_WAITING: Final = "SELECT election, digest, contest, point, sequence, line FROM pending"
_KEEP: Final = "COPY pending (election, digest, contest, point, sequence, line) FROM STDIN"
_PUBLISH: Final = (
    "COPY ballots (election, digest, contest, point, sequence, line, block) FROM STDIN"
)


@dataclass(frozen=True, slots=True)
class Before:
    """What a pseudonym has in the box already, beside one ballot."""

    ballots: int
    highest: int  # sequence, 0 without a ballot
    has_it: bool  # the very ballot
    has_sequence: bool


def before(connection: Connection, ballot: Ballot) -> Before:
    row = connection.execute(_BEFORE, _fields(ballot)).fetchone()
    return Before(*row) if row else Before(0, 0, has_it=False, has_sequence=False)


def add(connection: Connection, election: str, ballot: Ballot) -> None:
    """The ballot waits, as we write it: what came may have spaces that tell browsers apart."""
    connection.execute(
        _ADD, _fields(ballot) | {"election": election, "line": wire.write_ballot(ballot)}
    )


def _fields(ballot: Ballot) -> dict[str, Any]:
    return {
        "digest": ballot.digest,
        "contest": ballot.contest.decode(),
        "point": ballot.pseudonym.point,
        "sequence": ballot.sequence,
    }


def waiting(connection: Connection, election: str) -> int:
    """How many ballots wait for their block."""
    query = "SELECT count(*) FROM pending WHERE election = %s"
    row = connection.execute(query, [election]).fetchone()
    return int(row[0]) if row else 0


def make_block(
    connection: Connection, election: str, manifest_sha256: str, key: Ed25519PrivateKey
) -> Block:
    """The next block, of all that waits. Raises psycopg.errors.LockNotAvailable where somebody
    reads the table for long, a backup for example.
    """
    connection.execute("SET LOCAL lock_timeout = '200ms'")
    connection.execute("LOCK TABLE pending IN ACCESS EXCLUSIVE MODE")
    rows = sorted(connection.execute(_WAITING).fetchall())
    ours = [row for row in rows if row[0] == election]
    digests = [row[1] for row in ours]
    last = _last_block(connection, election)
    block = (
        next_block(last, digests, key)
        if last
        else first_block(election, manifest_sha256, digests, key)
    )
    connection.execute(
        "INSERT INTO blocks (election, number, line) VALUES (%s, %s, %s)",
        [election, block.number, wire.write_block(block)],
    )
    _copy(connection, _PUBLISH, ((*row, block.number) for row in ours))
    connection.execute("TRUNCATE pending")
    _copy(connection, _KEEP, (row for row in rows if row[0] != election))
    return block


def _last_block(connection: Connection, election: str) -> Block | None:
    query = "SELECT line FROM blocks WHERE election = %s ORDER BY number DESC LIMIT 1"
    row = connection.execute(query, [election]).fetchone()
    return wire.read_block(row[0]) if row else None


def _copy(connection: Connection, into: LiteralString, rows: Iterable[tuple[Any, ...]]) -> None:
    with connection.cursor().copy(into) as copy:
        for row in rows:
            copy.write_row(row)
