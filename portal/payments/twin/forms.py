"""Form-encoded requests as Stripe's clients write them: `line_items[0][price_data][currency]`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from portal.payments.twin.errors import RequestError

Form = dict[str, Any]


def nested(pairs: Iterable[tuple[str, str]]) -> Form:
    """The fields of a request as objects in objects; rows of a list are keyed by their number."""
    form: Form = {}
    for key, value in pairs:
        *path, last = re.split(r"\[|\]\[", key.removesuffix("]"))
        place = form
        for name in path:
            place = place.setdefault(name, {})
            if not isinstance(place, dict):
                raise RequestError(f"Invalid object: {key}", param=key)
        place[last] = value
    return form


def inner(form: Form, *path: str) -> Form:
    """The object at the end of `path`, empty where there is none."""
    for name in path:
        form = form.get(name) or {}
        if not isinstance(form, dict):
            raise RequestError(f"Invalid object: {name}", param=name)
    return form


def text(form: Form, name: str) -> str | None:
    value = form.get(name)
    if value is not None and not isinstance(value, str):
        raise RequestError(f"Invalid string: {name}", param=name)
    return value or None


def number(form: Form, name: str, default: int | None = None) -> int:
    """A whole number. Raises RequestError when it is none, or missing without a default."""
    value = form.get(name)
    if value is None and default is not None:
        return default
    if not isinstance(value, str) or not re.fullmatch(r"-?[0-9]{1,15}", value):
        raise RequestError(f"Invalid integer: {name}", code="parameter_invalid_integer", param=name)
    return int(value)


def flag(form: Form, name: str) -> bool:
    if form.get(name) not in {"true", "false"}:
        raise RequestError(f"Invalid boolean: {name}", param=name)
    return bool(form[name] == "true")
