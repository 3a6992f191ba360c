"""Which letter about the end of a term is due."""

from datetime import UTC, datetime, timedelta

import pytest

from portal.sponsors.notices import newest_due

ENDS = datetime(2027, 1, 10, tzinfo=UTC)
YEAR = timedelta(days=365)


@pytest.mark.parametrize(
    ("days", "letter"),
    [(61, None), (60, 60), (31, 60), (30, 30), (8, 30), (7, 7), (0, 0), (-13, 0), (-14, -14)],
)
def test_the_newest_letter_is_due(days: int, letter: int | None) -> None:
    at = ENDS - timedelta(days=days)
    assert newest_due(begins=ENDS - YEAR, ends=ENDS, at=at) == letter


def test_what_was_due_before_a_short_term_began_is_not() -> None:
    begins = ENDS - timedelta(days=30)
    assert newest_due(begins=begins, ends=ENDS, at=begins) is None
    assert newest_due(begins=begins, ends=ENDS, at=ENDS - timedelta(days=7)) == 7
