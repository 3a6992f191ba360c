"""Names that we do not know: noted, bounded, and shown only when staff approved them."""

import datetime as dt
from threading import Thread

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.utils import timezone

from feedback import keys
from feedback.actions import known_key
from feedback.actions.drain import drain_inbox
from feedback.actions.intake import receive_reports
from feedback.actions.known_key import approve_key, note_keys, refuse_key
from feedback.facts import facts_of
from feedback.models import Count, KnownKey, ServerWeek
from feedback.tests.fleets import DEBIAN, NOON, arrive, fleet, row
from portal.accounts.models import User
from portal.lib.models import AuditEntry

pytestmark = pytest.mark.django_db
TODAY = NOON.date()


def noted() -> dict[str, int]:
    return dict(KnownKey.objects.values_list("name", "reports"))


def test_names_of_a_real_server_are_known_and_new_ones_are_noted_once_a_report() -> None:
    newer = {**DEBIAN, "Feature_vector": "3", "HNSW used": "1"}
    arrive(*fleet(3, newer), row("old", at=NOON - dt.timedelta(days=30)))
    assert noted() == {"FEATURE_VECTOR": 3, "HNSW USED": 3}
    arrive(*fleet(3, newer), row("late", newer, at=NOON - dt.timedelta(days=30)))
    assert noted() == {"FEATURE_VECTOR": 4, "HNSW USED": 4}
    key = KnownKey.objects.get(name="FEATURE_VECTOR")
    assert (key.first_seen, key.last_seen) == (TODAY - dt.timedelta(days=30), TODAY)


def test_every_name_that_the_facts_read_is_known() -> None:
    class Asked(dict[str, str]):
        def get(self, name: str, default: str = "") -> str:  # type: ignore[override]
            names.add(name)
            return default

    names: set[str] = set()
    facts_of(Asked())
    assert names - keys.known() == set()
    assert len(names) > 50


@pytest.mark.parametrize("name", ["", "X\x1b[2J", "GRÖSSE", " X", "X ", "X\x7f"])
def test_what_no_server_would_call_a_variable_is_not_noted(name: str) -> None:
    assert not keys.unknown([[name]])
    assert keys.unknown([["a b"], ["a b"], ["<b>"]]) == {"a b": 2, "<b>": 1}


def test_the_rarest_are_forgotten_and_what_was_decided_stays(
    frank: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_key, "MOST_KEYS", 3)
    note_keys(counted={"RARE": 1, "DECIDED": 1}, first=TODAY, last=TODAY)
    decided = KnownKey.objects.get(name="DECIDED")
    refuse_key(actor=frank, key=decided, at=NOON)
    later = TODAY + dt.timedelta(days=1)
    note_keys(counted={"B": 5, "A": 9, "OLD": 1}, first=TODAY, last=TODAY)
    assert set(noted()) == {"DECIDED", "A", "B", "OLD"}
    note_keys(counted={"NEW": 1, "A": 1}, first=later, last=later)
    assert noted() == {"DECIDED": 1, "A": 10, "B": 5, "NEW": 1}
    note_keys(counted={f"FLOOD_{n}": 1 for n in range(50)}, first=later, last=later)
    assert noted().keys() >= {"DECIDED", "A", "B"}
    assert KnownKey.objects.waiting().count() == 3


@pytest.mark.django_db(transaction=True)
def test_two_workers_that_note_and_forget_the_same_names_do_not_lock_each_other_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(known_key, "MOST_KEYS", 20)
    names = {f"NAME_{n}": "1" for n in range(40)}
    receive_reports(rows=fleet(30, {**DEBIAN, **names}))

    def worker() -> None:
        while drain_inbox(limit=3):
            pass
        connection.close()

    threads = [Thread(target=worker) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert ServerWeek.objects.count() == 30
    assert 20 <= KnownKey.objects.count() <= 40


def test_only_approved_names_become_labels(
    client: Client, frank: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    used = {**DEBIAN, "FEATURE_VECTOR": "3", "FEATURE_NEW": "1", "FEATURE_IDLE": "0"}
    arrive(*fleet(12, used))
    labels = Count.objects.filter(period__unit="month", chart="key")
    assert not labels.exists()
    for name in ("FEATURE_VECTOR", "FEATURE_IDLE"):
        approve_key(actor=frank, key=KnownKey.objects.get(name=name), at=NOON)
    refuse_key(actor=frank, key=KnownKey.objects.get(name="FEATURE_NEW"), at=NOON)
    later = NOON + dt.timedelta(days=7)
    arrive(*fleet(12, used, at=later), at=later)
    assert list(labels.values_list("label", "servers")) == [("FEATURE_VECTOR", 12)]
    page = client.get("/statistics/").content.decode()
    assert '<th scope="row">FEATURE_VECTOR</th><td class="num">10</td>' in page  # rounded
    assert "FEATURE_NEW" not in page
    refuse_key(actor=frank, key=KnownKey.objects.get(name="FEATURE_VECTOR"), at=NOON)
    assert "FEATURE_VECTOR" not in client.get("/statistics/").content.decode()  # at once
    assert client.get("/statistics/names.json").json()["months"][-1]["cells"] == []
    arrive(row("one", at=later), at=later)
    assert not labels.exists()


def test_a_decision_has_somebody_behind_it(frank: User) -> None:
    note_keys(counted={"X": 1}, first=TODAY, last=TODAY)
    key = KnownKey.objects.get()
    assert approve_key(actor=frank, key=key, at=NOON)
    assert not approve_key(actor=frank, key=key, at=NOON)
    assert refuse_key(actor=frank, key=key, at=NOON)
    entries = (
        AuditEntry.objects.filter(verb__startswith="feedback.")
        .order_by("pk")
        .values_list("verb", "subject_name", "actor_id")
    )
    assert list(entries) == [
        ("feedback.key_approved", "X", frank.pk),
        ("feedback.key_refused", "X", frank.pk),
    ]
    with pytest.raises(IntegrityError), transaction.atomic():
        KnownKey.objects.update(decided_by=None)
