"""Dates of support, mirrors, the generator and advisories, for the one OpenAPI document."""

from __future__ import annotations

from functools import partial
from typing import Final

from portal.lib.openapi import (
    ANYTHING,
    DATE,
    FLAG,
    MOMENT,
    NUMBER,
    TEXT,
    URL,
    Paths,
    a,
    by_name,
    many,
    maybe,
    query,
    read,
)

CYCLE: Final = a(
    cycle=TEXT,
    releaseDate=maybe(DATE),
    eol={"anyOf": [DATE, {"const": False}]},
    isEol=FLAG,
    latest=maybe(TEXT),
    latestReleaseDate=maybe(DATE),
    maturity=TEXT,
    support=TEXT,
    lts=FLAG,
    link=URL,
)
MIRROR: Final = a(
    mirror=TEXT,
    name=TEXT,
    operator=TEXT,
    country=TEXT,
    continent=TEXT,
    https=URL,
    rsync=TEXT,
    products=many(TEXT),
    carries=many(TEXT),
    weight=NUMBER,
    state=TEXT,
    health=TEXT,
    health_since=maybe(MOMENT),
    reason=TEXT,
    publications_behind=maybe(NUMBER),
    behind_since=maybe(MOMENT),
    probed_at=maybe(MOMENT),
)
PIECE: Final = a(kind=TEXT, path=TEXT, text=TEXT)
KEY: Final = a(name=TEXT, fingerprint=TEXT, armored=URL, binary=URL)
SYSTEM: Final = a(slug=TEXT, name=TEXT, eol_date=maybe(DATE))
TARGET: Final = a(
    name=TEXT,
    series=TEXT,
    installs=TEXT,
    maturity=TEXT,
    eol_date=maybe(DATE),
    is_ended=FLAG,
    is_withdrawn=FLAG,
)
OFFERED: Final = a(
    products=many(TEXT),
    series=many(TARGET),
    aliases=many(TARGET),
    versions=many(TARGET),
    distributions=many(SYSTEM),
    architectures=many(TEXT),
    mirrors=many(a(slug=TEXT, name=TEXT, country=TEXT)),
    formats=many(TEXT),
)
CONFIGURATION: Final = a(
    choice=by_name(TEXT),
    installs=TEXT,
    package=TEXT,
    maturity=TEXT,
    eol_date=maybe(DATE),
    is_ended=FLAG,
    is_withdrawn=FLAG,
    distribution=SYSTEM,
    address=URL,
    keyring=a(name=TEXT, armored=URL, binary=URL),
    keys=many(KEY),
    formats=by_name(many(PIECE)),
    offered=OFFERED,
)
CHOICES: Final = [
    query("product", "its short name", example="exampledb"),
    query("series", "a series, an alias such as `stable`, or an exact version", example="11.8"),
    query("distribution", "what the machine runs", example="debian-13"),
    query("arch", "its processor, as the distribution calls it", example="amd64"),
    query("mirror", "the short name of a mirror"),
]

tell = partial(read, tag="releases")


def _generator() -> Paths:
    """Asked for by `as=json`; of what is not published it tells what there is instead."""
    asked = query("as", "`json`; without it a page, or with `format` plain text", example="json")
    paths = tell(
        "/repositories/",
        "The configuration of a repository for one machine",
        answer=CONFIGURATION,
        queries=[asked, *CHOICES],
        text="Each of `formats` is a list of files to write and commands to run.",
    )
    answers = paths["/repositories/"]["get"]["responses"]
    others = {"text/html": {"schema": TEXT}, "text/plain": {"schema": TEXT}}
    answers["200"]["content"] |= others
    missing = a(missing=many(TEXT), nearest=by_name(TEXT), offered=ANYTHING)
    missing["required"] = ["missing", "offered"]
    answers["404"] = {
        "description": "Not published: what is missing, and what there is",
        "content": {"application/json": {"schema": missing}, **others},
    }
    return paths


PATHS: Final[Paths] = {
    **_generator(),
    **tell("/releases/endoflife.json", "Products that have dates of support", answer=many(TEXT)),
    **tell(
        "/releases/{product}/endoflife.json",
        "Series of a product with their dates",
        answer=many(CYCLE),
        names={"product": "exampledb"},
        text="In the words of the first API of endoflife.date.",
    ),
    **tell(
        "/mirrors/status.json",
        "Mirrors and how they are",
        answer=a(at=MOMENT, mirrors=many(MIRROR)),
        has_etag=False,
    ),
    **tell(
        "/advisories/osv/all.json",
        "All advisories, as OSV",
        answer=many(ANYTHING),
        text="Each in the [schema of OSV](https://ossf.github.io/osv-schema/).",
    ),
    **tell(
        "/advisories/osv/{identifier}.json",
        "One advisory, as OSV",
        answer=ANYTHING,
        names={"identifier": "EXAMPLEDB-2026-0002"},
    ),
}
