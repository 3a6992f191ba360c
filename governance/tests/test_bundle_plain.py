"""Dataclasses of the tally as JSON and back, whatever they are made of."""

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any

import pytest

from governance.bundle.plain import dump, holds, load


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Inner:
    share: Fraction
    colour: Colour = Colour.RED


@dataclass(frozen=True)
class Outer:
    name: str
    inner: Inner
    many: tuple[int, ...] = ()
    known: frozenset[str] = frozenset()
    listed: list[Inner] = field(default_factory=list)
    shares: dict[Colour, Fraction] = field(default_factory=dict)
    maybe: int | None = None
    is_so: bool = False


WHOLE = Outer(
    name="x",
    inner=Inner(Fraction(1, 3)),
    many=(1, 2),
    listed=[Inner(Fraction(2))],
    shares={Colour.RED: Fraction(1, 2)},
    maybe=5,
    is_so=True,
)


def test_what_is_dumped_comes_back() -> None:
    told = dump(WHOLE)
    assert told["shares"] == {"red": "1/2"}
    assert told["inner"] == {"share": "1/3", "colour": "red"}
    del told["known"]  # JSON has no sets; none of the tally's is dumped
    assert load(Outer, told) == WHOLE
    assert load(Outer, {"name": "x", "inner": {"share": "1/3"}, "maybe": None}) == Outer(
        "x", Inner(Fraction(1, 3))
    )
    assert load(frozenset[str], ["a", "b"]) == {"a", "b"}


@pytest.mark.parametrize(
    ("kind", "value", "told"),
    [
        (Outer, [], "is no Outer"),
        (Outer, {"name": "x"}, "missing 1 required"),
        (Outer, {"name": "x", "other": 1}, "Outer has no other"),
        (Outer, {"name": 5}, "5 is no str"),
        (list[int], ["1"], "'1' is no int"),
        (list[int], [True], "True is no int"),
        (Colour, "blue", "'blue' is not a valid Colour"),
        (Fraction, "many", "Invalid literal for Fraction"),
    ],
)
def test_what_does_not_fit_is_told(kind: Any, value: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        load(kind, value)


@pytest.mark.parametrize(
    ("whole", "part", "answer"),
    [
        ({"a": 1, "b": [1, {"c": 2}]}, {"b": [1, {}]}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1}, {"a": 2}, False),
        ([1, 2], [1], False),
        ("ab", ["a"], False),
        ([], {}, False),
        (None, None, True),
    ],
)
def test_whether_one_says_all_that_another_does(whole: Any, part: Any, answer: bool) -> None:
    assert holds(whole, part) is answer
