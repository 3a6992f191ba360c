"""A fleet of which all is known, with duplicates, forgeries, shared identities, restarts and
upgrades, gives exactly the true counts, in whatever order and however often it arrives.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from django.db import connection

from feedback.actions.drain import drain_inbox
from feedback.actions.intake import receive_reports
from feedback.actions.rollup import roll_up_stale
from feedback.models import Count, Incoming, Intake, Outcome, Period, Quarantined, Report
from feedback.tests.known_fleet import MONTH, Truth, known_fleet

AT = dt.datetime(2026, 12, 1, tzinfo=dt.UTC)


def drained(_worker: int = 0) -> None:
    while drain_inbox(limit=100):
        pass


def drained_by(workers: int) -> None:
    """At the same time, each with a connection of its own."""

    def work(worker: int) -> None:
        try:
            drained(worker)
        finally:
            connection.close()

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(work, range(workers)))


def counted() -> dict[str, Counter[tuple[str, str]]]:
    """The cells of the month, before publication hides the small ones."""
    month = Period.objects.months().get(start=MONTH)
    found: dict[str, Counter[tuple[str, str]]] = {}
    for count in Count.objects.filter(period=month):
        found.setdefault(count.chart, Counter())[count.group, count.label] = count.servers
    return found


def assert_true(truth: Truth) -> None:
    roll_up_stale(at=AT)
    told = counted()
    for chart, cells in truth.counts.items():
        assert told[chart] == +cells, chart
    assert not Incoming.objects.exists()
    assert Report.objects.count() == truth.reports
    outcomes = Counter[str]()
    for day in Intake.objects.all():
        outcomes[day.outcome] += day.reports
    expected = {Outcome.COUNTED: truth.reports, Outcome.REPEATED: truth.repeated}
    assert outcomes == expected | truth.refused
    assert Quarantined.objects.count() == truth.refused["unreadable"]


def test_a_known_fleet_gives_its_true_counts(db: None) -> None:
    rows, truth = known_fleet(40, seed=1)
    receive_reports(rows=rows)
    drained()
    assert_true(truth)


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(3))
def test_hundreds_of_machines_give_their_true_counts_whoever_reads(
    transactional_db: None, seed: int
) -> None:
    """In three loads, each read by four workers at once and counted at once."""
    rows, truth = known_fleet(400, seed)
    cuts = sorted(Random(seed).sample(range(len(rows)), 2))
    for begin, end in zip([0, *cuts], [*cuts, len(rows)], strict=True):
        receive_reports(rows=rows[begin:end])
        drained_by(4)
        roll_up_stale(at=AT)
    assert_true(truth)


@pytest.mark.proof_full
def test_fifty_thousand_machines_give_their_true_counts(transactional_db: None) -> None:
    rows, truth = known_fleet(50_000, seed=4)
    receive_reports(rows=rows)
    drained_by(4)
    assert_true(truth)
