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

from portal.payments.twin.errors import MissingError
from portal.payments.twin.shapes import Body

# `story` is what the desk shows on one page: a session, an invoice or a subscription.
# `notes` are the twin's own: what Stripe's objects have no field for.
TABLES = """
CREATE TABLE IF NOT EXISTS thing (
    place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
    story TEXT NOT NULL, body TEXT NOT NULL, notes TEXT NOT NULL DEFAULT '{}');
CREATE INDEX IF NOT EXISTS thing_kind ON thing (kind, place);
CREATE INDEX IF NOT EXISTS thing_story ON thing (story);
CREATE TABLE IF NOT EXISTS answer (
    key TEXT PRIMARY KEY, request TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS event (
    place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, story TEXT NOT NULL,
    body TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS event_story ON event (story);
CREATE TABLE IF NOT EXISTS delivery (
    id INTEGER PRIMARY KEY, event TEXT NOT NULL, due REAL, attempts INTEGER NOT NULL DEFAULT 0,
    done REAL, answer TEXT NOT NULL DEFAULT '');
CREATE INDEX IF NOT EXISTS delivery_event ON delivery (event);
CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


class State:
    """The file. Everything is read and written inside `with state.changing() as change`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        with self.connected() as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(TABLES)

    @contextlib.contextmanager
    def connected(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self.path, timeout=10, isolation_level=None)
        connection.row_factory = sqlite3.Row
        # Nothing is lost with the process; only a power cut may take the last changes.
        connection.execute("PRAGMA synchronous = NORMAL")
        try:
            yield connection
        finally:
            connection.close()

    @contextlib.contextmanager
    def changing(self) -> Iterator[Change]:
        """One transaction; nothing is kept when the block raises."""
        with self.connected() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield Change(connection)
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")


class Change:
    """One transaction. A thing is one of Stripe's objects, found by its id or by its fields."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.run = connection.execute

    # --- things ---

    def add(self, body: Body, story: str = "", **notes: Any) -> Body:
        values = [body["id"], body["object"], story or body["id"], json.dumps(body)]
        insert = "INSERT INTO thing (id, kind, story, body, notes) VALUES (?, ?, ?, ?, ?)"
        self.run(insert, [*values, json.dumps(notes)])
        return body

    def save(self, body: Body) -> Body:
        self.run("UPDATE thing SET body = ? WHERE id = ?", [json.dumps(body), body["id"]])
        return body

    def get(self, kind: str, thing_id: str) -> Body:
        """Raises MissingError."""
        query = "SELECT body FROM thing WHERE id = ? AND kind = ?"
        row = self.run(query, [thing_id, kind]).fetchone()
        if row is None:
            raise MissingError(kind, thing_id)
        found: Body = json.loads(row["body"])
        return found

    def find(self, kind: str, **fields: Any) -> list[Body]:
        """Those of a kind with these values, the oldest first."""
        wanted = "".join(f" AND json_extract(body, '$.{name}') IS ?" for name in fields)
        query = f"SELECT body FROM thing WHERE kind = ?{wanted} ORDER BY place"  # noqa: S608  (names are ours)
        rows = self.run(query, [kind, *fields.values()]).fetchall()
        return [json.loads(row["body"]) for row in rows]

    def newest(self, kind: str, limit: int) -> list[Body]:
        query = "SELECT body FROM thing WHERE kind = ? ORDER BY place DESC LIMIT ?"
        rows = self.run(query, [kind, limit]).fetchall()
        return [json.loads(row["body"]) for row in rows]

    def story_of(self, thing_id: str) -> str:
        """What the desk shows it with, an event too; an unknown one is its own."""
        query = (
            "SELECT story FROM thing WHERE id = ? UNION ALL SELECT story FROM event WHERE id = ?"
        )
        row = self.run(query, [thing_id, thing_id]).fetchone()
        return str(row["story"]) if row else thing_id

    def notes(self, thing_id: str) -> Body:
        row = self.run("SELECT notes FROM thing WHERE id = ?", [thing_id]).fetchone()
        return json.loads(row["notes"]) if row else {}

    def note(self, thing_id: str, **notes: Any) -> None:
        kept = json.dumps(self.notes(thing_id) | notes)
        self.run("UPDATE thing SET notes = ? WHERE id = ?", [kept, thing_id])

    # --- settings and the clock ---

    def setting(self, name: str, default: str) -> str:
        row = self.run("SELECT value FROM setting WHERE name = ?", [name]).fetchone()
        return str(row["value"]) if row else default

    def set(self, name: str, value: str) -> None:
        self.run("INSERT OR REPLACE INTO setting VALUES (?, ?)", [name, value])

    @property
    def now(self) -> int:
        """Seconds by the clock of the twin, which may be ahead of the world's."""
        return int(time.time()) + int(self.setting("ahead", "0"))

    def set_clock(self, now: int) -> None:
        self.set("ahead", str(now - int(time.time())))


def new_id(prefix: str) -> str:
    return f"{prefix}_twin_{secrets.token_hex(12)}"
