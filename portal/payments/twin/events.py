"""Events of the twin, and the queue of their deliveries."""

from __future__ import annotations

import json
import time
from typing import Any

from portal.payments.twin import older
from portal.payments.twin.shapes import VERSION, Body, shaped
from portal.payments.twin.state import Change, new_id

MODES = ("once", "twice", "held")
SHAPES = ("newest", "older")


def emit(change: Change, kind: str, thing: Body, previous: Body | None = None) -> None:
    """Write an event and queue its delivery: once, twice, or held back."""
    data: Body = {"object": thing}
    if previous:
        data["previous_attributes"] = previous
    event = shaped(
        "event",
        id=new_id("evt"),
        api_version=VERSION,
        created=change.now,
        type=kind,
        pending_webhooks=1,
        request={"id": None, "idempotency_key": None},
        data=data,
    )
    if change.setting("shape", "newest") == "older":
        event = older.event(change, event)
    values = [event["id"], change.story_of(thing["id"]), json.dumps(event)]
    change.run("INSERT INTO event (id, story, body) VALUES (?, ?, ?)", values)
    mode = delivery_mode(change)
    for _ in range(2 if mode == "twice" else 1):
        _queue(change, event["id"], None if mode == "held" else time.time())


def _queue(change: Change, event_id: str, due: float | None) -> None:
    change.run("INSERT INTO delivery (event, due) VALUES (?, ?)", [event_id, due])


def delivery_mode(change: Change) -> str:
    return change.setting("delivery", "once")


def set_mode(change: Change, mode: str) -> None:
    """Held deliveries leave, last first, when the mode changes to another."""
    change.set("delivery", mode)
    if mode != "held":
        release(change, reverse=True)


def release(change: Change, *, reverse: bool) -> None:
    """Let go what is held back, in the sequence in which it happened or against it."""
    rows = change.run("SELECT id FROM delivery WHERE due IS NULL ORDER BY id").fetchall()
    now = time.time()
    for place, row in enumerate(reversed(rows) if reverse else rows):
        change.run("UPDATE delivery SET due = ? WHERE id = ?", [now + place / 1e4, row["id"]])


def redeliver(change: Change, story: str) -> None:
    """Queue every event of a story once more."""
    query = "INSERT INTO delivery (event, due) SELECT id, ? FROM event WHERE story = ?"
    change.run(query, [time.time(), story])


def redeliver_one(change: Change, event_id: str) -> None:
    _queue(change, event_id, time.time())


def due(change: Change, now: float, limit: int = 20) -> list[tuple[int, int, str]]:
    """Deliveries to make now: id, attempts so far, the event as it was written."""
    query = """SELECT delivery.id, attempts, body FROM delivery
        JOIN event ON event.id = delivery.event
        WHERE done IS NULL AND due <= ? ORDER BY due, delivery.id LIMIT ?"""
    rows = change.run(query, [now, limit]).fetchall()
    return [(row["id"], row["attempts"], row["body"]) for row in rows]


def answered(change: Change, delivery: int, answer: str) -> None:
    query = "UPDATE delivery SET done = ?, attempts = attempts + 1, answer = ? WHERE id = ?"
    change.run(query, [time.time(), answer, delivery])


def failed(change: Change, delivery: int, answer: str, again_at: float) -> None:
    query = "UPDATE delivery SET due = ?, attempts = attempts + 1, answer = ? WHERE id = ?"
    change.run(query, [again_at, answer, delivery])


def waiting(change: Change) -> tuple[int, int]:
    """How many deliveries are still to be answered, and how many of them are held back."""
    query = "SELECT count(*), count(*) - count(due) FROM delivery WHERE done IS NULL"
    row = change.run(query).fetchone()
    return int(row[0]), int(row[1])


def told(change: Change, story: str = "", limit: int = 100) -> list[Body]:
    """The newest events, each with how its deliveries went."""
    where = "WHERE event.story = ?" if story else ""
    query = f"""SELECT event.id, event.body, count(delivery.id) AS times,
            sum(delivery.done IS NOT NULL) AS done, sum(delivery.due IS NULL) AS held,
            max(delivery.answer) AS answer, sum(delivery.attempts) AS attempts
        FROM event LEFT JOIN delivery ON delivery.event = event.id {where}
        GROUP BY event.id ORDER BY event.place DESC LIMIT ?"""  # noqa: S608  (one of two texts)
    rows = change.run(query, [*([story] if story else []), limit]).fetchall()
    return [_told(row) for row in rows]


def _told(row: Any) -> Body:
    event = json.loads(row["body"])
    return dict(row) | {"type": event["type"], "created": event["created"], "body": event}


def written(change: Change) -> list[Body]:
    """All events, the newest first, as they were delivered."""
    rows = change.run("SELECT body FROM event ORDER BY place DESC").fetchall()
    return [json.loads(row["body"]) for row in rows]
