"""With its first stable release a series stops to offer what one person could publish before."""

from __future__ import annotations

import datetime as dt
import gzip
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from releases.actions.yank import restore_release, yank_release
from releases.models import Publication, Release
from releases.signer.local import LocalSigner
from releases.tests import factory

PACKAGES = "/repo/{}/debian/dists/bookworm/main/binary-amd64/Packages.gz"
NAME = "exampledb-server_{}_amd64.deb"


@pytest.fixture
def stable(dana: User, bob: User, signer: LocalSigner, tmp_path: Path) -> Release:
    """12.3.1, after an alpha whose package claims to be version 99."""
    _publish(dana, dana, factory.make_draft("12.3.0-alpha1"), "99.0", signer)
    Publication.objects.update(dated_at=timezone.now() - dt.timedelta(seconds=2))
    signer.open_log(tmp_path / "later")
    release = factory.make_draft("12.3.1", "stable")
    _publish(dana, bob, release, "12.3.1", signer)
    return release


def _publish(
    uploader: User, publisher: User, release: Release, version: str, signer: LocalSigner
) -> None:
    upload = factory.accept(
        actor=uploader,
        release=release,
        name=NAME.format(version),
        data=factory.deb(version),
        distributions=["debian-12"],
    )
    assert upload.state == "accepted", upload.reason
    factory.publish(actor=publisher, release=release, signer=signer)


def _versions(client: Client, place: str) -> list[str]:
    text = gzip.decompress(b"".join(client.get(PACKAGES.format(place)))).decode()
    return [line.split()[1] for line in text.splitlines() if line.startswith("Version:")]


def test_earlier_packages_leave_the_series_and_stay_at_their_exact_version(
    client: Client, stable: Release
) -> None:
    assert _versions(client, "12.3") == ["12.3.1"]
    assert _versions(client, "12.3.0-alpha1") == ["99.0"]


def test_a_withdrawn_alpha_that_is_offered_again_does_not_enter_the_series(
    bob: User, stable: Release
) -> None:
    alpha = Release.objects.get(maturity="alpha")
    yank_release(actor=bob, release=alpha, reason="It is old.", at=timezone.now())
    assert restore_release(actor=bob, release=alpha, at=timezone.now()) == []
