"""The file with everything: made once, by whoever lives, with progress, kept for three days."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.models import AuditEntry, OutboxMail
from portal.members import export, tasks
from portal.members.actions import data_export
from portal.members.actions.data_export import (
    KEPT,
    LostError,
    ask_for_export,
    forget_exports,
    make_export,
)
from portal.members.models import DataExport, DataExportPiece, Organisation
from portal.members.models.data_export import LEASE
from portal.members.tests.people import make_organisation, make_term, make_tier
from tests.cast import sign_in

pytestmark = pytest.mark.django_db
PAGE = "/organisation/acme/data/"
Write = Callable[..., None]


@pytest.fixture
def acme(alice: User) -> Organisation:
    organisation = make_organisation(owner=alice)
    make_term(organisation, make_tier(), timezone.now())
    return organisation


@pytest.fixture
def asked(acme: Organisation, alice: User) -> DataExport:
    return ask_for_export(actor=alice, organisation=acme, at=timezone.now())


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What the worker is told; everything is too large to be made at once."""
    told: list[int] = []
    monkeypatch.setattr("portal.members.views.export.is_small", lambda organisation: False)
    monkeypatch.setattr(tasks.make_export, "delay", told.append)
    return told


def writing(monkeypatch: pytest.MonkeyPatch, before: Write) -> None:
    """Something happens in the midst of the work."""
    write = export.write

    def wrapped(*args: Any, step: Callable[[int, int], None], **kwargs: Any) -> None:
        step(1, 4)
        before()
        write(*args, step=step, **kwargs)

    monkeypatch.setattr(export, "write", wrapped)


def test_a_large_one_is_made_by_the_worker(
    acme: Organisation,
    alice: User,
    sent: list[int],
    django_capture_on_commit_callbacks: Any,
) -> None:
    client = sign_in(alice)
    for _ in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            client.post(PAGE)
    found = DataExport.objects.get()
    assert sent == [found.pk, found.pk], "one file, asked for twice"
    assert "It begins within a minute" in client.get(PAGE).content.decode()
    DataExport.objects.update(steps_done=3, steps=12)
    page = client.get(PAGE).content.decode()
    assert "3 of 12 parts are in it" in page
    assert "js/await" in page
    tasks.make_export(found.pk)
    page = client.get(PAGE).content.decode()
    assert f"{PAGE}{found.key}/export.zip" in page
    assert client.get(f"{PAGE}{found.key}/export.zip").getvalue()[:2] == b"PK"
    letter = OutboxMail.objects.get(key__startswith="export.ready:")
    assert letter.recipient == alice.email
    assert AuditEntry.objects.filter(verb="organisation.export").count() == 1


def test_a_killed_worker_is_followed_by_another(
    asked: DataExport, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die() -> None:
        raise SystemExit("killed")

    now = timezone.now()
    with monkeypatch.context() as patch:
        writing(patch, die)
        with pytest.raises(SystemExit):
            make_export(export_pk=asked.pk, at=now)
    asked.refresh_from_db()
    assert (asked.steps_done, asked.steps) == (1, 4), "how far it was"
    assert not make_export(export_pk=asked.pk, at=now), "it may still live"
    assert not DataExportPiece.objects.exists()
    DataExport.objects.update(claimed_at=now - LEASE - timedelta(seconds=1))
    tasks.tend_exports()
    assert DataExport.objects.ready(timezone.now()).get().attempts == 2
    assert OutboxMail.objects.filter(key__startswith="export.ready:").count() == 1


def test_who_was_silent_for_too_long_keeps_nothing(
    asked: DataExport, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another worker took it over, and was done first."""
    later = timezone.now() + 2 * LEASE

    def overtaken() -> None:
        monkeypatch.undo()
        assert make_export(export_pk=asked.pk, at=later)

    writing(monkeypatch, overtaken)
    assert not make_export(export_pk=asked.pk, at=timezone.now())
    assert DataExport.objects.get().attempts == 2
    assert OutboxMail.objects.filter(key__startswith="export.ready:").count() == 1


def test_a_claim_that_is_lost_at_the_end_keeps_nothing(asked: DataExport) -> None:
    claimed = data_export._claim(asked.pk, timezone.now())
    assert claimed is not None
    DataExport.objects.update(attempts=2)
    with pytest.raises(LostError):
        data_export._keep(claimed, None, 0, timezone.now())  # type: ignore[arg-type]


def test_after_three_faults_it_is_given_up_and_may_be_asked_for_again(
    asked: DataExport, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down() -> None:
        raise OSError("no space left")

    at = timezone.now()
    with monkeypatch.context() as patch:
        writing(patch, break_down)
        for _ in range(4):
            make_export(export_pk=asked.pk, at=at)
            at += 2 * LEASE
    asked.refresh_from_db()
    assert (asked.attempts, asked.failed_at is not None) == (3, True)
    client = sign_in(alice)
    assert "could not be made" in client.get(PAGE).content.decode()
    client.post(PAGE)
    assert "The file is ready" in client.get(PAGE).content.decode()


def test_a_worker_that_dies_each_time_is_given_up_too(asked: DataExport) -> None:
    DataExport.objects.update(attempts=3)
    assert not make_export(export_pk=asked.pk, at=timezone.now())
    assert DataExport.objects.get().failed_at is not None


def test_the_link_ends_and_the_file_with_it(asked: DataExport, alice: User) -> None:
    make_export(export_pk=asked.pk, at=timezone.now())
    client = sign_in(alice)
    link = f"{PAGE}{asked.key}/export.zip"
    assert client.get(link).status_code == 200
    assert forget_exports(at=timezone.now()) == 0
    DataExport.objects.update(expires_at=timezone.now())
    assert client.get(link).status_code == 404
    assert forget_exports(at=timezone.now() + KEPT) == 1
    assert not DataExportPiece.objects.exists()


def test_nobody_else_gets_the_file(asked: DataExport, bob: User) -> None:
    make_export(export_pk=asked.pk, at=timezone.now())
    other = make_organisation("Bolt", owner=bob)
    for slug in ("acme", other.slug):
        link = f"/organisation/{slug}/data/{asked.key}/export.zip"
        assert sign_in(bob).get(link).status_code == 404
