"""Who writes bytes, and who removes them, by a lock in the database for each digest.

Bytes come before the row that refers to them, and a file that lies there already is used again. So
a writer holds the digest from before it looks until its transaction ends; writers do not mind each
other. The garbage collection takes the digest alone or leaves it for its next run: it never waits,
so nobody waits behind it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from django.db import connection, transaction

SPACE: Final = 0x0B10B  # of our locks among others of the database


def hold(digests: Iterable[str]) -> None:
    """Keep these SHA-256 from being removed until the transaction ends."""
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("bytes are kept within a transaction")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock_shared(%s, number) FROM unnest(%s::int[]) AS number",
            [SPACE, [_number(digest) for digest in digests]],
        )


def seize(digests: Collection[str]) -> list[str]:
    """Those that nobody holds: until the transaction ends no writer looks at them.

    Ask what refers to them afterwards, in a statement of its own.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT number FROM unnest(%s::int[]) AS number"
            " WHERE pg_try_advisory_xact_lock(%s, number)",
            [[_number(digest) for digest in digests], SPACE],
        )
        free = {number for (number,) in cursor.fetchall()}
    return [digest for digest in digests if _number(digest) in free]


def _number(digest: str) -> int:
    """31 bits of the digest: two that share them only wait for each other."""
    return int(digest[:8], 16) >> 1
