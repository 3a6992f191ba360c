"""Mirrors of the files of releases: what proves that they have them."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from django.db.models import F
from django.utils import timezone

from portal.accounts.models import User
from releases.actions.mirror_probe import record_probe
from releases.mirrors import sample, targets
from releases.mirrors.manifest import Contents, text
from releases.mirrors.probe import Finding
from releases.mirrors.redirect import holders
from releases.mirrors.ways import among_files
from releases.models import File, Mirror, Part, Release
from releases.signer.local import LocalSigner
from releases.store import blob_path
from releases.tests import factory
from tests.shared import shared

Bodies = dict[str, bytes | None]
MINUTE = dt.timedelta(minutes=1)
MANIFEST = "manifest.txt"


@shared
def mirror(release: Release) -> Mirror:
    return factory.make_mirror(parts=[Part.FILES])


@shared(keeps="release_files signer")
def newer(release: Release, dana: User, signer: LocalSigner, release_files: Path) -> Release:
    """Published a minute after the first."""
    found = factory.make_draft("12.3.1")
    factory.accept(actor=dana, release=found, name="exampledb-12.3.1.tar.gz", data=b"newer")
    factory.publish(actor=dana, release=found, signer=signer)
    Release.objects.filter(pk=release.pk).update(published_at=F("published_at") - MINUTE)
    return found


def said(until: dt.datetime) -> bytes:
    return f"# Files\n# until {until.astimezone(dt.UTC):%Y-%m-%dT%H:%M:%S.%f}Z\n".encode()


def probe(mirror: Mirror, manifest: bytes | None, **changed: bytes | None) -> Mirror:
    """One look at a mirror that has our files; `changed` by the number of a release, as v12_3_0."""
    now = timezone.now()
    target = targets.target_of(Mirror.objects.get(pk=mirror.pk), now)
    bodies: Bodies = {MANIFEST: manifest}
    for found in target.samples:
        version = found.wanted.path.split("/")[2]
        file = File.objects.get(release__version=version, package=None)
        whole = blob_path(file.blob.sha256).read_bytes()
        piece = found.wanted.piece
        held = whole[piece.start : piece.start + piece.length] if piece else whole
        bodies[found.wanted.path] = changed.get(f"v{version}".replace(".", "_"), held)
    recorded = record_probe(target=target, finding=Finding(bodies), at=now)
    assert recorded is not None
    return recorded


def is_offered(release: Release) -> bool:
    carried = among_files(File.objects.get(release=release, package=None))
    assert carried is not None
    return holders(carried, timezone.now()).exists()


@pytest.mark.django_db
def test_a_mirror_with_the_files_it_says_it_has_is_offered(mirror: Mirror, newer: Release) -> None:
    assert not is_offered(newer)
    probed = probe(mirror, text(Contents(timezone.now())).encode())
    assert (probed.health, probed.reason) == (Mirror.Health.HEALTHY, "")
    assert probed.files_until == Contents(timezone.now()).until()
    assert is_offered(newer)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("body", "reason"), [(None, "manifest.txt lists it"), (b"forged", "has other bytes than here")]
)
def test_a_mirror_that_lies_of_its_files_is_not_offered(
    mirror: Mirror, newer: Release, body: bytes | None, reason: str
) -> None:
    """It serves our own manifest. What it says is put to the test at the first look already."""
    manifest = text(Contents(timezone.now())).encode()
    probed = probe(mirror, manifest, v12_3_0=body)
    assert probed.health == Mirror.Health.BROKEN
    assert reason in probed.reason
    assert "releases/exampledb/12.3.0/" in probed.reason
    assert not is_offered(newer)


@pytest.mark.django_db
def test_a_mirror_that_says_it_has_what_will_come_is_broken(mirror: Mirror) -> None:
    for until in (timezone.now() + dt.timedelta(days=900), Contents(timezone.now()).newest_ever()):
        assert until is not None
        probed = probe(mirror, said(until + dt.timedelta(microseconds=1)))
        assert (probed.health, probed.files_until) == (Mirror.Health.BROKEN, None)
        assert "later time than anything published here" in probed.reason


@pytest.mark.django_db
def test_what_is_newer_than_a_mirror_says_may_be_missing_but_not_be_other(
    mirror: Mirror, newer: Release, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("releases.mirrors.sample.secrets.choice", max)
    release.refresh_from_db()
    assert release.published_at is not None
    behind = said(release.published_at)
    assert probe(mirror, behind, v12_3_1=None).health == Mirror.Health.HEALTHY
    assert (is_offered(release), is_offered(newer)) == (True, False)
    paths = [found.wanted.path for found in sample.samples_of(Mirror.objects.get(), timezone.now())]
    assert paths == ["releases/exampledb/12.3.0/exampledb-12.3.0.tar.gz"], "what it says it has"
    Mirror.objects.update(files_until=None)
    assert probe(mirror, behind, v12_3_1=b"other").health == Mirror.Health.BROKEN


@pytest.mark.django_db
@pytest.mark.parametrize("manifest", [None, b"<html>", b"# until 2026-99-21T05:31:07Z\n"])
def test_without_a_manifest_nothing_is_known_of_files(
    mirror: Mirror, manifest: bytes | None
) -> None:
    probed = probe(mirror, manifest)
    assert (probed.health, probed.files_until) == (Mirror.Health.BROKEN, None)
    assert "has no manifest.txt" in probed.reason
    Mirror.objects.update(parts=[Part.APT, Part.FILES])
    assert "has no manifest.txt" not in probe(mirror, manifest).reason, "it has repositories"


@pytest.mark.django_db
def test_before_anything_is_published_a_mirror_has_nothing_to_say() -> None:
    mirror = factory.make_mirror(parts=[Part.FILES])
    assert probe(mirror, b"# until never\n").reason == ""
    assert "later time" in probe(mirror, said(timezone.now())).reason


@pytest.mark.django_db
def test_a_large_file_is_sampled_in_part(
    mirror: Mirror, dana: User, signer: LocalSigner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample, "PIECE", 4)
    manifest = text(Contents(timezone.now())).encode()
    (found,) = sample.samples_of(mirror, timezone.now())
    piece = found.wanted.piece
    assert piece is not None
    assert (piece.length, piece.size) == (4, File.objects.get(package=None).blob.size)
    starts = {
        piece.start
        for _ in range(200)
        for found in sample.samples_of(mirror, timezone.now())
        if (piece := found.wanted.piece)
    }
    assert (min(starts), max(starts)) == (0, piece.size - 4), "the end can be chosen too"
    assert probe(mirror, manifest).health == Mirror.Health.HEALTHY
    assert "other bytes" in probe(mirror, manifest, v12_3_0=b"xxxx").reason


@pytest.mark.django_db
def test_what_we_cannot_read_ourselves_is_no_mirrors_fault(
    mirror: Mirror, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample, "PIECE", 4)
    monkeypatch.setattr(sample, "blob_path", lambda sha256: tmp_path / sha256)
    assert sample.samples_of(mirror, timezone.now()) == []


@pytest.mark.django_db
def test_a_mirror_is_asked_for_files_of_its_products_alone(mirror: Mirror) -> None:
    mirror.products.add(factory.make_series(slug="other").product)
    assert sample.samples_of(mirror, timezone.now()) == []
