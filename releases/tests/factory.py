"""Things that tests of this app start from, made by the same actions that users' requests call."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterable
from functools import cache
from typing import Any

from django.db.models import Max
from django.utils import timezone

from portal.accounts.models import User
from releases import tasks
from releases.actions import publication as steps
from releases.actions.acceptance import accept_upload
from releases.actions.checklist import tick_item
from releases.actions.product import add_product, add_series
from releases.actions.release import draft_release, publish_release
from releases.actions.signature import sign_file, sign_package
from releases.actions.upload import (
    LARGEST_CHUNK,
    announce_upload,
    append_chunk,
    finish_upload,
)
from releases.demonstration_packages import build_deb, build_rpm
from releases.models import Mirror, Product, Publication, Release, Repository, Series, Upload
from releases.signing import Signer

STAMP = 1_795_000_000
BEGIN, END = dt.date(2026, 1, 2), dt.date(2040, 6, 1)


def make_series(name: str = "12.3", slug: str = "exampledb", **fields: Any) -> Series:
    product = Product.objects.filter(slug=slug).first() or add_product(
        actor=None,
        slug=slug,
        name={"exampledb": "ExampleDB"}.get(slug, slug.title()),
        description="A database.",
        license="GPL-2.0-only",
        package=f"{slug}-server",
    )
    fields.setdefault("support", Series.Support.LONG)
    return add_series(actor=None, product=product, name=name, **fields)


def make_draft(version: str = "12.3.0", maturity: str = "alpha", **fields: Any) -> Release:
    """A draft in the series of its first two numbers, with its checklist done."""
    name = ".".join(version.split("-")[0].split(".")[:2])
    slug = fields.pop("slug", "exampledb")
    series = Series.objects.filter(name=name, product__slug=slug).first() or make_series(
        name, slug, eol_on=END
    )
    if maturity == "stable":
        give_dates(series)
    release = draft_release(actor=None, series=series, version=version, maturity=maturity, **fields)
    tick_everything(release)
    return release


def give_dates(series: Series) -> None:
    """What a stable release needs: the first stable day and the end of support."""
    series.released_on, series.eol_on = series.released_on or BEGIN, series.eol_on or END
    series.save()


def tick_everything(release: Release) -> None:
    """Somebody who is nobody else has done what the checklist asks."""
    clerk, _ = User.objects.get_or_create(email="clerk@example.org", name="Clerk")
    for item in release.checklist.open():
        tick_item(actor=clerk, item=item, at=timezone.now())


@cache
def deb(
    version: str = "12.3.0",
    name: str = "exampledb-server",
    architecture: str = "amd64",
    text: str = "",
) -> bytes:
    return build_deb(
        name=name,
        version=version,
        architecture=architecture,
        summary="Example database",
        text=text or version,
        stamp=STAMP,
    )


@cache
def rpm(
    version: str = "12.3.0", name: str = "exampledb-server", architecture: str = "x86_64"
) -> bytes:
    return build_rpm(
        name=name,
        version=version,
        release="1.el9",
        architecture=architecture,
        summary="Example database",
        text=version,
        stamp=STAMP,
    )


def send(*, actor: User, release: Release, name: str, data: bytes, **what: Any) -> Upload:
    """Announce and send; not yet looked at."""
    now = timezone.now()
    upload = announce_upload(
        actor=actor,
        release=release,
        name=name,
        size=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        at=now,
        **what,
    )
    for at in range(0, len(data), LARGEST_CHUNK):
        append_chunk(upload=upload, offset=at, data=data[at : at + LARGEST_CHUNK])
    return finish_upload(actor=actor, upload=upload, at=now)


def accept(*, actor: User, release: Release, name: str, data: bytes, **what: Any) -> Upload:
    """Announce, send and look at; accepted or refused. What was ticked before is ticked again."""
    upload = send(actor=actor, release=release, name=name, data=data, **what)
    was_done = not release.checklist.open().exists()
    settled = accept_upload(upload_id=upload.pk)
    assert settled is not None
    if was_done:
        tick_everything(release)
    return settled


def add_files(*, actor: User, release: Release) -> None:
    """A source archive, a .deb for Debian 12 and an .rpm for RHEL 9."""
    version, slug = release.version, release.series.product.slug
    name = f"{slug}-server"
    files: list[tuple[str, bytes, dict[str, Any]]] = [
        (f"{slug}-{version}.tar.gz", version.encode() * 9, {"os": "Source"}),
        (f"{name}_{version}_amd64.deb", deb(version, name), {"distributions": ["debian-12"]}),
        (f"{name}-{version}-1.el9.x86_64.rpm", rpm(version, name), {"distributions": ["rhel-9"]}),
    ]
    for file, data, what in files:
        settled = accept(actor=actor, release=release, name=file, data=data, **what)
        assert settled.state == Upload.State.ACCEPTED, settled.reason


def publish(
    *, actor: User, release: Release, signer: Signer, at: dt.datetime | None = None
) -> list[Publication]:
    """Publish and let the worker's steps run."""
    publications = publish_release(actor=actor, release=release, at=at or timezone.now())
    advance(publications, signer)
    now = timezone.now()
    for file in release.files.unsigned(now):
        sign_file(file_id=file.pk, signer=signer, at=now)
    return publications


def advance(publications: Iterable[Publication], signer: Signer) -> None:
    """The worker's steps of first publications."""
    for publication in publications:
        assert tasks.advance(publication.pk, signer) == Publication.State.CURRENT
        publication.refresh_from_db()


def publish_again(*, publication: Publication, signer: Signer) -> None:
    """Its steps, dated a second after all that is there, as by a worker that waited for it: so no
    two repositories have an index of the same bytes.
    """
    last = Publication.objects.aggregate(date=Max("dated_at"))["date"]
    later = max(timezone.now(), last + dt.timedelta(seconds=1))
    for package in steps.packages_to_sign(publication):
        sign_package(package_id=package.pk, signer=signer, at=timezone.now())
    assert steps.build_publication(publication_id=publication.pk, at=later)
    assert steps.sign_publication(publication_id=publication.pk, signer=signer)
    assert steps.switch_publication(publication_id=publication.pk, at=timezone.now())


def published(*, actor: User, signer: Signer, version: str = "12.3.0", **fields: Any) -> Release:
    """A published release with its repositories."""
    release = make_draft(version, **fields)
    add_files(actor=actor, release=release)
    publish(actor=actor, release=release, signer=signer)
    release.refresh_from_db()
    return release


def make_mirror(slug: str = "north", *, at: dt.datetime | None = None, **fields: Any) -> Mirror:
    """An active mirror that no probe has looked at yet."""
    now = at or timezone.now()
    values = {
        "name": slug.title(),
        "operator": "University of Somewhere",
        "contact_email": f"mirror@{slug}.example",
        "country": "DE",
        "base_url": f"https://{slug}.example/exampledb/",
        "state": Mirror.State.ACTIVE,
        "active_since": now - dt.timedelta(hours=1),
        "confirmed_at": now,
        "next_probe_at": now,
    }
    return Mirror.objects.create(slug=slug, **(values | fields))


def synced(mirror: Mirror) -> Mirror:
    """The mirror as a probe finds it that has seen all of our files there."""
    now = timezone.now()
    for repository in Repository.objects.live().select_related("current"):
        assert repository.current is not None
        mirror.sightings.update_or_create(
            repository=repository, defaults={"serial": repository.current.serial, "seen_at": now}
        )
    mirror.health, mirror.health_since, mirror.files_until = Mirror.Health.HEALTHY, now, now
    mirror.save()
    return mirror
