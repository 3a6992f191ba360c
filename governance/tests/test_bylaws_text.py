"""Reading bylaws: articles, clauses, and what is wrong with a text in which line."""

from itertools import pairwise
from pathlib import Path

import pytest

from governance.bylaws.changes import How, altered, compare
from governance.bylaws.merge import conflicts, joined, merge
from governance.bylaws.text import Fault, Kind, UnreadableError, articles, read, write

TEXT = """\
We found this association.

## 1. Name
It is called Example.

## Article 2: The board

2.1 It has five
directors:

(a) three elected,

(b) two appointed.

**2.2.** They serve for 2.5 years on average.
"""


def test_a_text_is_read_into_articles_and_clauses() -> None:
    items = read(TEXT)
    assert [item.anchor for item in items] == ["preamble", "a1", "c1", "a2", "c2.1", "c2.2"]
    assert items[4].text == "It has five\ndirectors:\n\n(a) three elected,\n\n(b) two appointed."
    first, second = articles(items)
    assert (first.title.text, second.title.text) == ("Name", "The board")
    assert [clause.number for clause in second.clauses] == ["2.1", "2.2"]


def test_what_is_written_reads_the_same() -> None:
    assert read(write(read(TEXT))) == read(TEXT)
    assert read(TEXT.replace("\n", "\r\n")) == read(TEXT)


@pytest.mark.parametrize(
    ("text", "fault", "line"),
    [
        ("", Fault.EMPTY, 1),
        ("Only words.", Fault.EMPTY, 1),
        ("## Board\n\n1.1 x", Fault.HEADING, 1),
        ("## 1. A\n\n1.1 x\n\n# Annex\n\ny", Fault.HEADING, 5),
        ("## 1. A\n\n1.1 x\n\n## 1. B\n\n1.2 y", Fault.TWICE, 5),
        ("## 1. A\n\n1.1 x\n\n1.1 y", Fault.TWICE, 5),
        ("## 1. A\n\n2.1 x", Fault.ELSEWHERE, 3),
        ("## 1. A\n\n1.1 x\n1.2 y", Fault.NO_GAP, 4),
        ("## 1. A\n\n1.1\n\n1.2 y", Fault.NO_WORDS, 3),
        ("1.1 x\n\n## 1. A\n\n1.2 y", Fault.OUTSIDE, 1),
    ],
)
def test_what_makes_no_sense_is_told_with_its_line(text: str, fault: Fault, line: int) -> None:
    with pytest.raises(UnreadableError) as told:
        read(text)
    assert (told.value.fault, told.value.line) == (fault, line)


def test_a_number_inside_a_paragraph_is_no_clause() -> None:
    items = read("## 1. A\n\n1.1 The fee is raised by\n2.5 per cent each year.")
    assert items[1].text == "The fee is raised by\n2.5 per cent each year."


BEFORE = "## 4. Board\n\n4.1 Six directors.\n\n4.2 One half at most.\n\n4.3 Two years.\n"


def how(before: str, after: str) -> list[tuple[str, How]]:
    return [(each.anchor, each.how) for each in altered(compare(read(before), read(after)))]


def test_the_same_text_has_no_changes() -> None:
    assert how(BEFORE, BEFORE) == []


def test_lines_that_are_wrapped_elsewhere_are_no_change() -> None:
    assert how(BEFORE, BEFORE.replace("One half", "One\nhalf")) == []
    listed = BEFORE.replace("One half", "One\n(a) half")
    assert how(BEFORE, listed) == [("c4.2", How.CHANGED)]


def test_a_clause_put_in_leaves_the_others_alone_but_for_their_numbers() -> None:
    after = (
        "## 4. Board\n\n4.1 Six directors.\n\n4.2 They live in three countries.\n\n"
        "4.3 One half at most.\n\n4.4 Two years.\n"
    )
    assert how(BEFORE, after) == [
        ("c4.2", How.ADDED),
        ("c4.3", How.RENUMBERED),
        ("c4.4", How.RENUMBERED),
    ]


def test_changed_taken_out_and_retitled() -> None:
    after = "## 4. The board\n\n4.1 Six directors.\n\n4.2 One third at most.\n"
    changes = altered(compare(read(BEFORE), read(after)))
    assert [(each.anchor, each.how) for each in changes] == [
        ("a4", How.CHANGED),
        ("c4.2", How.CHANGED),
        ("was-c4.3", How.REMOVED),
    ]
    pieces = [(piece.change, piece.text) for piece in changes[1].pieces]
    assert ("out", "half") in pieces
    assert ("into", "third") in pieces


def test_a_clause_may_move_up_with_an_edit_while_another_takes_its_number() -> None:
    after = (
        "## 4. Board\n\n4.1 Six directors.\n\n4.2 Nobody is elected twice in a row.\n\n"
        "4.3 One half or less at most.\n\n4.4 Two years.\n"
    )
    found = compare(read(BEFORE), read(after))
    moved = next(each for each in found if each.anchor == "c4.3")
    assert (moved.how, moved.old_number) == (How.CHANGED, "4.2")


def test_every_item_of_both_texts_is_told_once() -> None:
    folder = Path(__file__).parent.parent / "demonstrations" / "bylaws"
    texts = [read(path.read_text()) for path in sorted(folder.glob("foundation-*.md"))]
    for before, after in pairwise(texts):
        changes = compare(before, after)
        assert [each.after for each in changes if each.after] == after
        assert [each.before for each in changes if each.before] == before
        assert len({each.anchor for each in changes}) == len(changes)


BASE = "## 1. A\n\n1.1 one\n\n1.2 two\n\n1.3 three\n"


def merged(ours: str, theirs: str, *written: str) -> str:
    return joined(merge(read(BASE), read(ours), read(theirs)), written)


def clashing(ours: str, theirs: str) -> list[list[str]]:
    """The anchors of each conflict."""
    found = merge(read(BASE), read(ours), read(theirs))
    return [conflict.anchors for conflict in conflicts(found)]


def test_changes_of_different_clauses_are_merged() -> None:
    ours = BASE.replace("one", "ours")
    theirs = BASE.replace("three", "theirs") + "\n1.4 four\n"
    assert merged(ours, theirs) == theirs.replace("one", "ours")


def test_changes_of_neighbours_are_merged_where_no_number_moves() -> None:
    ours, theirs = BASE.replace("one", "ours"), BASE.replace("two", "theirs")
    assert merged(ours, theirs) == ours.replace("two", "theirs")


def test_both_the_same_change_is_no_conflict() -> None:
    both = BASE.replace("two", "both")
    assert merged(both, both) == both


def test_two_changes_of_one_clause_are_left_to_a_person() -> None:
    ours, theirs = BASE.replace("two", "ours"), BASE.replace("two", "theirs")
    assert clashing(ours, theirs) == [["c1.2"]]
    assert merged(ours, theirs, "1.2 agreed") == BASE.replace("two", "agreed")
    assert merged(ours, theirs, " \r\n") == BASE.replace("1.2 two\n\n", "")


def test_a_clause_put_in_where_another_changes_is_left_to_a_person() -> None:
    ours = BASE.replace("two", "ours")
    theirs = BASE.replace("1.2 two", "1.2 new\n\n1.2a two more")
    assert clashing(ours, theirs) == [["c1.2", "c1.2a"]]


def test_each_conflict_stands_alone() -> None:
    ours = BASE.replace("one", "our one").replace("three", "our three")
    theirs = BASE.replace("one", "their one").replace("three", "their three")
    assert clashing(ours, theirs) == [["c1.1"], ["c1.3"]]
    assert merged(ours, theirs, "1.1 first", "1.3 last") == BASE.replace("one", "first").replace(
        "three", "last"
    )


def test_the_preamble_is_an_item_of_its_own() -> None:
    assert read(TEXT)[0].kind is Kind.PREAMBLE
