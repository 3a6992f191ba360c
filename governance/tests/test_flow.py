"""Paragraphs lose the ends of their lines; whatever has lines of its own keeps them."""

import pytest

from governance.bylaws.flow import unwrapped
from portal.lib.markdown import render

KEPT = [
    "- one\n- two\n  - inner",
    "1. one\n2. two",
    "They\n(a) count,\n(b) do not, and\niv. are counted.",
    "### A heading\nwords",
    "words\n### A heading",
    "Heading\n===\nwords",
    "| Part | Share |\n|---|---|\n| Build | 38 % |",
    "> said\n> once more",
    "one  \n\n    code\n    more code",
    "```\na\n\nb\n```\nafter",
    "ends here\\\nand goes on",
]


@pytest.mark.parametrize("text", KEPT)
def test_what_has_lines_of_its_own_keeps_them(text: str) -> None:
    assert unwrapped(text) == text


@pytest.mark.parametrize(
    ("text", "flowing"),
    [
        ("one\ntwo\nthree\n\nfour\nfive", "one two three\n\nfour five"),
        (
            "two weeks to comment on\nit. Two thirds decide.",
            "two weeks to comment on it. Two thirds decide.",
        ),
        ("- one\n  goes on\n- two", "- one goes on\n- two"),
        (
            "1. the key is kept in a hardware\n   module;\n2. two",
            "1. the key is kept in a hardware module;\n2. two",
        ),
        ("They\n(a) count for\nthe quorum", "They\n(a) count for the quorum"),
        ("said by\nmix. And\nill. And", "said by mix. And ill. And"),
    ],
)
def test_the_lines_of_a_paragraph_become_one(text: str, flowing: str) -> None:
    assert unwrapped(text) == flowing


@pytest.mark.parametrize("text", [*KEPT, "one\ntwo\n\n- a\n  b\n- c", "1. a\n   b\n\n   c\n   d"])
def test_the_page_shows_the_same_as_before(text: str) -> None:
    assert render(unwrapped(text)).split() == render(text).split()
    assert unwrapped(unwrapped(text)) == unwrapped(text)
