"""A repository goes back to what it held, forward, and without a package."""

from __future__ import annotations

import datetime as dt
import gzip
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.models import AuditEntry
from releases import tasks
from releases.actions.repository import queue_publication
from releases.actions.roll_back import publish_again, roll_back, take_out
from releases.actions.yank import yank_release
from releases.errors import RefusedError
from releases.models import Package, Publication, Release, Repository
from releases.signer.local import LocalSigner
from releases.tests import factory

PACKAGES = "/repo/12.3/debian/dists/bookworm/main/binary-amd64/Packages.gz"
OLD = "/repo/12.3/debian/pool/main/e/exampledb-server/exampledb-server_12.3.0_amd64.deb"


@pytest.fixture
def repository(dana: User, release: Release, signer: LocalSigner, tmp_path: Path) -> Repository:
    """With 12.3.0 in its first publication, 12.3.0 and 12.3.1 in its second."""
    draft = factory.make_draft("12.3.1")
    deb = factory.deb("12.3.1")
    settled = factory.accept(
        actor=dana,
        release=draft,
        name="exampledb-server_12.3.1_amd64.deb",
        data=deb,
        distributions=["debian-12"],
    )
    assert settled.state == "accepted", settled.reason
    _later(signer, tmp_path)
    factory.publish(actor=dana, release=draft, signer=signer)
    return _repository()


def _repository() -> Repository:
    return Repository.objects.of_series().get(distribution="debian-12")


def _later(signer: LocalSigner, folder: Path) -> None:
    """As if what is current was published two seconds ago."""
    Publication.objects.filter(state="current").update(
        dated_at=timezone.now() - dt.timedelta(seconds=2)
    )
    signer.open_log(folder / f"log-{Publication.objects.count()}")


def _versions(client: Client) -> list[str]:
    text = gzip.decompress(b"".join(client.get(PACKAGES))).decode()
    return [line.split()[1] for line in text.splitlines() if line.startswith("Version:")]


def test_a_roll_back_shows_the_old_content_under_a_newer_date(
    dana: User, repository: Repository, signer: LocalSigner, client: Client, tmp_path: Path
) -> None:
    assert _versions(client) == ["12.3.0", "12.3.1"]
    first, second = repository.publications.order_by("serial")
    _later(signer, tmp_path)
    queued = roll_back(actor=dana, publication=first, reason="12.3.1 does not start")
    assert tasks.advance(queued.pk, signer) == Publication.State.CURRENT
    assert _versions(client) == ["12.3.0"]
    queued.refresh_from_db()
    second.refresh_from_db()
    assert (queued.cause, queued.content_of, queued.serial) == ("roll-back", 1, 3)
    assert queued.dated_at is not None
    assert second.dated_at is not None
    assert queued.dated_at > second.dated_at
    assert AuditEntry.objects.filter(verb="repository.roll_back").count() == 1

    _later(signer, tmp_path)
    again = roll_back(actor=dana, publication=second, reason="It does now.")
    assert tasks.advance(again.pk, signer) == Publication.State.CURRENT
    assert _versions(client) == ["12.3.0", "12.3.1"]


def test_what_only_waits_to_enter_does_not_enter_after_a_roll_back(
    dana: User, repository: Repository
) -> None:
    first = repository.publications.get(serial=1)
    waiting = queue_publication(repository=repository)
    members = repository.memberships.filter(package__version="12.3.1")
    members.update(since_serial=waiting.serial)
    assert roll_back(actor=dana, publication=first, reason="Not yet.") == waiting
    assert not members.exists()


def test_a_package_that_was_taken_out_is_there_for_clients_that_read_the_index_before(
    dana: User, repository: Repository, signer: LocalSigner, client: Client, tmp_path: Path
) -> None:
    package = Package.objects.get(format="deb", version="12.3.0")
    with pytest.raises(RefusedError, match="why"):
        take_out(actor=dana, repository=repository, package=package, reason=" ")
    _later(signer, tmp_path)
    queued = take_out(actor=dana, repository=repository, package=package, reason="It loses data.")
    assert tasks.advance(queued.pk, signer) == Publication.State.CURRENT
    assert _versions(client) == ["12.3.1"]
    assert client.get(OLD).status_code == 200
    with pytest.raises(RefusedError, match="does not hold"):
        take_out(actor=dana, repository=repository, package=package, reason="Again.")
    Publication.objects.filter(repository=repository, state="past").update(
        retired_at=timezone.now() - dt.timedelta(days=4), generation=None
    )
    assert client.get(OLD).status_code == 404


def test_a_publication_that_nobody_has_seen_is_no_place_to_go_back_to(
    dana: User, repository: Repository
) -> None:
    queued = publish_again(actor=dana, repository=repository)
    assert (queued.cause, queued.full) == ("again", True)
    with pytest.raises(RefusedError, match="never seen"):
        roll_back(actor=dana, publication=queued, reason="Any.")


def test_a_withdrawn_release_does_not_come_back_with_a_roll_back(
    dana: User, bob: User, repository: Repository
) -> None:
    withdrawn = Release.objects.get(version="12.3.0")
    yank_release(actor=bob, release=withdrawn, reason="It eats data.", at=timezone.now())
    queued = roll_back(actor=dana, publication=repository.publications.get(serial=1), reason="Any.")
    shown = repository.memberships.in_publication(queued.serial)
    assert not shown.filter(package__file__release=withdrawn).exists()


def test_who_uploaded_a_stable_release_does_not_bring_it_back_alone(
    dana: User, bob: User, repository: Repository
) -> None:
    Release.objects.filter(version="12.3.1").update(maturity="stable")
    second = repository.publications.get(serial=2)
    package = Package.objects.get(version="12.3.1")
    take_out(actor=bob, repository=repository, package=package, reason="It does not start.")
    with pytest.raises(RefusedError, match=r"12\.3\.1: You uploaded files"):
        roll_back(actor=dana, publication=second, reason="Any.")
    queued = roll_back(actor=bob, publication=second, reason="Any.")
    assert repository.memberships.in_publication(queued.serial).filter(package=package).exists()
