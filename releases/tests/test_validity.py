"""An index may end; it is renewed long before, and people are told when that fails."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from portal.accounts.models import RoleGrant, User
from portal.lib.models import AuditEntry, OutboxMail
from releases import tasks, validity
from releases.actions.publication import fail_publication
from releases.actions.repository import queue_publication
from releases.actions.validity import renew_indices, set_validity, warn_of_endings
from releases.errors import RefusedError
from releases.models import IndexBuild, Publication, Release, Repository
from releases.repository import apt
from releases.signer.local import LocalSigner
from releases.tests import factory
from tests.shared import shared

DAY = dt.timedelta(days=1)
RELEASE = "/repo/12.3/debian/dists/bookworm/Release"


@shared(keeps="release_files signer")
def repository(
    dana: User, release: Release, signer: LocalSigner, release_files: Path
) -> Repository:
    """Its index is valid for ten days."""
    found = Repository.objects.of_series().get(distribution="debian-12")
    queued = set_validity(actor=dana, repository=found, days=10)
    assert queued is not None
    factory.publish_again(publication=queued, signer=signer)
    found.refresh_from_db()
    return found


def fields(client: Client) -> dict[str, str]:
    return apt.read_fields(b"".join(client.get(RELEASE)).decode())


def moment(part: float) -> dt.datetime:
    """So much of the ten days has passed; a minute more, as the index has whole seconds."""
    return timezone.now() + part * 10 * DAY + dt.timedelta(minutes=1)


@pytest.mark.parametrize(
    ("days_left", "is_due", "step"),
    [
        *((10, False, None), (5.1, False, None), (5, True, None), (2.6, True, None)),
        *((2.5, True, 25), (1.1, True, 25), (1, True, 10), (0.1, True, 10)),
        *((0, True, 0), (-3, True, 0)),
    ],
)
def test_half_of_the_time_is_for_renewing_and_a_quarter_for_people(
    days_left: float, is_due: bool, step: int | None
) -> None:
    dated = dt.datetime(2026, 11, 1, tzinfo=dt.UTC)
    until = dated + 10 * DAY
    at = until - days_left * DAY
    assert validity.is_due(dated, until, at=at) == is_due
    assert validity.warning_step(dated, until, at=at) == step


def test_the_index_says_its_end_and_after_a_change_says_it_no_more(
    dana: User, repository: Repository, signer: LocalSigner, client: Client
) -> None:
    current = repository.current
    assert current is not None
    assert current.dated_at is not None
    assert current.valid_until == current.dated_at + 10 * DAY
    assert fields(client)["Valid-Until"] == f"{current.valid_until:%a, %d %b %Y %H:%M:%S} GMT"
    assert set_validity(actor=dana, repository=repository, days=10) is None
    queued = set_validity(actor=dana, repository=repository, days=0)
    assert queued is not None
    factory.publish_again(publication=queued, signer=signer)
    assert "Valid-Until" not in fields(client)
    entries = AuditEntry.objects.filter(verb="repository.set_validity").order_by("pk")
    assert [entry.detail for entry in entries] == [
        {"before": 0, "days": 10},
        {"before": 10, "days": 0},
    ]


def test_what_no_client_could_read_is_refused(dana: User, release: Release) -> None:
    debian = Repository.objects.of_series().get(distribution="debian-12")
    for days in (1, 366, -1):
        with pytest.raises(RefusedError, match="2 to 365"):
            set_validity(actor=dana, repository=debian, days=days)
    yum = Repository.objects.of_series().filter(distribution="rhel-9")[0]
    with pytest.raises(RefusedError, match="YUM"):
        set_validity(actor=dana, repository=yum, days=10)
    Repository.objects.filter(pk=debian.pk).update(current=None)
    assert set_validity(actor=dana, repository=debian, days=10) is None


def test_an_index_is_renewed_at_half_time_and_nothing_of_it_is_written_anew(
    repository: Repository, signer: LocalSigner, client: Client
) -> None:
    builds = IndexBuild.objects.count()
    until = fields(client)["Valid-Until"]
    assert renew_indices(at=moment(0.4)) == []
    (queued,) = renew_indices(at=moment(0.5))
    assert (queued.repository, queued.cause) == (repository, "renewal")
    assert renew_indices(at=moment(0.6)) == []  # it is under way
    factory.publish_again(publication=queued, signer=signer)
    assert IndexBuild.objects.count() == builds
    assert fields(client)["Valid-Until"] != until
    Repository.objects.filter(pk=repository.pk).update(valid_days=None)
    assert renew_indices(at=timezone.now()) == [queue_publication(repository=repository)]


def test_a_repository_of_yum_or_without_a_date_is_never_due(repository: Repository) -> None:
    repository.publications.filter(state="current").update(dated_at=None)
    Repository.objects.filter(distribution="rhel-9").update(valid_days=10)
    assert renew_indices(at=moment(2)) == []


def test_managers_are_told_once_at_each_step(
    dana: User, frank: User, repository: Repository
) -> None:
    told = []
    for part in (0.5, 0.74, 0.75, 0.8, 0.9, 0.95, 1.0, 1.2):
        told += [(part, one.percent) for one in warn_of_endings(at=moment(part))]
    assert told == [(0.75, 25), (0.9, 10), (1.0, 0)]
    letters = OutboxMail.objects.order_by("pk")
    assert {letter.recipient for letter in letters} == {dana.email}
    name = repository.name
    assert [letter.subject for letter in letters] == [
        f"The index of {name} ends soon and was not renewed",
        f"The index of {name} ends soon and was not renewed",
        f"apt refuses {name}: its index has ended",
    ]
    assert f"rebuild_repository {name}" in letters[0].text
    assert "attempt failed" not in letters[0].text


def test_without_a_manager_staff_are_told_and_why_it_failed(
    frank: User, repository: Repository
) -> None:
    RoleGrant.objects.filter(role="release_manager").delete()
    failed = queue_publication(repository=repository)
    fail_publication(publication_id=failed.pk, reason="the clock went back")
    assert warn_of_endings(at=moment(1))
    letter = OutboxMail.objects.get()
    assert letter.recipient == frank.email
    assert "The last attempt failed: the clock went back" in letter.text


def test_the_task_renews_and_warns_and_readiness_and_metrics_tell(
    repository: Repository,
    client: Client,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.METRICS_TOKEN = "a-long-token"
    bearer = {"authorization": "Bearer a-long-token"}
    assert client.get("/health/ready", headers=bearer).json()["warnings"] == []
    asked: list[int] = []
    monkeypatch.setattr(tasks.publish, "delay", asked.append)
    repository.publications.filter(state="current").update(
        dated_at=timezone.now() - 8 * DAY, valid_until=timezone.now() + DAY
    )
    tasks.renew_indices()
    assert asked == [Publication.objects.unfinished().get().pk]
    assert OutboxMail.objects.count() == 1
    (warning,) = client.get("/health/ready", headers=bearer).json()["warnings"]
    assert warning.startswith(f"the index of {repository.name} ends at ")
    metrics = client.get("/metrics", headers=bearer).content.decode()
    name = "portal_index_valid_until_timestamp_seconds"
    assert f'{name}{{repository="{repository.name}"}}' in metrics


def test_managers_set_it_on_a_page_of_its_own(
    client_for: Callable[[User], Client],
    dana: User,
    alice: User,
    repository: Repository,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(tasks.publish, "delay", asked.append)
    client = client_for(dana)
    series = client.get("/releases/manage/products/exampledb/series/12.3/").content.decode()
    page = f"/releases/manage/repositories/{repository.pk}/validity/"
    assert page in series
    assert "10 days" in series
    assert 'value="10"' in client.get(page).content.decode()
    refused = client.post(page, {"days": "1"})
    assert refused.status_code == 400
    assert "2 to 365 days" in refused.content.decode()
    assert client.post(page, {"days": "14"}).status_code == 302
    repository.refresh_from_db()
    assert repository.valid_days == 14
    assert asked == [Publication.objects.unfinished().get().pk]
    assert client.post(page, {"days": "14"}).status_code == 302
    assert len(asked) == 1
    yum = Repository.objects.of_series().filter(distribution="rhel-9")[0]
    assert client.get(page.replace(f"/{repository.pk}/", f"/{yum.pk}/")).status_code == 404
    assert client_for(alice).get(page).status_code == 404
