"""Publications: built, signed and switched to in steps that may be cut off anywhere."""

from __future__ import annotations

import datetime as dt
import gzip
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.models import AuditEntry
from releases import store, tasks
from releases.actions import publication as actions
from releases.actions.check import faults_of
from releases.actions.release import publish_release
from releases.actions.repository import (
    MOST_FAILURES,
    PAUSE,
    queue_failed_again,
    queue_publication,
)
from releases.actions.signature import sign_package
from releases.models import Package, Publication, Release, Repository
from releases.repository import apt
from releases.signer.local import LocalSigner
from releases.signing import SignedRelease, SignerUnavailableError
from releases.tests import factory
from tests.shared import shared

State = Publication.State
BOOKWORM = "/repo/12.3/debian/dists/bookworm"


@shared
def queued(dana: User, draft: Release) -> Publication:
    """The publication for Debian 12 that waits."""
    found = publish_release(actor=dana, release=draft, at=timezone.now())
    return next(one for one in found if one.repository.system.is_deb)


class Cut(Exception):  # noqa: N818  (stands for the end of the process)
    """The process ended here."""


@contextmanager
def cut_off() -> Iterator[None]:
    """What was not committed when the process ended is gone."""
    with suppress(Cut), transaction.atomic():
        yield
        raise Cut


def test_a_worker_that_dies_in_any_step_leaves_the_row_for_the_next(
    queued: Publication, signer: LocalSigner, client: Client
) -> None:
    number, now = queued.pk, timezone.now()
    steps: list[Callable[[], bool]] = [
        lambda: actions.build_publication(publication_id=number, at=now),
        lambda: actions.sign_publication(publication_id=number, signer=signer),
        lambda: actions.switch_publication(publication_id=number, at=now),
    ]
    for step in steps:
        with cut_off():
            assert step()
        assert client.get(f"{BOOKWORM}/InRelease").status_code == 404
        assert step()
        assert not step()
    assert client.get(f"{BOOKWORM}/InRelease").status_code == 200
    assert AuditEntry.objects.filter(verb="publication.switch").count() == 1
    assert Repository.objects.of_series().get(distribution="debian-12").serial == 1


def test_nothing_is_switched_to_whose_bytes_changed_on_disk(
    queued: Publication, signer: LocalSigner
) -> None:
    now = timezone.now()
    actions.build_publication(publication_id=queued.pk, at=now)
    actions.sign_publication(publication_id=queued.pk, signer=signer)
    blob = queued.files.get(path="main/binary-amd64/Packages.gz").blob
    store.blob_path(blob.sha256).write_bytes(b"other")
    assert not actions.switch_publication(publication_id=queued.pk, at=now)
    queued.refresh_from_db()
    assert queued.state == State.FAILED
    assert "Packages.gz" in queued.reason
    assert tasks.advance(queued.pk, signer) == State.FAILED


def test_the_check_finds_a_missing_package_and_a_wrong_list(
    release: Release, signer: LocalSigner
) -> None:
    for publication in Publication.objects.filter(repository__release=None):
        assert faults_of(publication) == ""
        suffix = "gz" if publication.repository.system.is_deb else "primary.xml.gz"
        file = publication.files.filter(path__endswith=suffix)[0]
        other = publication.files.exclude(pk=file.pk).exclude(blob=file.blob)[0]
        original, file.blob = file.blob, other.blob
        file.save()
        assert "as it is" in faults_of(publication)
        file.blob = original
        file.save()
        package = publication.repository.memberships.get().package
        store.blob_path(package.file.blob.sha256).unlink()
        assert "not in the store" in faults_of(publication)


def test_a_refusal_of_the_signer_fails_the_publication_and_keeps_the_last(
    release: Release, signer: LocalSigner
) -> None:
    repository = Repository.objects.of_series().get(distribution="debian-12")
    late = apt.release(
        apt.Suite(repository.origin, repository.label, repository.codename),
        timezone.now().replace(microsecond=0) + dt.timedelta(seconds=30),
        ["amd64"],
        {},
    )
    signer.sign_release(repository.name, 50, late)
    publication = queue_publication(repository=repository)
    assert _when_its_turn_comes(publication, signer) == State.FAILED
    repository.refresh_from_db()
    assert repository.current is not None
    assert repository.current.serial == 1


def test_a_failed_publication_is_asked_for_again_but_not_for_ever(
    release: Release, signer: LocalSigner
) -> None:
    repository = Repository.objects.of_series().get(distribution="debian-12")
    publication = queue_publication(repository=repository)
    actions.fail_publication(publication_id=publication.pk, reason="the clock")
    now = timezone.now()
    assert queue_failed_again(at=now) == []
    for tried in range(1, MOST_FAILURES):
        (again,) = queue_failed_again(at=now + PAUSE * 2)
        assert again.serial == publication.serial + tried
        actions.fail_publication(publication_id=again.pk, reason="the clock")
    assert queue_failed_again(at=now + PAUSE * 2) == []


def test_the_sweep_mends_what_failed(release: Release, signer: LocalSigner) -> None:
    repository = Repository.objects.of_series().get(distribution="debian-12")
    publication = queue_publication(repository=repository)
    actions.fail_publication(publication_id=publication.pk, reason="the clock")
    Publication.objects.update(
        queued_at=timezone.now() - PAUSE, dated_at=timezone.now() - dt.timedelta(minutes=1)
    )
    signer.open_log(Path(store.blob_path("00" * 32)).parent)
    tasks.sweep()
    repository.refresh_from_db()
    assert repository.current is not None
    assert repository.current.serial == publication.serial + 1


def _when_its_turn_comes(publication: Publication, signer: LocalSigner) -> str:
    """Build it a second after the one before, as the countdown of the task does."""
    later = timezone.now() + dt.timedelta(seconds=2)
    assert actions.build_publication(publication_id=publication.pk, at=later)
    return tasks.advance(publication.pk, signer)


def test_a_second_publication_waits_for_the_next_second(
    release: Release, signer: LocalSigner
) -> None:
    repository = Repository.objects.of_series().get(distribution="debian-12")
    publication = queue_publication(repository=repository)
    assert queue_publication(repository=repository) == publication
    assert repository.current is not None
    assert repository.current.dated_at is not None
    same_second = repository.current.dated_at + dt.timedelta(milliseconds=900)
    assert not actions.build_publication(publication_id=publication.pk, at=same_second)
    next_second = repository.current.dated_at + dt.timedelta(seconds=1)
    assert actions.build_publication(publication_id=publication.pk, at=next_second)


class Absent(LocalSigner):
    """A signer that does not answer."""

    def __init__(self) -> None:
        return

    def sign_release(self, repository: str, serial: int, release: bytes) -> SignedRelease:
        raise SignerUnavailableError("nobody there")

    def sign_file(self, path: Path) -> str:
        raise SignerUnavailableError("nobody there")

    def sign_advisory(self, identifier: str, document: bytes) -> str:
        raise SignerUnavailableError("nobody there")

    def sign_decisions(self, manifest: bytes) -> str:
        raise SignerUnavailableError("nobody there")


def test_without_the_signer_the_publication_waits(
    queued: Publication, signer: LocalSigner, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert tasks.advance(queued.pk, Absent()) == State.BUILT
    with monkeypatch.context() as patch:
        patch.setattr(tasks, "signer", Absent)
        tasks.sign(queued.repository.memberships.get().package.file_id)
    tasks.sweep()
    queued.refresh_from_db()
    assert queued.state == State.CURRENT


def test_an_rpm_is_signed_before_it_is_indexed(
    dana: User, draft: Release, signer: LocalSigner
) -> None:
    found = publish_release(actor=dana, release=draft, at=timezone.now())
    publication = next(one for one in found if not one.repository.system.is_deb)
    assert not actions.build_publication(publication_id=publication.pk, at=timezone.now())
    package = Package.objects.get(format="rpm")
    assert not release_shows(draft, package.file.name)
    for _ in range(2):
        sign_package(package_id=package.pk, signer=signer, at=timezone.now())
    package.refresh_from_db()
    assert package.file.blob.sha256 != package.file.announced_sha256
    assert f'pkgid="YES">{package.file.blob.sha256}<' in package.stanzas["primary"]
    assert release_shows(draft, package.file.name)
    tasks.publish(publication.pk)
    publication.refresh_from_db()
    assert publication.state == State.CURRENT


def release_shows(release: Release, name: str) -> bool:
    return release.files.downloadable().filter(name=name).exists()


def test_old_indices_stay_reachable_by_hash_for_three_generations_and_three_days(
    dana: User, release: Release, signer: LocalSigner, client: Client
) -> None:
    repository = Repository.objects.of_series().get(distribution="debian-12")
    hashes = []
    for number in range(1, 5):
        assert repository.current is not None
        blob = repository.current.files.get(path="main/binary-amd64/Packages.gz").blob
        hashes.append(blob.sha256)
        draft = factory.make_draft(f"12.3.{number}")
        deb = factory.deb(f"12.3.{number}")
        factory.accept(
            actor=dana,
            release=draft,
            name=f"exampledb-server_12.3.{number}_amd64.deb",
            data=deb,
            distributions=["debian-12"],
        )
        publication, _exact = publish_release(actor=dana, release=draft, at=timezone.now())
        # As if each was published a second later.
        Publication.objects.filter(pk=repository.current.pk).update(
            dated_at=timezone.now() - dt.timedelta(seconds=2)
        )
        signer.open_log(Path(store.upload_path(draft.files.get().upload.pk)).parent / str(number))
        assert tasks.advance(publication.pk, signer) == State.CURRENT
        repository.refresh_from_db()

    def statuses() -> list[int]:
        folder = f"{BOOKWORM}/main/binary-amd64/by-hash/SHA256"
        return [client.get(f"{folder}/{found}").status_code for found in hashes]

    assert statuses() == [200, 200, 200, 200]
    repository.publications.update(retired_at=timezone.now() - dt.timedelta(days=3, minutes=1))
    assert statuses() == [404, 404, 200, 200]
    text = b"".join(client.get(f"{BOOKWORM}/main/binary-amd64/Packages.gz"))
    assert gzip.decompress(text).decode().count("Package: exampledb-server\n") == 5


def test_a_package_for_every_processor_is_in_every_index(
    dana: User, signer: LocalSigner, client: Client
) -> None:
    release = factory.make_draft()
    both = {
        "for-all_12.3.0_all.deb": factory.deb(name="for-all", architecture="all"),
        "exampledb-server_12.3.0_arm64.deb": factory.deb(architecture="arm64"),
    }
    for name, data in both.items():
        factory.accept(
            actor=dana,
            release=release,
            name=name,
            data=data,
            distributions=["debian-12", "debian-13"],
        )
    noarch = factory.rpm(name="for-all", architecture="noarch")
    factory.accept(
        actor=dana,
        release=release,
        name="for-all-12.3.0-1.el9.noarch.rpm",
        data=noarch,
        distributions=["rhel-9"],
    )
    factory.publish(actor=dana, release=release, signer=signer)
    index = client.get(f"{BOOKWORM}/main/binary-arm64/Packages.gz")
    text = gzip.decompress(b"".join(index))
    assert (text.count(b"Package: for-all"), text.count(b"Package: exampledb-server")) == (1, 1)
    for architecture in ("x86_64", "aarch64"):
        path = f"/yum/12.3/rhel/9/{architecture}/packages/f/for-all-12.3.0-1.el9.noarch.rpm"
        assert client.get(path).status_code == 200
    chosen = client.get("/repositories/?distribution=debian-12&format=sources").content.decode()
    assert "Architectures: arm64" in chosen
