"""The shapes of the answers of /rest-api/ as JSON schemas: names, types, what may be null."""

from __future__ import annotations

from portal.lib.openapi import Schema, a, many, maybe, one_of


def keyed(key: str, value: Schema, *, at_least: int = 1) -> Schema:
    """An object whose keys are versions or names."""
    return {
        "type": "object",
        "propertyNames": {"pattern": key},
        "additionalProperties": value,
        "minProperties": at_least,
    }


def digest(length: int) -> Schema:
    return {"type": "string", "pattern": f"^[0-9a-f]{{{length}}}$"}


VERSION = r"^[0-9]+(\.[0-9]+)+(-[a-z]+[0-9]*)?$"
TEXT: Schema = {"type": "string", "minLength": 1}
URL: Schema = {"type": "string", "pattern": "^https?://"}
DATE: Schema = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\d$"}
NUMBER: Schema = {"type": "string", "pattern": VERSION}
CHECKSUM = a(md5sum=digest(32), sha1sum=digest(40), sha256sum=digest(64), sha512sum=digest(128))
FILE = a(
    file_id={"type": "integer"},
    file_name=TEXT,
    package_type=one_of("gzipped tar file", "MSI Package", "ZIP file", None),
    os=one_of("Linux", "Windows", "Source", None),
    cpu={"type": ["string", "null"], "minLength": 1},
    checksum=CHECKSUM,
    signature={"type": ["string", "null"], "minLength": 1},
    checksum_url=URL,
    signature_url=URL,
    file_download_url=URL,
)
RELEASE = a(
    release_id=NUMBER,
    release_name=TEXT,
    date_of_release=DATE,
    release_notes_url=URL,
    change_log=TEXT,
    files=many(FILE),
)
STATUSES = ["Preview", "Alpha", "Beta", "Gamma", "RC", "Stable", "Old Stable"]
MAJOR = a(
    release_id=NUMBER,
    release_name=TEXT,
    release_status=one_of(*STATUSES),
    release_support_type=one_of("Long Term Support", "Short Term Support", "Rolling"),
    release_eol_date=maybe(DATE),
)
CHILD = a(id=NUMBER, release_number=NUMBER, status=one_of(*(word.lower() for word in STATUSES)))
PRODUCT = a(product_id=TEXT, name=TEXT, description={"type": "string"}, license={"type": "string"})
MIRROR = a(mirror_id=TEXT, mirror_name=TEXT)

MIRRORS = a(mirror_list=keyed("", many(MIRROR), at_least=0))
PRODUCTS = a(products_list=many(PRODUCT))
SERIES = a(major_releases=many(MAJOR))
OF_SERIES = a(releases=keyed(VERSION, RELEASE))
ONE = a(release_data=keyed(VERSION, RELEASE))
LATEST = a(
    releases=keyed(VERSION, RELEASE),
    major_release_id=NUMBER,
    major_release_status=one_of(*STATUSES),
)
VERSIONS = a(releases=many(CHILD))
VERSIONS_BY_SERIES = a(releases=keyed(VERSION, a(children=many(CHILD))))
CHECKSUMS = a(response=a(checksum=CHECKSUM))
SIGNATURE = a(response=a(signature=TEXT))
