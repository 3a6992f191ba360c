"""Charts are drawn again when what they tell has changed, and not before."""

import datetime as dt
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from feedback import stamp
from feedback.actions.drain import drain_inbox
from feedback.actions.intake import count_refused, receive_reports
from feedback.actions.known_key import approve_key, refuse_key
from feedback.actions.rollup import roll_up, roll_up_stale
from feedback.models import KnownKey, Outcome, Period
from feedback.tests.fleets import DEBIAN, NOON, add_ended_series, arrive, fleet, row
from feedback.views.kept import OLDEST
from portal.accounts.models import User
from releases.models import Series
from tests.cast import sign_in

pytestmark = pytest.mark.django_db
LATER = dt.datetime(2026, 12, 3, 12, tzinfo=dt.UTC)
ADDRESSES = (
    "/statistics/",
    "/statistics/charts/support/",
    "/statistics/support.json",
    "/statistics/support.csv",
    "/statistics/series.svg",
    "/rest/v1/charts/server-count/",
)


@pytest.fixture(autouse=True)
def today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: LATER)


@pytest.fixture
def counted() -> None:
    arrive(*fleet(30, {**DEBIAN, "FEATURE_VECTOR": "3"}), at=NOON)


def stamped() -> str:
    return stamp.statistics(LATER)


def test_whatever_changes_the_numbers_makes_another_stamp(counted: None, frank: User) -> None:
    name = KnownKey.objects.get(name="FEATURE_VECTOR")
    month = Period.objects.get(unit="month")
    changes: list[Callable[[], object]] = [
        lambda: arrive(row("one"), at=LATER),
        lambda: roll_up(period=month, at=LATER + dt.timedelta(seconds=1)),
        lambda: approve_key(actor=frank, key=name, at=LATER),
        lambda: refuse_key(actor=frank, key=name, at=LATER),
        add_ended_series,
        lambda: Series.objects.update(eol_on=None),
    ]
    seen = [stamped()]
    for number, change in enumerate(changes):
        change()
        seen.append(stamped())
        assert seen[-1] != seen[-2], number


def test_reports_that_nobody_counted_yet_change_nothing(counted: None) -> None:
    before = stamped()
    arrive_uncounted()
    assert stamped() == before
    roll_up_stale(at=LATER)
    assert stamped() != before


def arrive_uncounted() -> None:
    receive_reports(rows=fleet(12, name="more"))
    drain_inbox()


@pytest.mark.parametrize("path", ADDRESSES)
def test_a_second_look_asks_nothing_but_the_stamp(client: Client, counted: None, path: str) -> None:
    first = client.get(path)
    with CaptureQueriesContext(connection) as asked:
        second = client.get(path)
    assert len(asked) == 1
    assert second.content == first.content
    known = client.get(path, headers={"If-None-Match": first["ETag"]})
    assert (known.status_code, known.content) == (304, b"")


@pytest.mark.parametrize("path", ADDRESSES)
def test_every_address_follows_a_roll_up_at_once(client: Client, counted: None, path: str) -> None:
    before = client.get(path)
    arrive(*fleet(11, {**DEBIAN, "VERSION": "11.4.2-MariaDB"}, name="newer"), at=LATER)
    after = client.get(path, headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    assert after.content != before.content


def test_the_end_of_a_series_is_told_as_soon_as_the_catalogue_says_it(
    client: Client, counted: None
) -> None:
    add_ended_series()
    Series.objects.update(eol_on="2029-01-01")
    assert "10.11, ended" not in client.get("/statistics/").content.decode()
    Series.objects.update(eol_on="2026-01-01")
    assert "10.11, ended" in client.get("/statistics/").content.decode()
    cells = client.get("/statistics/support.json").json()["months"][-1]["cells"]
    assert [cell["label"] for cell in cells] == ["past its end"]


def test_the_name_of_a_visitor_is_on_no_page_of_another(
    client: Client, counted: None, frank: User
) -> None:
    sign_in(frank, client)
    assert frank.name in client.get("/statistics/").content.decode()
    assert frank.name not in Client().get("/statistics/").content.decode()


def test_what_no_stamp_tells_is_five_minutes_old_at_most(
    client: Client, counted: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.get("/statistics/")
    count_refused(outcome=Outcome.TOO_LARGE, day=NOON.date(), reports=7)
    assert "Refused, too large" not in client.get("/statistics/").content.decode()
    soon = LATER + dt.timedelta(seconds=OLDEST)
    monkeypatch.setattr(timezone, "now", lambda: soon)
    assert "Refused, too large" in client.get("/statistics/").content.decode()
