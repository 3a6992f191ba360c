"""The set-up script `repo_setup`: its body is script.sh, its tables come from what is published.

Pure. Every value is a word of our tables without blanks, but for the last of a line; all of them
stand in quoted here-documents.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

from releases.configurator.choice import address, tame
from releases.distributions import DISTRIBUTIONS, FAMILIES

BODY: Final = Path(__file__).with_name("script.sh")
MARK: Final = "#@tables@\n"
NOBODY_KNOWS: Final = "-"


@dataclass(frozen=True, slots=True)
class ProductRow:
    slug: str
    recommended: str
    package: str
    title: str


@dataclass(frozen=True, slots=True)
class NameRow:
    """A series, an alias or an exact version of a product."""

    product: str
    name: str
    kind: str
    maturity: str  # or "withdrawn"
    ends_on: date | None


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """Where a name is published: for one system, for these architectures."""

    product: str
    name: str
    system: str
    architectures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeyringRow:
    """The SHA-256 of the two files that hold all keys of a product, and their fingerprints."""

    product: str
    armored_sha256: str
    binary_sha256: str
    fingerprints: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tables:
    """Everything that is published."""

    site: str
    default_product: str
    products: tuple[ProductRow, ...]
    names: tuple[NameRow, ...]
    places: tuple[PlaceRow, ...]
    keyrings: tuple[KeyringRow, ...]


def render(tables: Tables, version: str) -> str:
    """The script. `version` is a day, perhaps with a number behind it."""
    top = (
        f"version='{_word(version)}'\n"
        f"site='{address(tables.site)}'\n"
        f"default_product='{_word(tables.default_product)}'\n"
    )
    parts = [
        _table("products", "product recommended package title", _products(tables)),
        _table("names", "product name kind maturity end", _names(tables)),
        _table("places", "product name system architectures", _places(tables)),
        _table("systems", "system family release codename tool end modules title", _systems()),
        _table("ids", "an ID of os-release, and its family", _ids()),
        _table("keyrings", "product, SHA-256 of .asc and .pgp, fingerprints", _keyrings(tables)),
    ]
    return BODY.read_text().replace(MARK, top + "".join(parts), 1)


def _table(name: str, columns: str, rows: Iterable[Iterable[str]]) -> str:
    lines = "".join(" ".join(row) + "\n" for row in rows)
    return f"\n{name}() {{ # {columns}\n    cat <<'END'\n{lines}END\n}}\n"


def _products(tables: Tables) -> Iterable[list[str]]:
    for row in tables.products:
        words = map(_word, (row.slug, row.recommended, row.package))
        yield [*words, tame(row.title)]


def _names(tables: Tables) -> Iterable[list[str]]:
    for row in tables.names:
        yield [*map(_word, (row.product, row.name, row.kind, row.maturity)), _day(row.ends_on)]


def _places(tables: Tables) -> Iterable[list[str]]:
    for row in tables.places:
        words = map(_word, (row.product, row.name, row.system))
        yield [*words, ",".join(map(_word, row.architectures))]


def _systems() -> Iterable[list[str]]:
    for system in DISTRIBUTIONS.values():
        yield [
            system.slug,
            system.family,
            system.release,
            system.codename or NOBODY_KNOWS,
            system.tool,
            _day(system.ends_on),
            "yes" if system.has_modules else "no",
            system.name,
        ]


def _ids() -> Iterable[list[str]]:
    for family, found in FAMILIES.items():
        for name in dict.fromkeys([family, *found.os_release_ids]):
            yield [name, family]


def _keyrings(tables: Tables) -> Iterable[list[str]]:
    for row in tables.keyrings:
        words = map(_word, (row.product, row.armored_sha256, row.binary_sha256))
        yield [*words, ",".join(map(_word, row.fingerprints))]


def _day(day: date | None) -> str:
    return day.isoformat() if day else NOBODY_KNOWS


def _word(text: str) -> str:
    """One word: what is no letter, digit or mark of names and versions is left out."""
    kept = "".join(char for char in text if char.isascii() and (char.isalnum() or char in "._+~-"))
    return kept or NOBODY_KNOWS
