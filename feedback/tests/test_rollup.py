import datetime as dt
from dataclasses import replace

import pytest
from django.utils import timezone

from feedback.actions.drain import drain_inbox
from feedback.actions.intake import receive_reports
from feedback.actions.rollup import roll_up, roll_up_stale
from feedback.models import Count, Period
from feedback.tasks import drain
from feedback.tasks import roll_up as roll_up_task
from feedback.tests.fleets import DEBIAN, NOON, arrive, fleet, row

pytestmark = pytest.mark.django_db

NEWER = {**DEBIAN, "VERSION": "11.4.2-MariaDB", "UNAME_MACHINE": "aarch64"}


def counts(chart: str, start: str = "2026-11-01", unit: str = "month") -> dict[str, int]:
    found = Count.objects.filter(period__start=start, period__unit=unit, chart=chart)
    return dict(found.values_list("label", "servers"))


def test_a_server_counts_once_in_a_month_with_what_it_said_last() -> None:
    weekly = [NOON - dt.timedelta(days=14), NOON - dt.timedelta(days=7), NOON]
    arrive(*[row("a", DEBIAN, at=at) for at in weekly[:2]], row("a", NEWER, at=NOON), *fleet(3))
    assert counts("version") == {"10.11.19": 3, "11.4.2": 1}
    assert counts("architecture") == {"x86_64": 3, "aarch64": 1}
    assert counts("system") == {"Debian 12": 4}
    assert counts("feature") == {"TLS": 4}
    assert counts("engine") == {"InnoDB": 4}
    assert counts("country") == counts("processors") == {"unknown": 4}
    assert counts("version", "2026-11-09", "week") == {"10.11.19": 1}
    assert counts("version", "2026-11-16", "week") == {"10.11.19": 3, "11.4.2": 1}


def test_processors_memory_and_country_are_counted_in_ranges_and_codes() -> None:
    big = {**DEBIAN, "CPU_COUNT": "48", "MEM_TOTAL": str(130 * 2**30)}
    small = {**DEBIAN, "CPU_COUNT": "1", "MEM_TOTAL": str(2**29)}
    finnish = [replace(row, country="FI") for row in fleet(2, big, name="big")]
    arrive(*finnish, *fleet(1, small, name="small"))
    assert counts("processors") == {"32": 2, "1": 1}
    assert counts("memory") == {"128": 2, "less than 1 or unknown": 1}
    assert counts("country") == {"FI": 2, "unknown": 1}


def test_computing_a_period_again_gives_the_same_counts() -> None:
    arrive(*fleet(12))
    before = list(Count.objects.order_by("chart", "label").values_list("chart", "servers"))
    for period in Period.objects.all():
        roll_up(period=period, at=timezone.now())
    assert list(Count.objects.order_by("chart", "label").values_list("chart", "servers")) == before


def test_a_server_is_established_by_a_second_report_six_days_after_the_first() -> None:
    first = NOON - dt.timedelta(days=30)
    arrive(row("a", at=first), row("a", at=first + dt.timedelta(days=5, hours=23)), row("b"))
    assert counts("servers", "2026-10-01") == {"first seen": 1}
    assert counts("servers") == {"first seen": 1}
    arrive(row("a", at=NOON))
    assert counts("servers") == {"established": 1, "first seen": 1}
    assert counts("servers", "2026-10-01") == {"first seen": 1}


def test_a_week_across_two_months_counts_in_both_and_once_in_itself() -> None:
    monday = dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC)
    arrive(row("a", DEBIAN, at=monday), row("a", NEWER, at=monday + dt.timedelta(days=2)))
    assert counts("version") == {"10.11.19": 1}
    assert counts("version", "2026-12-01") == {"11.4.2": 1}
    assert counts("version", "2026-11-30", "week") == {"11.4.2": 1}


def test_servers_that_only_started_are_in_no_count() -> None:
    arrive(row("a", {"FEEDBACK_WHEN": "startup"}))
    assert Period.objects.count() == 2
    assert not Count.objects.exists()


def test_only_periods_with_changed_facts_and_later_ones_are_computed() -> None:
    arrive(row("a", at=NOON - dt.timedelta(days=60)), row("a"))
    assert roll_up_stale(at=timezone.now()) == 0
    receive_reports(rows=[row("b")])
    drain_inbox()
    assert roll_up_stale(at=timezone.now()) == 2
    receive_reports(rows=[row("b", at=NOON - dt.timedelta(days=60))])
    drain_inbox()
    assert roll_up_stale(at=timezone.now()) == 4


def test_the_jobs_read_and_count_what_came_in() -> None:
    receive_reports(rows=fleet(3))
    drain()
    roll_up_task()
    assert counts("version") == {"10.11.19": 3}


def test_a_period_ends_where_the_next_one_begins() -> None:
    month = Period(unit="month", start=dt.date(2026, 12, 1))
    week = Period(unit="week", start=dt.date(2026, 11, 30))
    assert month.end == dt.date(2027, 1, 1)
    assert week.end == dt.date(2026, 12, 7)
