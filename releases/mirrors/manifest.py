"""Every file that a mirror carries, in the order in which it fetches them.

First what never changes (files of releases, packages, indices named by their content), then the
indices with plain names, at last the signed ones: whoever reads a mirror in the middle of a run
sees the old state or the new one, whole. What is no longer listed goes after that.
"""

from __future__ import annotations

import datetime as dt
import gzip
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.core.cache import cache
from django.db.models import F, Max, QuerySet
from django.utils import timezone

from releases.models import (
    File,
    IndexFile,
    Membership,
    Part,
    Product,
    Publication,
    Release,
    Repository,
)
from releases.repository.apt import by_hash
from releases.serving import below, part_of, root

ROUNDS: Final = 3
KEPT: Final = 600  # seconds for which a manifest is kept ready
BESIDE_SIGNED: Final = ("Release", "Release.gpg", "repodata/repomd.xml.asc")
SIGNED: Final = ("InRelease", "repodata/repomd.xml")  # clients begin with these
HEAD: Final = """\
# The files of a mirror: SHA-256, size, path. Fetch in this order, then delete what is not listed.
# until {until}
"""
Line = tuple[str, int, str]


class ChangingError(Exception):
    """Something is published again and again while we look: ask later."""


@dataclass(frozen=True)
class Contents:
    """What there is for mirrors at a moment, of one product or of all."""

    at: dt.datetime
    product: Product | None = None

    def files(self) -> QuerySet[File]:
        found = File.objects.downloadable().filter(release__published_at__lte=self.at, package=None)
        return found.filter(release__series__product=self.product) if self.product else found

    def repositories(self) -> QuerySet[Repository]:
        live = Repository.objects.live().select_related("series__product", "release", "current")
        found = live.filter(series__product=self.product) if self.product else live
        return found.order_by("pk")

    def memberships(self) -> QuerySet[Membership]:
        """What a current publication shows, or one before it has shown."""
        return Membership.objects.filter(
            repository__in=self.repositories(), since_serial__lte=F("repository__current__serial")
        )

    def until(self) -> dt.datetime | None:
        """The newest change among all of it."""
        files = self.files().aggregate(at=Max("release__published_at"))["at"]
        indices = self.repositories().aggregate(at=Max("current__switched_at"))["at"]
        return max((found for found in (files, indices) if found is not None), default=None)

    def newest_ever(self) -> dt.datetime | None:
        """The newest change that any manifest until now can tell of: what is listed may also go."""
        return max(
            filter(
                None,
                [
                    Release.objects.published(self.at).aggregate(at=Max("published_at"))["at"],
                    Publication.objects.aggregate(at=Max("switched_at"))["at"],
                ],
            ),
            default=None,
        )

    def state(self) -> str:
        """Another word for every other manifest."""
        recent = Publication.objects.kept(timezone.now()).filter(repository__in=self.repositories())
        parts = [
            self.until(),
            self.files().count(),
            self.memberships().count(),
            IndexFile.objects.filter(publication__in=recent).count(),
            *self.repositories().values_list("pk", "current__serial"),
        ]
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:40]


def compressed(contents: Contents) -> tuple[str, bytes]:
    """A word for the state, and the manifest under gzip; made once for each state.

    When something is published while it is made it is made again: indices never stand in it
    without their packages.
    """
    for _ in range(ROUNDS):
        state = contents.state()
        key = f"mirrors.manifest:{state}"
        found: bytes | None = cache.get(key)
        if found is None:
            found = gzip.compress(text(contents).encode(), 6, mtime=0)
        if contents.state() == state:
            cache.set(key, found, KEPT)
            return state, found
    raise ChangingError


def text(contents: Contents) -> str:
    until = contents.until()
    moment = "never" if until is None else f"{until.astimezone(dt.UTC):%Y-%m-%dT%H:%M:%S.%f}Z"
    body = "".join(f"{sha256} {size} {path}\n" for sha256, size, path in lines(contents))
    return HEAD.format(until=moment) + body


def lines(contents: Contents) -> Iterator[Line]:
    """Each path once, in the order of fetching."""
    seen: set[str] = set()
    for line in (*_release_files(contents), *_packages(contents), *_indices(contents)):
        if line[2] not in seen:
            seen.add(line[2])
            yield line


def _release_files(contents: Contents) -> Iterator[Line]:
    found = (
        contents.files()
        .order_by("pk")
        .values_list(
            "blob__sha256",
            "blob__size",
            "release__series__product__slug",
            "release__version",
            "name",
        )
    )
    for sha256, size, product, version, name in found.iterator():
        yield sha256, size, f"{Part.FILES}/{product}/{version}/{name}"


def _packages(contents: Contents) -> Iterator[Line]:
    roots = {found.pk: f"{part_of(found)}/{root(found)}" for found in contents.repositories()}
    found = (
        contents.memberships()
        .order_by("pk")
        .values_list(
            "repository",
            "package__path",
            "package__file__blob__sha256",
            "package__file__blob__size",
        )
    )
    for repository, path, sha256, size in found.iterator():
        yield sha256, size, f"{roots[repository]}/{path}"


def _indices(contents: Contents) -> list[Line]:
    """By-hash names and metadata named by digest, of all generations; then plain names."""
    ranked = [line for repository in contents.repositories() for line in _indices_of(repository)]
    return [line for _rank, line in sorted(ranked, key=lambda found: found[0])]


def _indices_of(repository: Repository) -> Iterator[tuple[int, Line]]:
    folder = f"{part_of(repository)}/{root(repository)}/{below(repository)}"
    recent = Publication.objects.kept(timezone.now()).filter(repository=repository)
    files = IndexFile.objects.filter(publication__in=recent).select_related("blob")
    for file in files.order_by("publication__serial", "path"):
        sha256, size = file.blob.sha256, file.blob.size
        is_current = file.publication_id == repository.current_id
        if repository.system.is_deb and "/" in file.path:
            yield 0, (sha256, size, folder + by_hash(file.path, sha256))
        if is_current or sha256 in file.path:
            yield _rank(file.path, sha256), (sha256, size, folder + file.path)


def _rank(path: str, sha256: str) -> int:
    if path in SIGNED:
        return 3
    if path in BESIDE_SIGNED:
        return 2
    return 0 if sha256 in path else 1
