"""Advisories in the Open Source Vulnerability format, https://ossf.github.io/osv-schema/."""

from __future__ import annotations

from typing import Any, Final

from releases.advisories.facts import Facts, Range, stamp
from releases.advisories.severity import is_version_4

SCHEMA_VERSION: Final = "1.6.0"
UNREGISTERED: Final = "x_"


def name(identifier: str) -> str:
    """The identifier among all databases; x_ says that nobody registered its prefix with OSV."""
    return f"{UNREGISTERED}{identifier}"


def document(facts: Facts) -> dict[str, Any]:
    """One entry. A withdrawn advisory keeps its contents and says since when."""
    entry: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "id": name(facts.identifier),
        "modified": stamp(facts.modified),
        "published": stamp(facts.published),
        "aliases": list(facts.cve_ids),
        "summary": facts.summary,
        "details": facts.details,
        "severity": [
            {"type": "CVSS_V4" if is_version_4(facts.vector) else "CVSS_V3", "score": facts.vector}
        ],
        "affected": [_affected(facts, found) for found in facts.ranges],
        "references": [{"type": "ADVISORY", "url": facts.address}]
        + [{"type": "WEB", "url": url} for url in facts.references],
        "credits": [{"name": person} for person in facts.credits],
    }
    if facts.withdrawn:
        entry["withdrawn"] = stamp(facts.withdrawn)
        entry["database_specific"] = {"withdrawal": facts.withdrawal}
    return entry


def _affected(facts: Facts, found: Range) -> dict[str, Any]:
    """A series. No registry of packages knows the product, so there is no ecosystem to name."""
    return {
        "ranges": [{"type": "SEMVER", "events": events(found)}],
        "versions": list(found.affected),
        "database_specific": {
            "product": facts.product,
            "product_name": facts.product_name,
            "series": found.series,
        },
    }


def events(found: Range) -> list[dict[str, str]]:
    """From the first version (or the lowest that the series can have) to the fix or the newest."""
    events = [{"introduced": found.introduced or f"{found.series}.0-0"}]
    if found.fixed:
        events.append({"fixed": found.fixed})
    elif found.affected:
        events.append({"last_affected": found.affected[-1]})
    return events
