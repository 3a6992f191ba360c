"""From an address below /repo/ or /yum/ to the bytes behind it, through the current publication.

Nothing is copied or linked into a tree: an address is answered from rows, so the switch of one
pointer changes everything at once, and a draft has no address.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from django.conf import settings
from django.db.models import Exists, Func, OuterRef, Q, QuerySet, TextField, Value
from django.db.models.functions import Coalesce, Substr
from django.utils import timezone

from releases.mirrors.carried import Carried
from releases.models import (
    Alias,
    AliasPast,
    Blob,
    IndexFile,
    Membership,
    Package,
    Part,
    Publication,
    Repository,
)
from releases.models.alias import PATTERN
from releases.models.repository import KEEP_FOR, RepositoryQuerySet

FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "public, no-cache"
NEVER: Final = 2**31 - 1  # a serial that no publication reaches
ALIAS: Final = re.compile(PATTERN)


@dataclass(frozen=True)
class Served:
    """A file of a repository."""

    blob: Blob
    name: str
    modified: dt.datetime | None
    cache: str
    carried: Carried | None = None  # what a mirror may answer instead


@dataclass(frozen=True)
class Folder:
    """The names below an address; folders end with a slash."""

    names: list[str]


PackageQuerySet = QuerySet[Package]
Found = Served | Folder | None


def root(repository: Repository, name: str = "") -> str:
    """The address of a repository below /repo/ or /yum/, without slashes at its ends; `name` is an
    alias that shows it.
    """
    series, system = repository.series, repository.system
    parts = [] if series.product.is_default else [series.product.slug]
    parts += [name or repository.place, system.family]
    if not system.is_deb:
        parts += [system.release, repository.architecture]
    return "/".join(parts)


def part_of(repository: Repository) -> Part:
    """Below which address it lies: /repo/ or /yum/."""
    return Part.APT if repository.system.is_deb else Part.YUM


def below(repository: Repository) -> str:
    """Where its indices lie below its root."""
    return f"dists/{repository.codename}/" if repository.system.is_deb else ""


def find_apt(path: str) -> Found:
    return _find(path, is_deb=True)


def find_yum(path: str) -> Found:
    return _find(path, is_deb=False)


@dataclass(frozen=True)
class Shown:
    """A live repository under its own name, or under that of an alias."""

    repository: Repository
    alias: str = ""

    @property
    def root(self) -> str:
        return root(self.repository, self.alias)


def _find(path: str, *, is_deb: bool) -> Found:
    """The file or folder at `path`, or nothing."""
    wanted = path.strip("/")
    shown = [one for one in _shown(wanted) if one.repository.system.is_deb == is_deb]
    here = [one for one in shown if f"{wanted}/".startswith(f"{one.root}/")]
    if not here:
        return _folder(wanted, (f"{one.root}/" for one in shown))
    inner = wanted.removeprefix(here[0].root).strip("/")
    find = _in_apt if is_deb else _in_yum
    found = find([one.repository for one in here], inner)
    if found is None and here[0].alias and (left := _left_lately(here[0])):
        old = find(left, inner)  # a client that began before the alias moved
        return old if isinstance(old, Served) and old.cache == FOREVER else None
    return found


def _live() -> RepositoryQuerySet:
    return Repository.objects.live().select_related("series__product", "release", "current")


def _shown(wanted: str) -> list[Shown]:
    """What may lie at the address: its first part is a product, or a name of the default one."""
    first, _, rest = wanted.partition("/")
    second = rest.partition("/")[0]
    ours = Q(series__product__slug=settings.DEFAULT_PRODUCT)
    theirs = Q(series__product__slug=first) & ~ours
    if not first:
        return _with_aliases(_live())
    if not second and (found := list(_live().filter(theirs))):
        return _with_aliases(found)
    repositories = _live().filter(ours & _named(first) | theirs & _named(second))
    return [_as_named(one, {first, second}) for one in repositories]


def _named(name: str) -> Q:
    aliased = Alias.objects.filter(name=name).values("series")
    return Q(release=None) & (Q(series__name=name) | Q(series__in=aliased)) | Q(
        release__version=name
    )


def _as_named(repository: Repository, names: set[str]) -> Shown:
    if repository.place in names:
        return Shown(repository)
    name = next(name for name in names if ALIAS.match(name))
    return Shown(repository, name)


def _with_aliases(repositories: Iterable[Repository]) -> list[Shown]:
    found = list(repositories)
    return [Shown(one) for one in found] + [
        Shown(one, alias.name)
        for alias in Alias.objects.all()
        for one in found
        if one.series_id == alias.series_id and one.release_id is None
    ]


def _left_lately(here: Shown) -> list[Repository]:
    """The repositories that stood here before the alias moved."""
    left = AliasPast.objects.filter(
        alias__name=here.alias,
        alias__product=here.repository.series.product,
        left_at__gt=timezone.now() - KEEP_FOR,
    )
    before = _live().of_series().filter(series__in=left.values("series"))
    return [one for one in before if root(one, here.alias) == here.root]


def _in_apt(repositories: list[Repository], inner: str) -> Found:
    """Below <series>/<family>/: dists/<codename>/... of each, and the pool of all."""
    top, _, rest = inner.partition("/")
    if top == "dists":
        codename, _, below = rest.partition("/")
        for repository in repositories:
            if repository.codename == codename:
                return _index_file(repository, below)
        names = (f"dists/{repository.codename}/Release" for repository in repositories)
        return _folder(inner, names)
    if top == "pool":
        packages = _packages(repositories)
        found = _package(packages, repositories, inner)
        return found or _folder(inner, _next_parts(packages, inner))
    return Folder(["dists/", "pool/"]) if not inner else None


def _in_yum(repositories: list[Repository], inner: str) -> Found:
    """Below <series>/<os>/<release>/<arch>/: repodata/ and packages/."""
    packages = _packages(repositories)
    if inner.startswith("packages"):
        found = _package(packages, repositories, inner)
        return found or _folder(inner, _next_parts(packages, inner))
    return _index_file(repositories[0], inner)


def _index_file(repository: Repository, path: str) -> Found:
    current = repository.current
    if current is None:
        return None
    folder, _, name = path.rpartition("/")
    recent = Publication.objects.kept(timezone.now()).filter(repository=repository)
    files = IndexFile.objects.select_related("blob", "publication")
    if folder.endswith("/by-hash/SHA256"):
        base = folder.removesuffix("by-hash/SHA256")
        old = files.filter(publication__in=recent, path__startswith=base, blob__sha256=name)
        first = old.order_by("publication__serial").first()
        return _served(repository, first, FOREVER, path)
    found = files.filter(publication=current, path=path).first()
    if found is not None:
        cache = FOREVER if _is_named_by_hash(found) else ASK_AGAIN
        return _served(repository, found, cache, path)
    if name.endswith(".xml.gz"):  # the metadata of a YUM generation before: its name is its hash
        old = files.filter(publication__in=recent, path=path)
        first = old.order_by("publication__serial").first()
        return _served(repository, first, FOREVER, path)
    paths = list(current.files.values_list("path", flat=True))
    if not repository.system.is_deb:
        paths += ["packages/"]
    return _folder(path, paths)


def _is_named_by_hash(file: IndexFile) -> bool:
    return file.blob.sha256 in file.path


def _packages(repositories: Iterable[Repository]) -> PackageQuerySet:
    """Packages that a publication of these repositories lists which clients may still read."""
    listing = Publication.objects.kept(timezone.now()).filter(
        repository=OuterRef("repository"),
        serial__gte=OuterRef("since_serial"),
        serial__lt=Coalesce(OuterRef("until_serial"), Value(NEVER)),
    )
    members = Membership.objects.filter(Exists(listing), repository__in=list(repositories))
    return Package.objects.filter(memberships__in=members).distinct()


def _next_parts(packages: PackageQuerySet, folder: str) -> Iterable[str]:
    """One path for each name in the folder, however many packages lie below it."""
    prefix = f"{folder.strip('/')}/"
    rest = Substr("path", Value(len(prefix) + 1))
    part = Func(rest, Value("[^/]+/?"), function="substring", output_field=TextField())
    below = packages.filter(path__startswith=prefix).order_by()
    return [prefix + name for name in below.values_list(part, flat=True).distinct()]


def _package(packages: PackageQuerySet, here: list[Repository], path: str) -> Served | None:
    package = packages.filter(path=path).select_related("file__blob").first()
    if package is None:
        return None
    file, name = package.file, path.rpartition("/")[2]
    carried = Carried(
        product=here[0].series.product,
        part=part_of(here[0]),
        path=f"{part_of(here[0])}/{root(here[0])}/{path}",
        blob=file.blob,
        repositories=tuple(here),
        package=package,
    )
    return Served(file.blob, name, package.signed_at or file.uploaded_at, FOREVER, carried)


def _served(
    repository: Repository, file: IndexFile | None, cache: str, inner: str
) -> Served | None:
    """An index; `inner` is its address below dists/<codename>/ or the YUM root. Mirrors may have
    it when that address names its content.
    """
    if file is None:
        return None
    name = file.path.rpartition("/")[2]
    served = Served(file.blob, name, file.publication.dated_at, cache)
    if cache != FOREVER:
        return served
    carried = Carried(
        product=repository.series.product,
        part=part_of(repository),
        path=f"{part_of(repository)}/{root(repository)}/{below(repository)}{inner}",
        blob=file.blob,
        publication=file.publication,
    )
    return replace(served, carried=carried)


def _folder(wanted: str, paths: Iterable[str]) -> Folder | None:
    """The next parts of the paths below `wanted`."""
    prefix = f"{wanted}/" if wanted else ""
    names = set()
    for path in paths:
        if path.startswith(prefix) and path != prefix:
            part, slash, _ = path[len(prefix) :].partition("/")
            names.add(part + slash)
        elif path == prefix:
            names.add("")
    return Folder(sorted(names - {""})) if names else None
