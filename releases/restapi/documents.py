"""The answers as dicts whose order is that of the page. Nothing here asks the database."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final
from urllib.parse import quote, urlencode

from django.conf import settings

from releases.models import Blob, Mirror, Product, Release
from releases.restapi.rows import FileRow, NumberRow
from releases.restapi.words import STATUS, SUPPORT, package_type

Document = dict[str, Any]


ADDRESSES: Final = {
    "products": "products/",
    "series of a product": "{product}/",
    "releases of a series": "{product}/{series}/",
    "latest release of a series": "{product}/{series}/latest/",
    "one release": "{product}/{version}/?os={os}&cpu={cpu}&mirror={mirror}",
    "file": "{product}/{version}/{file}",
    "checksums of a file": "{product}/{version}/{file}/checksum/",
    "signature of a file": "{product}/{version}/{file}/signature/",
    "versions of a product": "{product}/all-releases/?olderReleases={true|false}",
    "mirrors": "mirrors/",
}


def overview() -> Document:
    """Every address, with names in braces where something is to be put."""
    root = f"{settings.BASE_URL}/rest-api/"
    return {"addresses": {name: root + path for name, path in ADDRESSES.items()}}


def products(found: Iterable[Product]) -> Document:
    return {
        "products_list": [
            {
                "product_id": product.slug,
                "name": product.name,
                "description": product.description,
                "license": product.license,
            }
            for product in found
        ]
    }


def major_releases(leads: Iterable[Release], *, today: dt.date) -> Document:
    return {"major_releases": [_major(lead, today) for lead in leads]}


def _major(lead: Release, today: dt.date) -> Document:
    series = lead.series
    return {
        "release_id": series.name,
        "release_name": f"{series.product.name} {series.name}",
        "release_status": series_status(lead, today=today),
        "release_support_type": SUPPORT[series.support],
        "release_eol_date": series.eol_on.isoformat() if series.eol_on else None,
    }


def series_status(lead: Release, *, today: dt.date) -> str:
    """The maturity of the release that comes first; "Old Stable" after the end of support."""
    if lead.is_stable and lead.series.is_ended(today):
        return STATUS["old-stable"]
    return STATUS[lead.maturity]


def mirrors(by_country: Mapping[str, Iterable[Mirror]]) -> Document:
    return {
        "mirror_list": {
            country: [{"mirror_id": found.slug, "mirror_name": found.name} for found in mirrors]
            for country, mirrors in by_country.items()
        }
    }


def releases(
    found: Iterable[Release], files: dict[int, list[FileRow]], *, mirror: str = ""
) -> Document:
    """The body of `releases` and `release_data`, keyed by version."""
    return {each.version: release(each, files.get(each.pk, []), mirror=mirror) for each in found}


def release(found: Release, files: Sequence[FileRow], *, mirror: str = "") -> Document:
    page = f"{settings.BASE_URL}{found.get_absolute_url()}"
    folder = f"{folder_of(found.series.product.slug)}{quote(found.version)}/"
    source = next((row.pk for row in files if is_source(row)), None)
    return {
        "release_id": found.version,
        "release_name": str(found),
        "date_of_release": found.published_at.date().isoformat() if found.published_at else "",
        "release_notes_url": page,
        "change_log": f"{page}#changelog",
        "files": [
            file(row, folder, system="Source" if row.pk == source else row.system, mirror=mirror)
            for row in files
        ],
    }


def file(row: FileRow, folder: str, *, system: str | None, mirror: str = "") -> Document:
    address = folder + quote(row.name)
    return {
        "file_id": row.pk,
        "file_name": row.name,
        "package_type": package_type(row.name),
        "os": system,
        "cpu": row.processor,
        "checksum": checksums(row),
        "signature": row.signature or None,
        "checksum_url": f"{address}/checksum/",
        "signature_url": f"{address}/signature/",
        "file_download_url": address + (f"?{urlencode({'mirror': mirror})}" if mirror else ""),
    }


def checksums(row: FileRow | Blob) -> Document:
    return {
        "md5sum": row.md5,
        "sha1sum": row.sha1,
        "sha256sum": row.sha256,
        "sha512sum": row.sha512,
    }


def is_source(row: FileRow) -> bool:
    """A source archive; only the first of a release is called so."""
    return row.os == "Source" and row.name.endswith(".tar.gz")


def folder_of(product: str) -> str:
    return f"{settings.BASE_URL}/rest-api/{product}/"


def all_releases(found: Iterable[NumberRow]) -> Document:
    """A list of all, newest first."""
    return {"releases": [_child(each) for each in found]}


def grouped_releases(found: Iterable[NumberRow]) -> Document:
    """The same by series, as connectors answer when older releases are asked for."""
    return {
        "releases": {
            series: {"children": [_child(each) for each in children]}
            for series, children in groupby(found, key=lambda each: each.series)
        }
    }


def _child(found: NumberRow) -> Document:
    return {
        "id": found.version,
        "release_number": found.version,
        "status": STATUS[found.maturity].lower(),
    }
