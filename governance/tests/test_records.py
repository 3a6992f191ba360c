"""The sweep that writes records: it looks at what is new or was touched, in so many queries."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from governance.actions import records
from governance.actions.bundle import sign_bundle
from governance.actions.records import write_records
from governance.actions.redaction import redact
from governance.models import Body, Bundle, Motion, Record, RecordMark
from governance.tests.bundles import complaints, sealed
from governance.tests.conftest import START, make_decided
from governance.tests.meeting_cast import approve, hold, make_meeting, submit
from governance.tests.whole_bundle import agreed, written
from governance.tests.written import in_writing
from portal.accounts.models import User
from portal.lib.models import AuditEntry
from releases.signer.local import LocalSigner

pytestmark = pytest.mark.django_db
YES = dict.fromkeys(range(4), "yes")
LATER = START + timedelta(days=30)


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody else writes into the audit log of a test."""
    monkeypatch.setattr(records, "SETTLED", timedelta())


def decide(board: Body, people: list[User], title: str, days: int = 40) -> Motion:
    return make_decided(board, people, title, YES, days)


def queries(act: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as captured:
        act()
    return len(captured)


def test_the_number_of_queries_does_not_grow(board: Body, directors: list[User]) -> None:
    """Votes, consents, a consensus and minutes: the first sweep writes all of them, and it does
    not matter how many there are; the next one looks at nothing.
    """
    in_writing(board)
    decide(board, directors, "One")
    written(board, directors)
    agreed(directors)
    meeting = hold(make_meeting(directors[0], board, days=-20), directors)
    approve(submit(meeting, directors[0]), directors)
    first = queries(lambda: write_records(at=LATER))
    names = set(Record.objects.values_list("name", flat=True))
    assert {name.split("/")[0] for name in names} == {"motions", "minutes", "rules"}
    idle = queries(lambda: write_records(at=LATER))
    for number in range(5):
        decide(board, directors, f"More {number}", 20)
    more = queries(lambda: write_records(at=LATER))
    assert Record.objects.count() == len(names) + 5
    assert more < first <= 40
    assert queries(lambda: write_records(at=LATER)) == idle <= 16


def test_nothing_that_was_written_is_looked_at_again(
    board: Body, directors: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    decide(board, directors, "One")
    assert write_records() == 2
    looked_at: list[str] = []
    keep = records._keep

    def watched(batch: list[tuple[str, dict[str, Any]]], at: datetime) -> int:
        looked_at.extend(name for name, _document in batch)
        return keep(batch, at)

    monkeypatch.setattr(records, "_keep", watched)
    assert write_records() == 0
    assert looked_at == []
    two = decide(board, directors, "Two", 20)
    assert write_records() == 1
    assert looked_at == [f"motions/{two.slug}"]


def test_what_is_done_to_a_motion_later_is_another_edition(
    board: Body, directors: list[User], frank: User
) -> None:
    one, two = decide(board, directors, "One"), decide(board, directors, "Two", 20)
    write_records()
    redact(actor=frank, motion=one, passage="**two** modules", because="A price.")
    assert write_records() == 1
    assert list(Record.objects.filter(edition=2).values_list("name", flat=True)) == ["motions/one"]
    Motion.objects.filter(pk=two.pk).update(seconded_by=directors[2])
    assert write_records() == 0, "nobody did that by an action"
    assert write_records(whole=True) == 1


def test_what_was_done_in_the_last_hour_is_looked_at_once_more(
    board: Body, directors: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A transaction may commit after a later one: its entry has the smaller number."""
    monkeypatch.setattr(records, "SETTLED", timedelta(hours=1))
    decide(board, directors, "One")
    write_records()
    assert RecordMark.objects.get().audit == 0
    monkeypatch.setattr(records, "SETTLED", timedelta())
    write_records()
    newest = AuditEntry.objects.order_by("id").last()
    assert newest is not None
    assert str(RecordMark.objects.get()) == str(newest.pk)
    with pytest.raises(IntegrityError), transaction.atomic():
        RecordMark.objects.create(id=2, audit=1)


def test_a_body_may_take_another_name(
    board: Body, directors: list[User], signer: LocalSigner
) -> None:
    """What was decided before stays sound, and is not written again for that."""
    decide(board, directors, "One")
    sealed(signer, START)
    Body.objects.filter(pk=board.pk).update(name="Board of trustees")
    assert write_records() == 0
    assert write_records(whole=True) == 2
    bundle = sign_bundle(signer=signer, at=START + timedelta(seconds=30))
    assert bundle is not None
    assert complaints(bytes(bundle.packed or b"")) == []


def test_a_list_that_is_signed_is_not_read_again(
    board: Body, directors: list[User], signer: LocalSigner
) -> None:
    decide(board, directors, "One")
    bundle = sealed(signer)
    with CaptureQueriesContext(connection) as captured:
        assert sign_bundle(signer=signer) is None
    assert len(captured) <= 13
    told = "\n".join(query["sql"] for query in captured)
    assert '"body"' not in told, "no content of a record is loaded"
    assert '"manifest"' not in told
    Bundle.objects.filter(pk=bundle.pk).update(beside_sha256="")
    assert sign_bundle(signer=signer) is not None, "a newer checker is signed too"
