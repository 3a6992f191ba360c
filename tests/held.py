"""Stopping a running portal at a named step: the database holds the row of that step.

A trigger lets the process that writes the row wait for a lock that the test holds. It can be killed
there, with its transaction open; PostgreSQL notices when the lock is let go, and takes it back. A
step `at_commit` waits in the commit itself: that one is carried out, and nobody is there to go on.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg

from tests.publisher import wait_for
from tests.stack import Stack

LOCK = 4_711  # of pg_advisory_lock: nothing of the portal's takes this one
HOLD = """
CREATE FUNCTION held() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_advisory_xact_lock_shared({lock}); RETURN NULL; END $$;
CREATE {kind} held AFTER {event} ON {table} {moment}
FOR EACH ROW WHEN ({when}) EXECUTE FUNCTION held()
"""
LET_GO = "DROP FUNCTION IF EXISTS held() CASCADE"  # and the trigger that calls it
WAITING = (
    "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = %s"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


@dataclass(frozen=True)
class Step:
    """A row that is written in the course of a publish: who writes it waits right after."""

    name: str
    table: str
    event: str
    when: str = "true"
    at_commit: bool = False


@contextmanager
def held(stack: Stack, step: Step) -> Iterator[None]:
    """Whoever comes to the step waits until the end of the block."""
    with psycopg.connect(stack.env["DATABASE_URL"], autocommit=True) as holder:
        holder.execute("SELECT pg_advisory_lock(%s)", (LOCK,))
        stack.sql(LET_GO)  # what a test that failed may have left
        stack.sql(_trigger(step))
        try:
            yield
        finally:
            with contextlib.suppress(psycopg.OperationalError):  # it dies with the server
                holder.execute("SELECT pg_advisory_unlock(%s)", (LOCK,))
            wait_for(lambda: not is_reached(stack))
            stack.sql(LET_GO)


def _trigger(step: Step) -> str:
    kind = "CONSTRAINT TRIGGER" if step.at_commit else "TRIGGER"
    moment = "DEFERRABLE INITIALLY DEFERRED" if step.at_commit else ""
    return HOLD.format(
        lock=LOCK, kind=kind, moment=moment, event=step.event, table=step.table, when=step.when
    )


def is_reached(stack: Stack) -> bool:
    """Whether a process waits at the step."""
    return bool(waiting(stack))


def waiting(stack: Stack) -> list[int]:
    """The numbers of PostgreSQL's processes that wait there."""
    return [int(pid) for (pid,) in stack.sql(WAITING, (LOCK,))]
