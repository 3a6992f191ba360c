"""From an address below /repo/ or /yum/ to the bytes behind it, through the current publication.

Nothing is copied or linked into a tree: an address is answered from rows, so the switch of one
pointer changes everything at once, and a draft has no address.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.conf import settings
from django.db.models import QuerySet

from releases.mirrors.carried import Carried
from releases.models import (
    Blob,
    IndexFile,
    Membership,
    Package,
    Part,
    Product,
    Publication,
    Repository,
)

FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "public, no-cache"


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
    parts += [name or series.name, system.family]
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


def _find(path: str, *, is_deb: bool) -> Found:
    """The file or folder at `path`, or nothing."""
    wanted = path.strip("/")
    repositories = [found for found in _candidates(wanted) if found.system.is_deb == is_deb]
    here = [found for found in repositories if f"{wanted}/".startswith(f"{root(found)}/")]
    if not here:
        return _folder(wanted, (f"{root(found)}/" for found in repositories))
    inner = wanted.removeprefix(root(here[0])).strip("/")
    find = _in_apt if is_deb else _in_yum
    return find(here, inner)


def _candidates(wanted: str) -> list[Repository]:
    """Live repositories of the product that the address names; without one, the default's."""
    live = Repository.objects.live().select_related("series__product", "current")
    first = wanted.split("/")[0]
    product = Product.objects.filter(slug=first).exclude(slug=settings.DEFAULT_PRODUCT).first()
    if product is not None:
        return list(live.filter(series__product=product))
    if not wanted:
        return list(live)
    return list(live.filter(series__product__slug=settings.DEFAULT_PRODUCT, series__name=first))


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
        return found or _folder(inner, packages.values_list("path", flat=True))
    return Folder(["dists/", "pool/"]) if not inner else None


def _in_yum(repositories: list[Repository], inner: str) -> Found:
    """Below <series>/<os>/<release>/<arch>/: repodata/ and packages/."""
    packages = _packages(repositories)
    if inner.startswith("packages"):
        found = _package(packages, repositories, inner)
        return found or _folder(inner, packages.values_list("path", flat=True))
    return _index_file(repositories[0], inner)


def _index_file(repository: Repository, path: str) -> Found:
    current = repository.current
    if current is None:
        return None
    folder, _, name = path.rpartition("/")
    recent = Publication.objects.recent().filter(repository=repository)
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
    """Packages that a publication of these repositories shows or has shown."""
    shown = Membership.objects.none()
    for repository in repositories:
        if repository.current is not None:
            shown = shown | Membership.objects.filter(
                repository=repository, since_serial__lte=repository.current.serial
            )
    return Package.objects.filter(memberships__in=shown).distinct()


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
