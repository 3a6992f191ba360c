"""The files of a release as its page lists them: a light row for each, a hundred on a page."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple
from urllib.parse import quote

from django.core.paginator import Page, Paginator
from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet

from releases.models import File

PAGE: Final = 100
LONGEST: Final = 60
SYSTEMS: Final = ("Source", "Linux", "Windows", "macOS", "")
FIELDS: Final = (
    *("name", "os", "cpu", "blob__size", "blob__sha256", "is_signed"),
    *("package__format", "package__signed_at"),
)
LABELS: Final = dict(File.System.choices)


class Row(NamedTuple):
    """One file."""

    name: str
    os: str
    cpu: str
    size: int
    sha256: str
    is_signed: bool
    format: str | None  # of its package
    package_signed_at: dt.datetime | None

    @property
    def address(self) -> str:
        """Below the address of its release; those of checksums begin with it."""
        return quote(self.name)

    @property
    def system(self) -> str:
        return str(LABELS[self.os])

    @property
    def changes_yet(self) -> bool:
        """An rpm gets other bytes when it is signed."""
        return self.format == "rpm" and self.package_signed_at is None


@dataclass(frozen=True)
class FileList:
    """All files, and those that are asked for."""

    rows: list[Row]
    page: Page[Row]
    name: str
    system: str

    @property
    def size(self) -> int:
        return sum(row.size for row in self.rows)

    @property
    def is_long(self) -> bool:
        return len(self.rows) > PAGE

    @property
    def is_filtered(self) -> bool:
        return bool(self.name or self.system)

    @property
    def systems(self) -> list[tuple[str, str]]:
        """What can be asked for; a file for any system has no word in the address."""
        found = {row.os for row in self.rows} - {""}
        return [(slug, str(LABELS[slug])) for slug in SYSTEMS if slug in found]

    @property
    def signed(self) -> Row | None:
        """One to show how to verify."""
        return next((row for row in self.rows if row.is_signed), None)


def file_list(files: QuerySet[File], query: Mapping[str, str]) -> FileList:
    """One query. A wish of `query` that nothing fits shows nothing, and says so."""
    is_signed = ExpressionWrapper(~Q(signature=""), output_field=BooleanField())
    found = files.annotate(is_signed=is_signed).order_by().values_list(*FIELDS)
    rows = sorted(
        (Row._make(values) for values in found),
        key=lambda row: (SYSTEMS.index(row.os), row.cpu, row.name),
    )
    name, system = query.get("file", "").strip()[:LONGEST], query.get("system", "")[:LONGEST]
    fitting = [row for row in rows if name.lower() in row.name.lower() and system in ("", row.os)]
    return FileList(rows, Paginator(fitting, PAGE).get_page(query.get("page")), name, system)
