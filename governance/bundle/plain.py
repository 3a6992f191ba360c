"""Dataclasses of the tally as JSON, and back."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from typing import Any


def dump(value: Any) -> Any:
    """What JSON can say of dataclasses, enums, fractions, tuples and dicts of them."""
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value)]
        return {name: dump(getattr(value, name)) for name in names}
    if isinstance(value, Enum):
        return dump(value.value)
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, dict):
        return {str(dump(key)): dump(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [dump(each) for each in value]
    return value


def load(kind: Any, value: Any) -> Any:
    """The value of that type. What a dataclass knows and the document does not has its default.

    Raises ValueError for what does not fit.
    """
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _load_dataclass(kind, value)
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if origin in {typing.Union, types.UnionType}:
        if value is None:
            return None
        return load(next(each for each in inside if each is not types.NoneType), value)
    if origin in CONTAINERS:
        return CONTAINERS[origin](inside, value)
    if kind in PLAIN and type(value) is not kind:
        raise ValueError(f"{value!r} is no {kind.__name__}")
    return kind(value)


def _load_dataclass(kind: Any, value: Any) -> Any:
    if not isinstance(value, dict):
        raise ValueError(f"{value!r} is no {kind.__name__}")
    hints = typing.get_type_hints(kind)
    names = {field.name for field in dataclasses.fields(kind)}
    if unknown := value.keys() - names:
        raise ValueError(f"{kind.__name__} has no {', '.join(sorted(unknown))}")
    try:
        return kind(**{name: load(hints[name], each) for name, each in value.items()})
    except TypeError as error:
        raise ValueError(str(error)) from None


def _load_dict(inside: tuple[Any, ...], value: Any) -> dict[Any, Any]:
    return {load(inside[0], key): load(inside[1], each) for key, each in dict(value).items()}


def holds(whole: Any, part: Any) -> bool:
    """Whether all that `part` says is said by `whole` too: records of an older portal say less."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(
            name in whole and holds(whole[name], value) for name, value in part.items()
        )
    if isinstance(part, list):
        return (
            isinstance(whole, list)
            and len(whole) == len(part)
            and all(holds(a, b) for a, b in zip(whole, part, strict=True))
        )
    return bool(whole == part)


PLAIN = (bool, int, str)
CONTAINERS: dict[Any, Callable[[tuple[Any, ...], Any], Any]] = {
    list: lambda inside, value: [load(inside[0], each) for each in value],
    tuple: lambda inside, value: tuple(load(inside[0], each) for each in value),
    frozenset: lambda inside, value: frozenset(load(inside[0], each) for each in value),
    dict: _load_dict,
}
