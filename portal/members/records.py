"""The rows of an organisation as JSON: every field, but what opens something without a login."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from portal.accounts.models import User
from portal.lib import links

# Never told: addresses that open without a login, what is a file beside it, what repeats it.
HIDDEN: Final[dict[str, set[str]]] = {
    "lib.outboxmail": {"html", "headers"},
    "payments.checkout": {"url"},
    "payments.failedcharge": {"pay_url"},
    "payments.invoice": {"hosted_url"},
}


def table(rows: models.QuerySet[Any]) -> str:
    """What the table of these rows is called in the export."""
    return str(rows.model._meta.label_lower)


def as_json(rows: models.QuerySet[Any]) -> Iterator[str]:
    """A JSON list, piece by piece: any number of rows takes the memory of some."""
    people = [f.name for f in rows.model._meta.concrete_fields if f.related_model is User]
    if people:
        rows = rows.select_related(*people)
    before = "[\n"
    for row in rows.order_by("pk").iterator(chunk_size=500):
        yield before + json.dumps(record(row), cls=DjangoJSONEncoder, ensure_ascii=False)
        before = ",\n"
    yield "\n]\n" if before == ",\n" else "[]\n"


def record(row: models.Model) -> dict[str, Any]:
    """One row. People are their names, other rows their keys; files have a place of their own."""
    hidden = HIDDEN.get(row._meta.label_lower, set())
    return {
        field.name: _value(row, field)
        for field in row._meta.concrete_fields
        if field.name not in hidden and not isinstance(field, models.BinaryField)
    }


def _value(row: models.Model, field: models.Field[Any, Any]) -> Any:
    if field.related_model is User:
        person = getattr(row, field.name)
        return None if person is None else str(person)
    value = getattr(row, field.attname)
    return links.without_tokens(value, instead="[…]") if isinstance(value, str) else value
