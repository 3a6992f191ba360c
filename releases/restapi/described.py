"""The downloads REST API, for the one OpenAPI document."""

from __future__ import annotations

from functools import partial
from typing import Final

from portal.lib.openapi import TEXT, Paths, Schema, a, by_name, query, read
from releases.restapi import schemas

PRODUCT: Final = {"product": "exampledb"}
SERIES: Final = PRODUCT | {"series": "11.8"}
FILE: Final = PRODUCT | {"version": "11.8.9", "file": "exampledb-11.8.9.tar.gz"}
MIRROR: Final = query("mirror", "the short name of a mirror that files shall come from")
OLDER: Final = query("olderReleases", "true: of all series, not of supported ones alone")
SYSTEM: Final = query("os", "only files for this system", example="Linux")
PROCESSOR: Final = query("cpu", "only files for this processor", example="x86_64")
EITHER: Final[Schema] = {"anyOf": [schemas.OF_SERIES, schemas.ONE]}
NUMBERS: Final[Schema] = {"anyOf": [schemas.VERSIONS, schemas.VERSIONS_BY_SERIES]}
RELEASES: Final = {
    "major_releases": [
        {
            "release_id": "11.8",
            "release_name": "ExampleDB 11.8",
            "release_status": "Stable",
            "release_support_type": "Long Term Support",
            "release_eol_date": "2030-06-09",
        }
    ]
}
CHECKSUM: Final = {
    "response": {
        "checksum": {
            "md5sum": "900150983cd24fb0d6963f7d28e17f72",
            "sha1sum": "a9993e364706816aba3e25717850c26c9cd0d89d",
            "sha256sum": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "sha512sum": "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        }
    }
}

tell = partial(read, tag="downloads")

PATHS: Final[Paths] = {
    **tell("/rest-api/", "What can be asked for", answer=a(addresses=by_name(TEXT))),
    **tell("/rest-api/products/", "Products", answer=schemas.PRODUCTS),
    **tell("/rest-api/mirrors/", "Mirrors that have files, by country", answer=schemas.MIRRORS),
    **tell(
        "/rest-api/{product}/",
        "Series of a product, newest first",
        answer=schemas.SERIES,
        names=PRODUCT,
        example=RELEASES,
    ),
    **tell(
        "/rest-api/{product}/all-releases/",
        "Versions of a product",
        answer=NUMBERS,
        names=PRODUCT,
        queries=[OLDER],
    ),
    **tell(
        "/rest-api/{product}/{series}/",
        "Releases of a series, or one release of that exact version",
        answer=EITHER,
        names=SERIES,
        queries=[SYSTEM, PROCESSOR, MIRROR],
        text="`os` and `cpu` narrow the files of one version, not those of a series.",
    ),
    **tell(
        "/rest-api/{product}/{series}/latest/",
        "The release of a series to take today",
        answer=schemas.LATEST,
        names=SERIES,
        queries=[MIRROR],
    ),
    **tell(
        "/rest-api/{product}/{version}/{file}/checksum/",
        "Checksums of a file",
        answer=schemas.CHECKSUMS,
        names=FILE,
        example=CHECKSUM,
    ),
    **tell(
        "/rest-api/{product}/{version}/{file}/signature/",
        "The signature of a file; 404 until it is signed",
        answer=schemas.SIGNATURE,
        names=FILE,
    ),
}
