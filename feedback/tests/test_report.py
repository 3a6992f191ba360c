import datetime as dt
from pathlib import Path
from threading import Thread

import pytest
from django.db import connection, transaction

from feedback import inbox
from feedback.actions.drain import drain_inbox
from feedback.actions.intake import receive_reports
from feedback.actions.partition import drop_partitions
from feedback.actions.retention import forget_old
from feedback.actions.rollup import roll_up_stale
from feedback.actions.withdrawal import withdraw_report
from feedback.models import Count, Incoming, Intake, Kind, Period, Quarantined, Report, ServerWeek
from feedback.packing import pack
from feedback.server_weeks import week_of
from feedback.statistics import context
from feedback.tests.clients import PEPPER, multipart, recorded
from feedback.tests.fleets import DEBIAN, NOON, arrive, fleet, row
from portal.lib.models import AuditEntry

pytestmark = pytest.mark.django_db


def intake() -> dict[str, int]:
    return dict(Intake.objects.values_list("outcome", "reports"))


def test_the_recorded_reports_become_weeks_of_two_servers(shared_data: Path) -> None:
    names = ("startup.bin", "full_tab_in_user_info.bin", "shutdown.bin", "full.bin")
    bodies = [recorded(shared_data, name).partition(b"\r\n\r\n")[2] for name in names]
    bodies.append(multipart((shared_data / "feedback" / "manual_report.txt").read_bytes()))
    arrive(*[inbox.row(body, pepper=PEPPER, received_at=NOON) for body in bodies])
    assert intake() == {"counted": 5}
    assert not Quarantined.objects.exists()
    weeks = ServerWeek.objects.all()
    assert {week.distribution for week in weeks} <= {"Debian 12", ""}
    described = weeks.described()
    assert {week.version for week in described} == {"10.11.19"}
    assert {(week.architecture, week.system) for week in described} == {("x86_64", "Debian")}
    assert weeks.filter(started=True, stopped=True).exists()


def test_delivering_a_report_again_changes_nothing() -> None:
    arrive(row("a"))
    before = list(ServerWeek.objects.values())
    arrive(row("a", at=NOON + dt.timedelta(hours=1)), row("a"))
    assert list(ServerWeek.objects.values()) == before
    assert Report.objects.count() == 1
    assert intake() == {"counted": 1, "repeated": 2}


def test_the_order_of_delivery_does_not_matter() -> None:
    older = row("a", {**DEBIAN, "VERSION": "10.11.18-MariaDB"}, at=NOON - dt.timedelta(hours=3))
    newer = row("a", at=NOON)
    start = row("a", {"FEEDBACK_WHEN": "startup"}, at=NOON - dt.timedelta(days=1))
    arrive(older, newer, start)
    first = ServerWeek.objects.values().get()
    ServerWeek.objects.all().delete()
    Report.objects.all().delete()
    arrive(start, newer, older)
    assert ServerWeek.objects.values().get() == first
    assert first["version"] == "10.11.19"
    assert (first["started"], first["stopped"]) == (True, False)
    assert first["described_at"] == first["last_at"] == NOON
    assert first["first_at"] == NOON - dt.timedelta(days=1)


def test_what_cannot_be_read_is_set_aside_and_stops_nothing() -> None:
    broken = inbox.Row(b"k" * 16, NOON, Kind.SERVER, b"not packed", b"d" * 16)
    empty = row("c", {})
    bad_text = inbox.Row(b"k" * 16, NOON, Kind.SERVER, pack(b"VERSION\t\xff\xfe"), b"e" * 16)
    arrive(broken, row("a"), empty, bad_text, row("b"))
    assert intake() == {"counted": 3, "unreadable": 2}
    reasons = list(Quarantined.objects.order_by("number").values_list("reason", flat=True))
    assert reasons[0] == "ValueError: not a packed report"
    assert reasons[1].startswith("UnreadableError: neither a version")
    assert not Incoming.objects.exists()


def test_test_runs_proxies_and_servers_without_a_name_are_counted_apart() -> None:
    arrive(
        row("a", {**DEBIAN, "FEEDBACK_USER_INFO": "mysql-test"}),
        row("b", {"PRODUCT": "maxscale", "VERSION": "24.02.1"}),
        row("unknown"),
        row("unknown", {**DEBIAN, "VERSION": "11.4.2-MariaDB"}),
    )
    assert intake() == {"test": 1, "maxscale": 1, "no_identity": 2}
    assert not ServerWeek.objects.exists()
    assert not Report.objects.exists()


@pytest.mark.parametrize(
    ("day", "week"),
    [
        ("2026-11-18", "2026-11-16"),
        ("2026-11-16", "2026-11-16"),
        ("2026-11-30", "2026-11-30"),
        ("2026-12-01", "2026-12-01"),
        ("2026-12-07", "2026-12-07"),
        ("2027-01-03", "2027-01-01"),
    ],
)
def test_a_week_is_cut_at_the_first_of_a_month(day: str, week: str) -> None:
    assert week_of(dt.datetime.fromisoformat(f"{day}T23:59:59+00:00")) == dt.date.fromisoformat(
        week
    )


@pytest.mark.django_db(transaction=True)
def test_two_workers_share_the_inbox_and_read_nothing_twice() -> None:
    receive_reports(rows=fleet(40))

    def other_worker() -> None:
        drain_inbox(limit=40)
        connection.close()

    with transaction.atomic():
        assert drain_inbox(limit=10) == 10
        thread = Thread(target=other_worker)
        thread.start()
        thread.join(0.5)  # it may wait for the row of the period, never for a report
    thread.join(20)
    assert ServerWeek.objects.count() == 40
    assert intake() == {"counted": 40}
    assert not Incoming.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_dies_in_the_middle_leaves_the_inbox_as_it_was() -> None:
    receive_reports(rows=fleet(5))
    with transaction.atomic():
        drain_inbox()
        transaction.set_rollback(True)
    assert Incoming.objects.count() == 5
    assert not ServerWeek.objects.exists()
    assert drain_inbox() == 5
    assert intake() == {"counted": 5}


def test_a_report_sent_by_hand_is_forgotten_with_its_code() -> None:
    code = inbox.new_code()
    by_hand = row("a", {**DEBIAN, "VERSION": "11.4.2-MariaDB"}, code=code)
    arrive(row("a", at=NOON - dt.timedelta(hours=1)), by_hand)
    assert ServerWeek.objects.get().version == "11.4.2"
    assert withdraw_report(actor=None, code=f" {code.lower()} ")
    assert ServerWeek.objects.get().version == "10.11.19"
    assert Report.objects.count() == 1
    assert Period.objects.stale(NOON).count() == 2
    assert intake() == {"counted": 1, "withdrawn": 1}
    assert AuditEntry.objects.get().verb == "feedback.report_withdrawn"
    assert not withdraw_report(actor=None, code=code)


def test_a_report_that_waits_or_was_set_aside_is_forgotten_too() -> None:
    codes = [inbox.new_code() for _ in range(2)]
    arrive(row("a", {}, code=codes[0]))
    receive_reports(rows=[row("b", code=codes[1])])
    assert all(withdraw_report(actor=None, code=code) for code in codes)
    assert not Quarantined.objects.exists()
    assert not Incoming.objects.exists()
    assert not withdraw_report(actor=None, code="")
    assert intake() == {"unreadable": 0, "withdrawn": 2}


@pytest.mark.parametrize("values", [DEBIAN, {}], ids=["counted", "set aside"])
@pytest.mark.parametrize("is_read", [True, False], ids=["read", "waiting"])
def test_a_report_that_is_taken_back_is_one_of_those_received_and_subtracted_once(
    values: dict[str, str], is_read: bool
) -> None:
    code = inbox.new_code()
    arrive(row("a"))
    receive_reports(rows=[row("b", values, code=code)])
    if is_read:
        drain_inbox()
    assert withdraw_report(actor=None, code=code)
    roll_up_stale(at=NOON)
    told = context(month=None, at=NOON)["intake"]
    assert (told["received"], told["counted"]) == (2, 1)
    assert [(str(label), reports) for label, reports in told["less"] if reports] == [
        ("Deleted by its sender", 1)
    ]


def test_codes_are_long_and_never_the_same() -> None:
    codes = {inbox.new_code() for _ in range(100)}
    assert len(codes) == 100
    assert all(len(code) == 27 for code in codes)


def test_raw_reports_go_after_90_days_and_facts_after_25_months() -> None:
    old = NOON - dt.timedelta(days=91)
    ancient = NOON - dt.timedelta(days=26 * 31)
    arrive(row("a", at=NOON), row("a", at=old), row("b", at=ancient), row("c", {}, at=old))
    counts = Count.objects.count()
    assert forget_old(at=NOON) == 3
    assert drop_partitions(at=NOON)
    assert [report.received_at for report in Report.objects.all()] == [NOON]
    assert not Quarantined.objects.exists()
    assert {week.week.replace(day=1) for week in ServerWeek.objects.all()} == {
        NOON.date().replace(day=1),
        old.date().replace(day=1),
    }
    Period.objects.update(changes=9)
    assert all(period.start >= dt.date(2024, 10, 1) for period in Period.objects.stale(NOON))
    assert Count.objects.count() == counts
