"""What the twin remembers: one SQLite file, written in whole transactions, safe to be killed."""

from __future__ import annotations

import contextlib
import json
import secrets
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TABLES = """
CREATE TABLE IF NOT EXISTS session (
    id TEXT PRIMARY KEY, idempotency_key TEXT UNIQUE, body TEXT NOT NULL, created REAL NOT NULL);
CREATE TABLE IF NOT EXISTS refund (
    id TEXT PRIMARY KEY, idempotency_key TEXT UNIQUE, session TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS event (id TEXT PRIMARY KEY, session TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS delivery (
    id INTEGER PRIMARY KEY, event TEXT NOT NULL, due REAL, attempts INTEGER NOT NULL DEFAULT 0,
    done REAL, answer TEXT NOT NULL DEFAULT '');
CREATE TABLE IF NOT EXISTS mode (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""

Body = dict[str, Any]


class State:
    """Every method is one question; changes happen inside `with state.changing() as change`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        with self._connected() as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(TABLES)

    @contextlib.contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self.path, timeout=10, isolation_level=None)
        connection.row_factory = sqlite3.Row
        try:
            yield connection
        finally:
            connection.close()

    @contextlib.contextmanager
    def changing(self) -> Iterator[Change]:
        """One transaction; nothing is kept when the block raises."""
        with self._connected() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield Change(connection)
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    def session(self, session_id: str) -> Body | None:
        with self._connected() as connection:
            row = connection.execute("SELECT body FROM session WHERE id = ?", [session_id])
            return _body(row.fetchone())

    def sessions(self, limit: int = 50) -> list[Body]:
        """The newest, each with its refunds and events."""
        query = "SELECT body FROM session ORDER BY created DESC LIMIT ?"
        with self._connected() as connection:
            rows = connection.execute(query, [limit]).fetchall()
        return [json.loads(row["body"]) for row in rows]

    def mode(self) -> str:
        with self._connected() as connection:
            row = connection.execute("SELECT value FROM mode WHERE name = 'delivery'").fetchone()
        return str(row["value"]) if row else "once"

    def waiting(self) -> int:
        """How many deliveries are still to be answered, held ones included."""
        with self._connected() as connection:
            row = connection.execute("SELECT count(*) FROM delivery WHERE done IS NULL").fetchone()
        return int(row[0])

    def due(self, now: float, limit: int = 20) -> list[tuple[int, int, str]]:
        """Deliveries to make now: id, attempts so far, the event as it was written."""
        query = """SELECT delivery.id, attempts, body FROM delivery
            JOIN event ON event.id = delivery.event
            WHERE done IS NULL AND due <= ? ORDER BY due, delivery.id LIMIT ?"""
        with self._connected() as connection:
            rows = connection.execute(query, [now, limit]).fetchall()
        return [(row["id"], row["attempts"], row["body"]) for row in rows]


class Change:
    """The writes of one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._run = connection.execute

    def session(self, session_id: str) -> Body | None:
        row = self._run("SELECT body FROM session WHERE id = ?", [session_id])
        return _body(row.fetchone())

    def session_of_payment(self, payment_ref: str) -> Body | None:
        query = "SELECT body FROM session WHERE json_extract(body, '$.payment_intent') = ?"
        return _body(self._run(query, [payment_ref]).fetchone())

    def session_by_key(self, key: str) -> Body | None:
        row = self._run("SELECT body FROM session WHERE idempotency_key = ?", [key])
        return _body(row.fetchone())

    def refund_by_key(self, key: str) -> Body | None:
        row = self._run("SELECT body FROM refund WHERE idempotency_key = ?", [key])
        return _body(row.fetchone())

    def add_session(self, body: Body, key: str) -> None:
        values = [body["id"], key or body["id"], json.dumps(body), time.time()]
        self._run("INSERT INTO session VALUES (?, ?, ?, ?)", values)

    def save_session(self, body: Body) -> None:
        self._run("UPDATE session SET body = ? WHERE id = ?", [json.dumps(body), body["id"]])

    def add_refund(self, body: Body, session_id: str, key: str) -> None:
        values = [body["id"], key or body["id"], session_id, json.dumps(body)]
        self._run("INSERT INTO refund VALUES (?, ?, ?, ?)", values)

    def refunds(self, session_id: str) -> list[Body]:
        rows = self._run("SELECT body FROM refund WHERE session = ?", [session_id]).fetchall()
        return [json.loads(row["body"]) for row in rows]

    def emit(self, kind: str, thing: Body, session_id: str, api_version: str) -> None:
        """Write an event and queue its delivery: once, twice, or held back."""
        event = {
            "id": new_id("evt"),
            "object": "event",
            "api_version": api_version,
            "created": int(time.time()),
            "type": kind,
            "livemode": False,
            "pending_webhooks": 1,
            "data": {"object": thing},
        }
        values = [event["id"], session_id, json.dumps(event)]
        self._run("INSERT INTO event VALUES (?, ?, ?)", values)
        row = self._run("SELECT value FROM mode WHERE name = 'delivery'").fetchone()
        mode = row["value"] if row else "once"
        due = None if mode == "held" else time.time()
        for _ in range(2 if mode == "twice" else 1):
            self._run("INSERT INTO delivery (event, due) VALUES (?, ?)", [event["id"], due])

    def redeliver(self, session_id: str) -> None:
        """Queue every event of a session once more."""
        query = "INSERT INTO delivery (event, due) SELECT id, ? FROM event WHERE session = ?"
        self._run(query, [time.time(), session_id])

    def set_mode(self, mode: str) -> None:
        """Held deliveries leave, last first, when the mode changes to another."""
        self._run("INSERT OR REPLACE INTO mode VALUES ('delivery', ?)", [mode])
        if mode != "held":
            now = time.time()
            held = self._run("SELECT id FROM delivery WHERE due IS NULL ORDER BY id DESC")
            for place, row in enumerate(held.fetchall()):
                self._run(
                    "UPDATE delivery SET due = ? WHERE id = ?", [now + place / 1e4, row["id"]]
                )

    def answered(self, delivery: int, answer: str) -> None:
        query = "UPDATE delivery SET done = ?, attempts = attempts + 1, answer = ? WHERE id = ?"
        self._run(query, [time.time(), answer, delivery])

    def failed(self, delivery: int, answer: str, due: float) -> None:
        query = "UPDATE delivery SET due = ?, attempts = attempts + 1, answer = ? WHERE id = ?"
        self._run(query, [due, answer, delivery])


def new_id(prefix: str) -> str:
    return f"{prefix}_twin_{secrets.token_hex(12)}"


def _body(row: sqlite3.Row | None) -> Body | None:
    return json.loads(row["body"]) if row else None
