"""Packages by the thousand: rows and small files, without an upload for each.

What indices say of them looks like what real packages bring; their bytes are a line of text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from portal.accounts.models import User
from releases import store
from releases.models import (
    Blob,
    File,
    Membership,
    Package,
    Product,
    Publication,
    Release,
    Repository,
)
from releases.repository import apt
from releases.repository.apt import Digests
from releases.tests.paragraphs import CONTROL, FILELISTS, OTHER, PRIMARY

AT_ONCE = 5_000


@dataclass(frozen=True)
class Wanted:
    """A package to make."""

    name: str
    version: str = "12.3.0"
    architecture: str = "amd64"

    @property
    def is_rpm(self) -> bool:
        return self.architecture in {"x86_64", "aarch64", "noarch"}

    @property
    def full_version(self) -> str:
        return f"{self.version}-1.el9" if self.is_rpm else self.version

    @property
    def data(self) -> bytes:
        return f"{self.name} {self.version} {self.architecture}\n".encode()


def make_packages(*, actor: User, release: Release, wanted: Sequence[Wanted]) -> list[Package]:
    """The packages, signed where they are rpms, in files of the release."""
    made = []
    for start in range(0, len(wanted), AT_ONCE):
        made += _make(actor, release, wanted[start : start + AT_ONCE])
    return made


def enter(
    repository: Repository, publication: Publication, packages: Iterable[Package]
) -> list[Membership]:
    """Put the packages into the repository, from this publication on."""
    return Membership.objects.bulk_create(
        (
            Membership(repository=repository, package=package, since_serial=publication.serial)
            for package in packages
        ),
        batch_size=AT_ONCE,
    )


def _make(actor: User, release: Release, wanted: Sequence[Wanted]) -> list[Package]:
    found = [_digests(one.data) for one in wanted]
    for one, digests in zip(wanted, found, strict=True):
        path = store.blob_path(digests.sha256)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(one.data)
    blobs = Blob.objects.bulk_create(
        Blob(sha256=d.sha256, md5=d.md5, sha1=d.sha1, sha512=d.sha512, size=d.size) for d in found
    )
    files = File.objects.bulk_create(
        File(
            release=release,
            name=f"{one.name}_{one.version}_{one.architecture}.{'rpm' if one.is_rpm else 'deb'}",
            blob=blob,
            announced_sha256=blob.sha256,
            uploaded_by=actor,
        )
        for one, blob in zip(wanted, blobs, strict=True)
    )
    product = release.series.product
    return Package.objects.bulk_create(
        _package(product, one, file) for one, file in zip(wanted, files, strict=True)
    )


def _digests(data: bytes) -> Digests:
    names = ("md5", "sha1", "sha256", "sha512")
    return Digests(
        len(data), *(hashlib.new(name, data, usedforsecurity=False).hexdigest() for name in names)
    )


def _package(product: Product, one: Wanted, file: File) -> Package:
    package = Package(
        file=file,
        product=product,
        format="rpm" if one.is_rpm else "deb",
        name=one.name,
        version=one.full_version,
        architecture=one.architecture,
        component=apt.component_of(one.name),
        signed_at=file.uploaded_at if one.is_rpm else None,
    )
    fields = {**vars(one), "sha256": file.blob.sha256, "size": file.blob.size}
    if one.is_rpm:
        package.path = (
            f"packages/{one.name[0]}/{one.name}-{one.full_version}.{one.architecture}.rpm"
        )
        fields["path"] = package.path
        texts = {"primary": PRIMARY, "filelists": FILELISTS, "other": OTHER}
        package.stanzas = {kind: text.format(**fields) for kind, text in texts.items()}
    else:
        package.path = apt.pool_path("exampledb", one.name, one.version, one.architecture)
        stanza = apt.stanza(CONTROL.format(**fields), package.path, file.blob.digests)
        package.stanzas = {"packages": stanza.decode()}
    return package
