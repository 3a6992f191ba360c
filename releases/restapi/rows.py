"""What the answers are made of, in at most two queries each, newest first by number."""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from typing import Final, NamedTuple

from django.db.models import Q

from portal.lib.countries import COUNTRIES
from releases.models import File, Mirror, Product, Release
from releases.models.mirror import Part
from releases.models.release import ReleaseQuerySet
from releases.restapi import words

FILE_FIELDS: Final = (
    *("pk", "release_id", "name", "os", "cpu", "signature"),
    *("package__architecture", "blob__md5", "blob__sha1", "blob__sha256", "blob__sha512"),
)
NUMBER: Final = re.compile(r"[0-9]{1,18}")


NUMBER_FIELDS: Final = (
    "version",
    "maturity",
    "series__name",
    "series__eol_on",
    "series__product__kind",
)


class NumberRow(NamedTuple):
    """What a list of all releases says of one."""

    version: str
    maturity: str
    series: str
    eol_on: dt.date | None
    kind: str


class FileRow(NamedTuple):
    """A file as the database holds it, with the processor of its package."""

    pk: int
    release_id: int
    name: str
    os: str
    cpu: str
    signature: str
    architecture: str | None
    md5: str
    sha1: str
    sha256: str
    sha512: str

    @property
    def system(self) -> str | None:
        """Linux or Windows, and only where the processor is known: clients read both as text."""
        if self.processor is None:
            return None
        if self.os in words.SYSTEMS:
            return self.os
        return "Linux" if self.architecture is not None else None

    @property
    def processor(self) -> str | None:
        known = words.processor(self.cpu or self.architecture or "")
        return known or (None if self.architecture is None else words.NOARCH)

    def suits(self, os: str, cpu: str) -> bool:
        """Whether it is for this system and this processor; "" stands for every one."""
        system = "source" if self.os == "Source" else (self.system or "").lower()
        return os in ("", system) and cpu in ("", self.processor)

    @property
    def rank(self) -> tuple[bool, bool, str, str, int, str]:
        """Source first, then by system; debug symbols after everything else."""
        is_source = self.os == "Source"
        return (
            words.is_debug(self.name),
            not is_source,
            self.system or "~",
            self.processor or "",
            len(self.name) if is_source else 0,
            self.name,
        )


def releases_of(product: str, *, at: dt.datetime) -> ReleaseQuerySet:
    """What is published of a product, newest first."""
    published = Release.objects.published(at).filter(series__product__slug=product)
    return published.with_names().order_by("-ordering")


def offered(product: str, *, at: dt.datetime) -> ReleaseQuerySet:
    """The same without what was withdrawn: a script that takes the highest never gets that."""
    return releases_of(product, at=at).current(at)


def leads(product: str, *, at: dt.datetime) -> list[Release]:
    """The release of each series to take, the newest series first."""
    found = Release.objects.latest_at(at).filter(series__product__slug=product).with_names()
    return sorted(found, key=lambda lead: lead.series.ordering, reverse=True)


def numbers(product: str, *, at: dt.datetime) -> list[NumberRow]:
    """Every release that is offered, newest first."""
    found = offered(product, at=at).order_by("-series__ordering", "-ordering")
    return [NumberRow._make(values) for values in found.values_list(*NUMBER_FIELDS)]


def in_series(product: str, series: str, *, at: dt.datetime) -> list[Release]:
    """The releases of a series, the one to take first."""
    return lead_first(list(offered(product, at=at).filter(series__name=series)))


def named(product: str, name: str, *, at: dt.datetime) -> tuple[list[Release], list[Release]]:
    """The releases of the series of this name, and the one of this version.

    A withdrawn release is in no series here, and stays under its version for those who pin it.
    """
    wanted = Q(series__name=name) | Q(version=name)
    found = list(releases_of(product, at=at).filter(wanted))
    series = [each for each in found if each.series.name == name and not each.is_yanked(at)]
    return lead_first(series), [each for each in found if each.version == name]


def mirror(product: Product, slug: str, *, at: dt.datetime) -> Mirror | None:
    """The mirror `slug`, if it is healthy and carries the files of this product."""
    if not slug:
        return None
    return Mirror.objects.offered(at).carrying(product, Part.FILES).filter(slug=slug).first()


def file(product: str, version: str, name: str, *, at: dt.datetime) -> File | None:
    """A file of a published release, by its name or by its number."""
    published = releases_of(product, at=at).filter(version=version)
    files = (
        File.objects.downloadable()
        .filter(release__in=published)
        .select_related("blob", "release__series__product")
    )
    by_name = files.filter(name=name).first()
    if by_name is None and NUMBER.fullmatch(name):
        return files.filter(pk=int(name)).first()
    return by_name


def lead_first(releases: list[Release]) -> list[Release]:
    """Newest first, but a candidate never before the newest stable release of its series."""
    lead = next((found for found in releases if found.is_stable), None)
    if lead is None:
        return releases
    return [lead, *(found for found in releases if found is not lead)]


def files_of(releases: list[Release], *, os: str = "", cpu: str = "") -> dict[int, list[FileRow]]:
    """The downloadable files by release; debug symbols last. `os` and `cpu` leave out others."""
    found = File.objects.downloadable().filter(release__in=releases)
    files: dict[int, list[FileRow]] = defaultdict(list)
    for values in found.order_by().values_list(*FILE_FIELDS):
        files[values[1]].append(FileRow._make(values))
    for number, rows in files.items():
        rows.sort(key=lambda row: row.rank)
        files[number] = [row for row in rows if row.suits(os.lower(), cpu.lower())]
    return files


def mirrors(*, at: dt.datetime) -> dict[str, list[Mirror]]:
    """Those that files can be taken from, by the name of their country."""
    found: dict[str, list[Mirror]] = defaultdict(list)
    names = {code: str(name) for code, name in COUNTRIES}
    for each in Mirror.objects.offered(at).filter(parts__contains=[Part.FILES]).order_by("name"):
        found[names[each.country]].append(each)
    return dict(sorted(found.items()))
