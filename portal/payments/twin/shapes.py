"""Stripe's objects, empty: every field that it publishes as required or nullable (`shapes.json`).

What the twin gives out is one of these with some fields set, so it cannot invent any.
"""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

Body = dict[str, Any]

_file: Body = json.loads((Path(__file__).parent / "shapes.json").read_text(encoding="utf-8"))
PUBLISHED: dict[str, Body] = _file["resources"]
VERSION: str = _file["api_version"]
# Fields that are there only sometimes; Stripe publishes them as neither required nor nullable.
SOMETIMES = {
    "charge": {"payment_method_details"},
    "customer": {"invoice_settings", "metadata"},
    "dispute": {"payment_method_details"},
    "payment_intent": {"amount", "amount_received", "currency", "payment_method_types", "metadata"},
    "refund": {"failure_reason"},
    "subscription_item": {"quantity"},
}


def shaped(kind: str, **fields: Any) -> Body:
    """The empty object of this kind with `fields` set. Raises KeyError for one it has not."""
    thing = deepcopy(PUBLISHED[kind])
    unknown = set(fields) - set(thing) - SOMETIMES.get(kind, set())
    if unknown:
        raise KeyError(f"{kind} has no {sorted(unknown)}")
    return thing | fields


def listing(rows: list[Body], url: str, *, more: bool = False) -> Body:
    return {"object": "list", "data": rows, "has_more": more, "url": url}
