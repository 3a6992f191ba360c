"""What goes as a correction of spelling, and what needs a vote."""

import pytest

from governance.bylaws.citation import anchor, citations
from governance.bylaws.text import read
from governance.bylaws.typo import Correction, Objection, corrected, objection

ITEMS = read("## 3. Meeting\n\n3.1 It dischages the board, and the the auditor may object.\n")


@pytest.mark.parametrize(
    ("clause", "wrong", "right", "expected"),
    [
        ("c3.1", "dischages", "discharges", None),
        ("c3.1", "the the auditor", "the auditor", None),
        ("a3", "Meeting", "Meetings", None),
        ("c3.9", "dischages", "discharges", Objection.NO_CLAUSE),
        ("c3.1", "dischages", "dischages", Objection.NOTHING),
        ("c3.1", " ", "x", Objection.NOTHING),
        ("c3.1", "discharges", "x", Objection.NOT_FOUND),
        ("c3.1", "the", "teh", Objection.TWICE),
        ("c3.1", "the auditor", "nobody in the world", Objection.LONG),
        ("c3.1", "the board", "the 3rd", Objection.FIGURES),
        ("c3.1", "may object", "must object", Objection.WEIGHTY),
        ("c3.1", "It dischages", "It not dischages", Objection.WEIGHTY),
    ],
)
def test_only_spelling_is_corrected(
    clause: str, wrong: str, right: str, expected: Objection | None
) -> None:
    assert objection(ITEMS, Correction(clause, wrong, right)) is expected


def test_corrections_follow_each_other() -> None:
    made = [Correction("c3.1", "dischages", "discharges"), Correction("c3.1", "the the", "the")]
    assert corrected(ITEMS, made)[1].text == "It discharges the board, and the auditor may object."
    assert corrected(ITEMS, made)[0] == ITEMS[0]


def test_citations_are_found_in_any_text() -> None:
    text = "Bylaw 5.2: of all seats (see Charter 6), version 3."
    assert [(text[b:e], word, number) for b, e, word, number in citations(text)] == [
        ("Bylaw 5.2", "Bylaw", "5.2"),
        ("Charter 6", "Charter", "6"),
        ("version 3", "version", "3"),
    ]
    assert (anchor("5.2"), anchor("6")) == ("c5.2", "a6")
