"""Bylaws in pieces: taken apart, put together, and where a fault stands."""

import pytest

from governance.bylaws.pieces import Piece, as_kept, at_line, joined, next_number, pieces
from governance.bylaws.text import read, write
from governance.tests.bylaws import TEXT

PARTS = pieces(read(f"For all.\n\n{TEXT}"))


def test_every_item_is_a_piece_and_new_ones_have_a_place() -> None:
    assert [part.place for part in PARTS] == [
        *("preamble", "a1", "c1", "more-1"),
        *("a4", "c4.1", "c4.2", "c4.3", "more-4", "more"),
    ]
    assert PARTS[4].text == "## 4. Board"
    assert PARTS[5].text == "4.1 The board has seven directors."


def test_put_together_they_are_the_text() -> None:
    assert joined(PARTS) == write(read(f"For all.\n\n{TEXT}"))


@pytest.mark.parametrize(
    ("words", "place", "line"),
    [("For all.", "preamble", 1), ("## 4. Board", "a4", 1), ("4.3 They", "c4.3", 1)],
)
def test_a_line_of_the_text_is_found_in_its_piece(words: str, place: str, line: int) -> None:
    lines = joined(PARTS).split("\n")
    number = next(n for n, each in enumerate(lines, start=1) if each.startswith(words))
    assert at_line(PARTS, number) == (place, line)


def test_a_line_inside_a_long_piece_counts_from_its_first() -> None:
    parts = [Piece("a1", "## 1. One"), Piece("c1", "a\nb\nc"), Piece("more-1", "")]
    assert at_line(parts, 5) == ("c1", 3)
    assert at_line(parts, 99) == ("more", 1)


@pytest.mark.parametrize(
    ("place", "text", "is_fine"),
    [
        ("c4.2", "4.2 Words.", True),
        ("c4.2", "", True),
        ("c4.2", "Words.", False),
        ("c1", "Words without a number.", True),
        ("a4", "## 4. Board", True),
        ("a4", "Board", False),
        ("more-4", "4.4 New.", True),
        ("more-4", "New.", False),
        ("more", "## 5. End\n\n5.1 It ends.", True),
        ("more", "5.1 It ends.", False),
        ("preamble", "Anything.", True),
    ],
)
def test_a_piece_is_told_apart_from_the_one_before(place: str, text: str, is_fine: bool) -> None:
    assert Piece(place, text).begins_as_it_should is is_fine


def test_the_next_number_follows_the_highest() -> None:
    assert next_number(PARTS, "4") == "4.4"
    assert next_number(PARTS, "1") == "1.1"
    assert next_number([Piece("c4.10", ""), Piece("c4.9", "")], "4") == "4.11"


WRAPPED = "## 1. Name\n\n1.1 It is\ncalled Example.\n\n1.2 It\nlasts.\n\n- for\n- ever\n"


def test_paragraphs_are_one_line_each_and_what_nobody_changed_has_its_lines_again() -> None:
    items = read(WRAPPED)
    parts = pieces(items)
    assert parts[1].text == "1.1 It is called Example."
    assert parts[2].text == "1.2 It lasts.\n\n- for\n- ever"
    assert joined(as_kept(parts, items)) == WRAPPED
    changed = [*parts[:2], Piece("c1.2", parts[2].text.replace("ever", "good")), *parts[3:]]
    assert joined(as_kept(changed, items)) == (
        "## 1. Name\n\n1.1 It is\ncalled Example.\n\n1.2 It lasts.\n\n- for\n- good\n"
    )


def test_of_two_texts_that_say_the_same_the_first_gives_the_lines() -> None:
    one, other = read(WRAPPED), read(WRAPPED.replace("is\ncalled", "is called"))
    assert joined(as_kept(pieces(one), one, other)) == WRAPPED
    assert "It is called" in joined(as_kept(pieces(one), other, one))
