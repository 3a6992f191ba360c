"""The database of one office: nobody else writes to it.

One connection writes. It holds a lock of the server, so that however many processes are started,
one alone writes; another connection reads. Both are opened again after the server was away; while
it is, questions end in psycopg.Error.
"""

from __future__ import annotations

import select
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.sql import SQL, Identifier

from governance.offices.keys import FolderTakenError

LOCK: Final = 1_926_471_337  # any number: the database has no other lock
PATIENCE: Final = 5.0  # seconds for the server to notice that the process before was killed
Connection = psycopg.Connection[tuple[Any, ...]]


def beside(url: str, suffix: str) -> str:
    """The database of the same server whose name ends so."""
    name = conninfo_to_dict(url).get("dbname", "portal")
    return make_conninfo(url, dbname=f"{name}_{suffix}")


class Database:
    """`steps` are the statements that made its tables, in the order in which they were thought of:
    later ones are added at the end. Safe to use from several threads.
    """

    def __init__(self, url: str, steps: Sequence[str]) -> None:
        self._url = url
        self._writer: Connection | None = None
        self._reader: Connection | None = None
        self._writing, self._reading = threading.Lock(), threading.Lock()
        make(url)
        with self.write() as connection:
            _bring_up_to_date(connection, steps)

    def close(self) -> None:
        for connection in (self._writer, self._reader):
            if connection is not None:
                connection.close()

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction; nobody else writes meanwhile. What was done is on disk behind the block.

        Raises FolderTakenError where another process serves this database.
        """
        with self._writing:
            if self._writer is None or _is_gone(self._writer):
                self._writer = _sole_writer(self._url)
            with self._writer.transaction():
                yield self._writer

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """What is committed, as of one moment."""
        with self._reading:
            if self._reader is None or _is_gone(self._reader):
                self._reader = _connected(self._url)
                self._reader.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            with self._reader.transaction():
                yield self._reader


def _connected(url: str) -> Connection:
    return psycopg.connect(url, autocommit=True, connect_timeout=10)


def _is_gone(connection: Connection) -> bool:
    """An idle connection has nothing to say: where there is something to read, it is the end."""
    if not connection.closed:
        idle = select.poll()
        idle.register(connection.fileno(), select.POLLIN)
        if not idle.poll(0):
            return False
        connection.close()
    return True


def _sole_writer(url: str) -> Connection:
    connection = _connected(url)
    # What is answered is on disk, whatever the server does for others.
    connection.execute("SET synchronous_commit = on")
    deadline = time.monotonic() + PATIENCE
    while True:
        found = connection.execute("SELECT pg_try_advisory_lock(%s)", [LOCK]).fetchone()
        if found and found[0]:
            return connection
        if time.monotonic() > deadline:
            connection.close()
            raise FolderTakenError("another process serves this database")
        time.sleep(0.05)


def make(url: str) -> None:
    """Make the database if the server has none of its name."""
    try:
        _connected(url).close()
    except psycopg.OperationalError:
        name = str(conninfo_to_dict(url).get("dbname", ""))
        with _connected(make_conninfo(url, dbname="postgres")) as server:
            query = "SELECT 1 FROM pg_database WHERE datname = %s"
            if server.execute(query, [name]).fetchone():
                raise
            server.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
            server.execute(SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(Identifier(name)))


def _bring_up_to_date(connection: Connection, steps: Sequence[str]) -> None:
    connection.execute("CREATE TABLE IF NOT EXISTS steps (done integer NOT NULL)")
    found = connection.execute("SELECT done FROM steps").fetchone()
    done = found[0] if found else 0
    if done > len(steps):
        raise ValueError("the database was written by a newer version of this process")
    for step in steps[done:]:
        connection.execute(step.encode())
    connection.execute("DELETE FROM steps")
    connection.execute("INSERT INTO steps VALUES (%s)", [len(steps)])
