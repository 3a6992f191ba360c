"""Withdrawing a release: nothing offers it, nobody is upgraded to it, its addresses answer."""

from __future__ import annotations

import datetime as dt
import gzip
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.models import AuditEntry
from releases.actions import publication as steps
from releases.actions.release import publish_release
from releases.actions.signature import sign_package
from releases.actions.yank import restore_release, yank_release
from releases.errors import RefusedError
from releases.models import Package, Publication, Release
from releases.signer.local import LocalSigner
from releases.tests import factory
from tests.shared import shared

PACKAGES = "/repo/12.3/debian/dists/bookworm/main/binary-amd64/Packages.gz"
POOL = "/repo/12.3/debian/pool/main/e/exampledb-server/exampledb-server_12.3.1_amd64.deb"


@shared(keeps="release_files signer")
def newer(release: Release, dana: User, signer: LocalSigner, release_files: Path) -> Release:
    """12.3.1 beside 12.3.0."""
    found = factory.make_draft("12.3.1")
    factory.add_files(actor=dana, release=found)
    publications = publish_release(actor=dana, release=found, at=timezone.now())
    for package in Package.objects.filter(format="rpm"):
        sign_package(package_id=package.pk, signer=signer, at=timezone.now())
    step(publications, signer)
    return found


def listed(client: Client) -> set[str]:
    """The versions in the index that apt reads."""
    response = client.get(PACKAGES)
    text = gzip.decompress(b"".join(response)).decode()
    return {line.split()[1] for line in text.splitlines() if line.startswith("Version:")}


def step(publications: list[Publication], signer: LocalSigner) -> None:
    """The worker's steps, each publication a second after the one before."""
    for publication in publications:
        before = Publication.objects.filter(repository=publication.repository, state="current")
        dates = [found.dated_at for found in before if found.dated_at is not None]
        at = max([timezone.now(), *(date + dt.timedelta(seconds=1) for date in dates)])
        assert steps.build_publication(publication_id=publication.pk, at=at)
        assert steps.sign_publication(publication_id=publication.pk, signer=signer)
        assert steps.switch_publication(publication_id=publication.pk, at=at)


def test_nobody_is_upgraded_to_it_and_who_pins_it_still_gets_it(
    newer: Release, release: Release, dana: User, signer: LocalSigner, client: Client
) -> None:
    assert listed(client) == {"12.3.0", "12.3.1"}
    now = timezone.now()
    found = yank_release(
        actor=dana, release=newer, reason="It loses rows.", at=now, use_instead=release
    )
    step(found, signer)
    assert listed(client) == {"12.3.0"}
    assert client.get(POOL).status_code == 200
    assert client.get("/releases/exampledb/12.3.1/sha256sums.txt").status_code == 200
    assert Release.objects.latest_at(now).get() == release
    step(restore_release(actor=dana, release=newer, at=timezone.now()), signer)
    assert listed(client) == {"12.3.0", "12.3.1"}
    verbs = AuditEntry.objects.filter(verb__in=["release.yank", "release.restore"])
    assert [(row.verb, row.detail["reason"]) for row in verbs.order_by("pk")] == [
        ("release.yank", "It loses rows."),
        ("release.restore", "It loses rows."),
    ]


def test_packages_that_no_publication_has_shown_yet_never_enter(dana: User, draft: Release) -> None:
    publish_release(actor=dana, release=draft, at=timezone.now())
    yank_release(actor=dana, release=draft, reason="Wrong build.", at=timezone.now())
    for publication in Publication.objects.filter(repository__release=None):
        assert not publication.repository.memberships.exists()


def test_a_stable_release_is_offered_again_by_a_second_person(dana: User, grace: User) -> None:
    stable = factory.make_draft("11.8.9", "stable")
    factory.add_files(actor=dana, release=stable)
    publish_release(actor=grace, release=stable, at=timezone.now())
    yank_release(actor=dana, release=stable, reason="A doubt.", at=timezone.now())
    with pytest.raises(RefusedError, match="second release manager"):
        restore_release(actor=dana, release=stable, at=timezone.now())
    restore_release(actor=grace, release=stable, at=timezone.now())
    assert Release.objects.current(timezone.now()).get() == stable


def test_what_cannot_be_withdrawn_is_refused(dana: User, draft: Release) -> None:
    now = timezone.now()
    with pytest.raises(RefusedError, match="not published"):
        yank_release(actor=dana, release=draft, reason="x", at=now)
    publish_release(actor=dana, release=draft, at=now)
    with pytest.raises(RefusedError, match="not withdrawn"):
        restore_release(actor=dana, release=draft, at=now)
    other = factory.make_draft("12.3.1")
    for reason, instead, words in [
        ("  ", None, "Say why"),
        ("x", draft, "another release"),
        ("x", other, "another release"),
    ]:
        with pytest.raises(RefusedError, match=words):
            yank_release(actor=dana, release=draft, reason=reason, at=now, use_instead=instead)
    yank_release(actor=dana, release=draft, reason="It loses rows.", at=now)
    with pytest.raises(RefusedError, match="already"):
        yank_release(actor=dana, release=draft, reason="x", at=now)
