"""The jobs of this app, as the scheduler calls them."""

import datetime as dt

import pytest
from django.utils import timezone

from feedback import tasks
from feedback.actions import dictionary as training
from feedback.actions.intake import receive_reports
from feedback.models import (
    RAW_DAYS,
    ClaimedServer,
    Count,
    Deletion,
    Dictionary,
    Incoming,
    Intake,
    KeySet,
    KnownKey,
    Period,
    Quarantined,
    Report,
    ServerWeek,
    Tombstone,
)
from feedback.tests.fleets import DEBIAN, NOON, arrive, fleet, row
from portal.accounts.models import User

pytestmark = pytest.mark.django_db


def test_the_nightly_job_deletes_what_is_too_old_and_keeps_the_rest() -> None:
    now = timezone.now()
    old = now - dt.timedelta(days=RAW_DAYS, hours=1)
    arrive(row("old", at=old), row("kept", at=now - dt.timedelta(days=RAW_DAYS - 1)), at=now)
    tasks.forget()
    assert Report.objects.count() == 1
    assert ServerWeek.objects.count() == 2


def test_the_nightly_job_learns_from_full_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "LEAST", 40)
    wide = {**DEBIAN, **{f"STATUS_{n}": str(n * 7919) for n in range(80)}}
    arrive(*fleet(60, wide))
    tasks.learn()
    assert Dictionary.objects.count() == 1


def test_a_job_that_reads_ends_in_time_and_the_next_one_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tasks, "LONGEST", 0.0)
    receive_reports(rows=fleet(501))
    tasks.drain()
    assert Incoming.objects.count() == 1
    tasks.drain()
    assert not Incoming.objects.exists()


def test_what_the_log_and_the_records_call_a_row_holds_nothing_of_its_server(
    charlie: User,
) -> None:
    arrive(row("a", {**DEBIAN, "NEWER": "1"}), row("b", {}))
    receive_reports(rows=[row("c")])
    key = bytes(ServerWeek.objects.get().server_key)
    Tombstone.objects.create(server_key=key, until=NOON)
    Deletion.objects.create(digest=b"d", asked_at=NOON)
    Dictionary.objects.create(content=b"x", trained_at=NOON, reports=1)
    server = ClaimedServer.objects.create(user=charlie, server_key=key, claimed_at=NOON)
    assert str(server) == key.hex()[:8]  # told to its owner alone
    kinds = [Incoming, Quarantined, Report, ServerWeek, Tombstone, Deletion, Intake]
    kinds += [Period, Count, KeySet, Dictionary, KnownKey]
    names = [str(one) for kind in kinds for one in kind._default_manager.all()]
    assert len(names) >= len(kinds)
    assert all(names)
    told = " ".join(names)
    for one in (*ServerWeek.objects.all(), *Quarantined.objects.all(), *Incoming.objects.all()):
        assert bytes(one.server_key).hex()[:8] not in told
        assert str(bytes(one.server_key)) not in told
    assert "2026-11-16" in told
    assert "NEWER" in told
