"""Objects as Stripe publishes them (`shapes.json`), with the fields that a story is about.

A field that the published object does not have cannot be set, so a story cannot invent one; what
older versions of the API had is named in OLDER.
"""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

PUBLISHED = json.loads((Path(__file__).parent / "shapes.json").read_text())
OLDER = {
    "invoice": {"charge", "payment_intent", "subscription", "subscription_details"},
    "subscription": {"current_period_start", "current_period_end"},
    "charge": {"invoice"},
}
FREE = {"metadata"}  # ours to fill

Thing = dict[str, Any]


def shaped(kind: str, **fields: Any) -> Thing:
    """The published object of this kind, with `fields` in place of its own."""
    thing: Thing = deepcopy(PUBLISHED["resources"][kind])
    unknown = set(fields) - set(thing) - OLDER.get(kind, set())
    if unknown:
        raise KeyError(f"{kind} has no {sorted(unknown)}")
    for name, value in fields.items():
        thing[name] = _merged(thing.get(name), value, name)
    return thing


def _merged(published: Any, value: Any, name: str) -> Any:
    """Objects are filled field by field, everything else is replaced."""
    if name in FREE or not isinstance(published, dict) or not isinstance(value, dict):
        return value
    return published | {key: _merged(published.get(key), part, key) for key, part in value.items()}


def event(kind: str, thing: Thing, *, event_id: str, at: int) -> Thing:
    return shaped("event", id=event_id, type=kind, created=at) | {"data": {"object": thing}}
