"""Raw reports and facts lie in months, which come before they are needed and go as promised."""

import datetime as dt
from collections.abc import Iterator
from importlib import import_module
from threading import Thread
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import Sum
from django.utils import timezone

from feedback.actions import partition
from feedback.actions.drain import drain_inbox
from feedback.actions.intake import receive_reports
from feedback.actions.partition import drop_partitions, ensure_partitions, make_partitions
from feedback.models import Intake, KeySet, Report, ServerWeek
from feedback.partitions import TABLES, missing, month_after, months_of, name_of
from feedback.tasks import tend_partitions
from feedback.tests.fleets import DEBIAN, NOON, arrive, fleet, row
from portal.health import warnings

pytestmark = pytest.mark.django_db
NOVEMBER = NOON.date().replace(day=1)
FAR = dt.datetime(2031, 5, 20, 12, tzinfo=dt.UTC)  # no migration makes its partition


def asked(query: str, *values: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(query, values or None)
        return list(cursor.fetchall())


def promises(table: str) -> list[Any]:
    """Constraints, indices and the way large values are stored, as the database names them."""
    constraints = asked(
        "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE conrelid = %s::regclass AND contype IN ('p', 'c', 'f') ORDER BY conname",
        table,
    )
    indices = asked(
        "SELECT replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') FROM pg_index"
        " WHERE indrelid = %s::regclass ORDER BY 1",
        table,
    )
    columns = asked(
        "SELECT attname, attstorage, attnotnull, format_type(atttypid, atttypmod)"
        " FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 ORDER BY attname",
        table,
    )
    return [constraints, indices, columns]


def test_a_table_becomes_partitioned_and_whole_again_with_all_its_rows_and_promises() -> None:
    arrive(*fleet(3), *fleet(2, at=NOON - dt.timedelta(days=40)), row("a", {}, at=NOON))
    before = [
        *(promises(table) for table in TABLES),
        list(Report.objects.order_by("pk").values()),
        list(ServerWeek.objects.order_by("pk").values()),
    ]
    migration = import_module("feedback.migrations.0010_partitions_by_month").Migration
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for kind, sql in (("r", "reverse_sql"), ("p", "sql")):
            for operation in migration.operations:
                cursor.execute(getattr(operation, sql))
            relkind = "SELECT relkind FROM pg_class WHERE oid = %s::regclass"
            assert [asked(relkind, table) for table in TABLES] == [[(kind,)], [(kind,)]]
            assert before == [
                *(promises(table) for table in TABLES),
                list(Report.objects.order_by("pk").values()),
                list(ServerWeek.objects.order_by("pk").values()),
            ]
    assert all(NOVEMBER in months_of(table) for table in TABLES)


def test_facts_are_written_anew_by_width_with_all_their_months_and_promises() -> None:
    latin = {**DEBIAN, "COLLATION_SERVER": "latin1_swedish_ci"}
    arrive(*fleet(3, latin), *fleet(2, latin, at=NOON - dt.timedelta(days=40)))
    table = ServerWeek._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX server_week_unreleased")  # of a later migration
    before = [promises(table), list(ServerWeek.objects.order_by("pk").values()), months_of(table)]
    module = import_module("feedback.migrations.0011_facts_in_less_room")
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(module.WIDER)
        told = set(asked("SELECT flavour, character_set FROM feedback_serverweek"))
        assert told == {("mariadb", "latin1")}
        cursor.execute(module.REBUILD)
        cursor.execute(module.NARROWER)
        cursor.execute(module.REBUILD)
    fixed = [width for width in widths(table) if width > 0]
    assert fixed == sorted(fixed, reverse=True)
    assert before == [
        promises(table),
        list(ServerWeek.objects.order_by("pk").values()),
        months_of(table),
    ]


def widths(table: str) -> list[int]:
    """Bytes of each column as it lies in a row; -1 for text."""
    found = asked(
        "SELECT attlen::int FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0"
        " ORDER BY attnum",
        table,
    )
    return [int(str(width)) for (width,) in found]


def test_a_report_is_kept_once_whatever_the_month_and_counts_in_each() -> None:
    earlier = NOON - dt.timedelta(days=40)
    for _ in range(2):
        arrive(row("a"), row("a"), row("a", at=earlier))
    assert sorted(Report.objects.values_list("week", flat=True)) == [
        dt.date(2026, 10, 5),
        dt.date(2026, 11, 16),
    ]
    told: dict[str, int] = dict(
        Intake.objects.values_list("outcome").annotate(reports=Sum("reports")).order_by()
    )
    assert told == {"counted": 2, "repeated": 4}


def test_the_database_refuses_a_second_row_of_the_same_report_or_week() -> None:
    arrive(row("a"))
    for kept in (Report.objects.get(), ServerWeek.objects.get()):
        with pytest.raises(IntegrityError), transaction.atomic():
            kept.save(force_insert=True)


def test_a_key_set_stays_while_a_report_of_any_month_needs_it() -> None:
    arrive(row("a"), row("a", at=NOON - dt.timedelta(days=40)))
    Report.objects.filter(week__gte=NOVEMBER).delete()
    with connection.cursor() as cursor:  # a deferred check waits for a commit
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    with pytest.raises(IntegrityError), transaction.atomic():
        asked("DELETE FROM feedback_keyset RETURNING id")
    with pytest.raises(IntegrityError), transaction.atomic():
        Report.objects.update(key_set_id=10**9)
    assert KeySet.objects.get().reports.count() == 1


def test_partitions_of_the_next_three_months_are_made_once() -> None:
    made = make_partitions(at=FAR)
    assert made[:4] == [f"feedback_report_2031_0{month}" for month in (5, 6, 7, 8)]
    assert len(made) == 8
    assert make_partitions(at=FAR) == []
    assert missing(at=FAR) == []


def test_the_months_of_a_december_reach_into_the_next_year() -> None:
    made = make_partitions(at=FAR.replace(month=12))
    assert made[4:] == [
        *("feedback_serverweek_2031_12", "feedback_serverweek_2032_01"),
        *("feedback_serverweek_2032_02", "feedback_serverweek_2032_03"),
    ]
    assert month_after(dt.date(2031, 12, 31)) == dt.date(2032, 1, 1)


def test_a_report_of_a_month_that_nobody_made_is_read_all_the_same() -> None:
    arrive(row("a", at=FAR))
    assert ServerWeek.objects.get().version == "10.11.19"
    assert all(FAR.date().replace(day=1) in months_of(table) for table in TABLES)


@pytest.fixture
def months_come_back(transactional_db: None) -> Iterator[None]:
    """What such a test drops is gone for all tests after it; who commits makes it again."""
    before = {table: months_of(table) for table in TABLES}
    yield
    new = [name_of(table, m) for table, months in before.items() for m in months_of(table) - months]
    with connection.cursor() as cursor:
        for name in new:
            cursor.execute(f"DROP TABLE {name}")
    ensure_partitions(month for months in before.values() for month in months)


@pytest.mark.usefixtures("months_come_back")
def test_two_workers_that_need_the_same_month_make_it_once() -> None:
    receive_reports(rows=fleet(40, at=FAR))

    def worker() -> None:
        drain_inbox(limit=20)
        connection.close()

    threads = [Thread(target=worker) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    while drain_inbox():
        pass
    assert ServerWeek.objects.count() == Report.objects.count() == 40


def test_months_go_when_they_are_wholly_older_than_what_is_promised() -> None:
    arrive(row("a", at=FAR))
    name = "feedback_report_2031_05"
    until = dt.datetime(2031, 8, 30, tzinfo=dt.UTC)  # 90 days after the end of May
    assert name not in drop_partitions(at=until - dt.timedelta(seconds=1))
    assert Report.objects.exists()
    dropped = drop_partitions(at=until)
    assert name in dropped
    assert not any("serverweek_2031" in other for other in dropped)
    assert not Report.objects.exists()
    assert "feedback_serverweek_2031_05" not in drop_partitions(at=FAR.replace(year=2033, month=6))
    assert ServerWeek.objects.exists()
    assert "feedback_serverweek_2031_05" in drop_partitions(at=FAR.replace(year=2033, month=7))
    assert not ServerWeek.objects.exists()


@pytest.mark.usefixtures("months_come_back")
def test_a_month_that_somebody_reads_is_dropped_by_the_next_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(partition, "PATIENCE", "50ms")
    monkeypatch.setattr(partition, "TABLES", TABLES[:1])
    make_partitions(at=FAR)
    later = FAR.replace(month=10)
    found: list[list[str]] = []

    def other() -> None:
        found.append(drop_partitions(at=later))
        connection.close()

    with transaction.atomic():
        assert not Report.objects.filter(week__gte=FAR.date()).exists()
        thread = Thread(target=other)
        thread.start()
        thread.join(20)
    assert found == [[]]
    assert "feedback_report_2031_05" in drop_partitions(at=later)


def test_a_missing_month_is_told_to_those_who_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: FAR)
    told = "the partition feedback_serverweek_2031_06 is missing"
    assert any(told in warning for warning in warnings())
    tend_partitions()
    assert not any("partition" in warning for warning in warnings())
