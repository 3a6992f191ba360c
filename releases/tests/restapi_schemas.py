"""The shapes of the answers of /rest-api/ as JSON schemas: names, types, what may be null."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]


def a(**fields: Schema) -> Schema:
    """An object of exactly these fields."""
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def many(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def keyed(key: str, value: Schema) -> Schema:
    """An object whose keys are versions or names."""
    return {
        "type": "object",
        "propertyNames": {"pattern": key},
        "additionalProperties": value,
        "minProperties": 1,
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
    package_type={"enum": ["gzipped tar file", "MSI Package", "ZIP file", None]},
    os={"enum": ["Linux", "Windows", "Source", None]},
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
    release_status={"enum": STATUSES},
    release_support_type={"enum": ["Long Term Support", "Short Term Support", "Rolling"]},
    release_eol_date={"anyOf": [DATE, {"type": "null"}]},
)
CHILD = a(id=NUMBER, release_number=NUMBER, status={"enum": [word.lower() for word in STATUSES]})
PRODUCT = a(product_id=TEXT, name=TEXT, description=TEXT, license=TEXT)

ROOT = "/rest-api/exampledb"
BY_PATH: dict[str, Schema] = {
    "/rest-api/mirrors/": a(mirror_list=keyed("", many(a(mirror_id=TEXT, mirror_name=TEXT)))),
    "/rest-api/products/": a(products_list=many(PRODUCT)),
    f"{ROOT}/": a(major_releases=many(MAJOR)),
    f"{ROOT}/11.8/": a(releases=keyed(VERSION, RELEASE)),
    f"{ROOT}/11.8/latest/": a(
        releases=keyed(VERSION, RELEASE),
        major_release_id=NUMBER,
        major_release_status={"enum": STATUSES},
    ),
    f"{ROOT}/11.8.9/": a(release_data=keyed(VERSION, RELEASE)),
    f"{ROOT}/all-releases/": a(releases=many(CHILD)),
    "/rest-api/exampledb-connector-c/all-releases/?olderReleases=true": a(
        releases=keyed(VERSION, a(children=many(CHILD)))
    ),
    f"{ROOT}/11.8.9/exampledb-11.8.9.tar.gz/checksum/": a(response=a(checksum=CHECKSUM)),
    f"{ROOT}/11.8.9/exampledb-11.8.9.tar.gz/signature/": a(response=a(signature=TEXT)),
}
