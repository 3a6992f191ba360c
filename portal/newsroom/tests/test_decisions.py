"""What the quarterly report says of resolutions and meetings."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from governance.models import Body
from governance.tests.conftest import START, board, directors, make_decided  # noqa: F401 - fixtures
from governance.tests.meeting_cast import approve, hold, make_meeting, submit
from portal.accounts.models import User
from portal.news.quarter import Quarter
from portal.newsroom import decisions, report
from portal.newsroom.figures import compute

pytestmark = pytest.mark.django_db
LONG_AGO = datetime(2012, 1, 1, tzinfo=UTC)
YEAR = {"yes": dict.fromkeys(range(5), "yes"), "no": dict.fromkeys(range(5), "no")}


def quarters(days: int) -> Quarter:
    return Quarter.of((START - timedelta(days=days)).date())


def test_what_was_carried_is_named_with_its_number(
    board: Body,  # noqa: F811
    directors: list[User],  # noqa: F811
) -> None:
    carried = make_decided(board, directors, "Buy | it", YEAR["yes"], days_ago=10)
    make_decided(board, directors, "Sell it", YEAR["no"], days_ago=10)
    assert carried.decided_at is not None
    table = decisions.resolutions(Quarter.of(carried.decided_at.date()), START)
    day = f"{carried.decided_at.day} {carried.decided_at:%b %Y}"
    assert table.rows == ((carried.resolution, "Buy | it", "Board", day),)
    assert decisions.resolutions(Quarter.of(LONG_AGO.date()), START).note == "Nothing was carried."
    tables = compute(Quarter.of(carried.decided_at.date()), at=START)
    assert "1 resolution," in report.text(Quarter.of(carried.decided_at.date()), tables).summary


def test_meetings_are_listed_and_counted_when_their_minutes_stand(
    board: Body,  # noqa: F811
    directors: list[User],  # noqa: F811
) -> None:
    held = make_meeting(directors[0], board, days=-20)
    hold(held, directors)
    make_meeting(directors[0], board, days=1)
    quarter, later = Quarter.of(held.day), timezone.now()
    assert [row[3:] for row in decisions.meetings(quarter, later).rows] == [
        ("–", "not approved yet")
    ]
    approve(submit(held, directors[0]), directors)
    table = decisions.meetings(quarter, later)
    assert [row[3:] for row in table.rows] == [("4 of 5", "approved")]
    assert decisions.resolutions(quarter, later).rows == ()
    assert decisions.meetings(quarters(4000), later).note == "No body met."
