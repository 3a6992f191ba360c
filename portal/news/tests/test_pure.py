"""Quarters, tables, redlines: arithmetic and text without a database."""

import datetime as dt

import pytest

from portal.lib.redline import LINES, redline
from portal.news.plain import plain
from portal.news.quarter import Quarter
from portal.news.tables import Table, csv_rows, document, markdown, renewed

DOWNLOADS = Table("Downloads", ("Product", "Downloads"), (("A | B", 1234567), ("C", -5)))
NOTHING = Table("Motions", ("Body", "Carried"), (), "No motion was decided.")


@pytest.mark.parametrize(
    ("day", "quarter", "first", "last"),
    [
        (dt.date(2026, 1, 1), Quarter(2026, 1), dt.date(2026, 1, 1), dt.date(2026, 3, 31)),
        (dt.date(2026, 6, 30), Quarter(2026, 2), dt.date(2026, 4, 1), dt.date(2026, 6, 30)),
        (dt.date(2024, 12, 31), Quarter(2024, 4), dt.date(2024, 10, 1), dt.date(2024, 12, 31)),
    ],
)
def test_a_quarter_knows_its_days(
    day: dt.date, quarter: Quarter, first: dt.date, last: dt.date
) -> None:
    assert Quarter.of(day) == quarter
    assert (quarter.first_day, quarter.last_day) == (first, last)
    assert quarter.next().previous() == quarter.previous().next() == quarter
    assert [month.day for month in quarter.months] == [1, 1, 1]
    assert quarter.end - quarter.start == last - first + dt.timedelta(days=1)


def test_a_table_is_markdown_whose_words_are_no_markup() -> None:
    assert markdown(DOWNLOADS) == (
        "| Product | Downloads |\n| --- | ---: |\n| A \\| B | 1,234,567 |\n| C | −5 |"
    )
    assert markdown(NOTHING) == "No motion was decided."
    assert document([DOWNLOADS, NOTHING]).count("## ") == 2
    assert plain("<b> [x](y)\n*z* &copy;") == "\\<b\\> \\[x\\](y) \\*z\\* \\&copy;"


def test_a_table_is_kept_and_read_again() -> None:
    assert Table.from_json(DOWNLOADS.to_json()) == DOWNLOADS


def test_only_tables_that_nobody_edited_are_renewed() -> None:
    before = [DOWNLOADS, Table("Other", ("x", "n"), (("y", 1),))]
    after = [
        Table("Downloads", DOWNLOADS.columns, (("C", 7),)),
        Table("Other", ("x", "n"), (("y", 2),)),
    ]
    text = "My words.\n\n" + document(before).replace("| y | 1 |", "| y, my word | 1 |") + "\nEnd."
    new, left_alone = renewed(text, before, after)
    assert "| C | 7 |" in new
    assert "| y, my word | 1 |" in new
    assert new.startswith("My words.")
    assert new.endswith("End.")
    assert left_alone == ["Other"]
    assert renewed(new, after, after) == (new, [])


def test_the_csv_has_one_number_a_line() -> None:
    named = Table("Releases", ("Release", "Maturity"), (("A 1", "Stable"),))
    assert list(csv_rows([DOWNLOADS, NOTHING, named])) == [
        ("table", "row", "column", "value"),
        ("Downloads", "A | B", "Downloads", 1234567),
        ("Downloads", "C", "Downloads", -5),
        ("Releases", "A 1 / Stable", "", ""),
    ]


def test_a_redline_shows_words_and_loses_none() -> None:
    before, after = "One two three.\r\nFour.", "One 2 three!\nFour. Five."
    pieces = redline(before, after)
    assert "".join(p.text for p in pieces if p.change != "into") == before.replace("\r\n", "\n")
    assert "".join(p.text for p in pieces if p.change != "out") == after
    assert [(p.change, p.text) for p in pieces][:3] == [
        ("same", "One "),
        ("out", "two"),
        ("into", "2"),
    ]
    assert redline("", "") == []
    numbers = redline("above 5,000, by 4.2", "above 8,000, by 4.3")
    assert [p.text for p in numbers if p.change == "out"] == ["5,000", "4.2"]


def test_a_long_text_is_compared_by_lines() -> None:
    lines = [f"line {number}\n" for number in range(LINES // 4)]
    pieces = redline("".join(lines), "".join([*lines[:5], "new line\n", *lines[6:]]))
    assert [(p.change, p.text) for p in pieces if p.change != "same"] == [
        ("out", "line 5\n"),
        ("into", "new line\n"),
    ]
