"""Connectors in the release catalogue: a connector is a product, its versions are releases.

A subject is found by the address of its product, however it is punctuated; `connectors.json` keeps
the other names under which tools know it.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

from django.urls import reverse

from releases.models import Release


@dataclass(frozen=True, slots=True)
class Catalogued:
    """Where the catalogue has a connector, and this version of it; empty where it has none."""

    product: str = ""
    product_url: str = ""
    release_url: str = ""


def product_slug(subject: str) -> str:
    """The address that the product of this subject has, if there is one.

    >>> product_slug("ExampleDB Connector/C")
    'exampledb-connector-c'
    >>> product_slug("mariadb-java-client")
    'mariadb-connector-j'
    """
    name = _plain(subject)
    return _other_names().get(name, name)


def catalogued(
    subjects: Iterable[tuple[str, str]], *, at: datetime
) -> Mapping[tuple[str, str], Catalogued]:
    """Each of these (subject, version) that a published release stands for; one query."""
    slugs = {pair: product_slug(pair[0]) for pair in set(subjects)}
    known: dict[str, dict[str, str]] = defaultdict(dict)
    rows = Release.objects.published(at).filter(series__product__slug__in=set(slugs.values()))
    for slug, name, version in rows.values_list(
        "series__product__slug", "series__product__name", "version"
    ):
        known[slug][version] = name
    return {
        pair: _found(slug, pair[1], known[slug]) for pair, slug in slugs.items() if slug in known
    }


def _found(slug: str, version: str, versions: Mapping[str, str]) -> Catalogued:
    release = reverse("releases:release", args=[slug, version]) if version in versions else ""
    name = next(iter(versions.values()))
    return Catalogued(name, reverse("releases:product", args=[slug]), release)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9+]+", "-", name.lower()).strip("-")


@cache
def _other_names() -> Mapping[str, str]:
    entries = json.loads((Path(__file__).parent / "connectors.json").read_text())
    return {_plain(name): slug for slug, names in entries.items() for name in names}
