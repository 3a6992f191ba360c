import csv

import pytest

from portal.lib import spreadsheet


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_text_never_becomes_a_formula(start: str) -> None:
    assert spreadsheet.safe(f"{start}HYPERLINK()") == f"'{start}HYPERLINK()"


@pytest.mark.parametrize(
    ("value", "cell"), [(None, ""), (-3, "-3"), (-0.5, "-0.5"), ("a=b", "a=b"), ("", "")]
)
def test_other_cells_stay_as_they_are(value: object, cell: str) -> None:
    assert spreadsheet.safe(value) == cell


def test_lines_are_read_back_as_they_were_written() -> None:
    rows: list[list[object]] = [["a", 'with "quotes", and\nlines'], ["b", 7]]
    text = "".join(spreadsheet.lines(rows))
    assert list(csv.reader(text.splitlines(keepends=True))) == [
        ["a", 'with "quotes", and\nlines'],
        ["b", "7"],
    ]
