"""How a field of a provider's object is read; pure. A wrong shape is a TypeError or ValueError."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from portal.lib.money import Money

Thing = Mapping[str, Any]


def identity(value: object) -> str:
    """Stripe gives an id, or the whole object when asked to expand it, or nothing."""
    return str(value.get("id") or "") if isinstance(value, Mapping) else str(value or "")


def text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise TypeError("an id must be a text")
    return value


def money(minor: object, currency: object) -> Money:
    if not isinstance(minor, int) or isinstance(minor, bool):
        raise TypeError("an amount must be a whole number")
    return Money(minor, str(currency).upper())


def moment(seconds: object) -> datetime:
    if not isinstance(seconds, int) or isinstance(seconds, bool):
        raise TypeError("a moment must be whole seconds")
    return datetime.fromtimestamp(seconds, UTC)


def moment_or_none(seconds: object) -> datetime | None:
    return moment(seconds) if seconds else None


def inner(thing: Thing, *path: str) -> Thing:
    """The object at the end of `path`; an empty one where a part of it is missing or null."""
    for name in path:
        found = thing.get(name)
        thing = found if isinstance(found, Mapping) else {}
    return thing


def listed(value: object) -> Iterator[Thing]:
    """The rows of a list, plain or in an object of its own."""
    rows = value.get("data") if isinstance(value, Mapping) else value
    if isinstance(rows, Sequence):
        yield from (row for row in rows if isinstance(row, Mapping))


def metadata(thing: Thing, name: str) -> str:
    return str(inner(thing, "metadata").get(name) or "")


def order_reference(thing: Thing) -> str:
    """Our reference of the order: we write it into both places when we open a session."""
    return str(thing.get("client_reference_id") or metadata(thing, "order"))


def storable(value: Any) -> Any:
    """The same without what no database keeps as JSON: NUL, halves of a pair, decimals, which the
    client makes of texts.
    """
    if isinstance(value, dict):
        return {storable(key): storable(inside) for key, inside in value.items()}
    if isinstance(value, list):
        return [storable(inside) for inside in value]
    if isinstance(value, str):
        return value.replace("\0", "").encode(errors="replace").decode()
    return str(value) if isinstance(value, Decimal) else value


def known(*names: str) -> tuple[str, ...]:
    """Those that are there, each once, in this sequence."""
    return tuple(dict.fromkeys(name for name in names if name))
