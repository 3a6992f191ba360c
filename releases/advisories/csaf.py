"""Advisories in the Common Security Advisory Framework 2.0, profile "Security Advisory".

https://docs.oasis-open.org/csaf/csaf/v2.0/csaf-v2.0.html. CSAF 2.0 has no place for CVSS 4, so such
a vector is told in a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from releases.advisories.facts import Facts, Publisher, Range, stamp
from releases.advisories.severity import is_version_4
from releases.advisories.tracking import CATEGORY, VERSION

Document = dict[str, Any]
LABELS: Final = {
    "critical": "CRITICAL",
    "high": "HIGH",
    "medium": "MEDIUM",
    "low": "LOW",
    "none": "NONE",
}
OTHERS: Final = re.compile(r"[^-+a-z0-9]+")
PUBLIC: Final = {"tlp": {"label": "WHITE", "url": "https://www.first.org/tlp/v1/"}}


def file_name(identifier: str) -> str:
    """The name that the standard derives from the identifier."""
    return OTHERS.sub("_", identifier.lower()) + ".json"


def document(facts: Facts, publisher: Publisher) -> Document:
    """The advisory, withdrawn or not."""
    return {
        "document": _head(facts, publisher),
        "product_tree": {"branches": [_vendor(facts, publisher)]},
        "vulnerabilities": [_vulnerability(facts, cve) for cve in facts.cve_ids or [""]],
    }


def _head(facts: Facts, publisher: Publisher) -> Document:
    notes = [{"category": "summary", "text": facts.summary}]
    if facts.withdrawn:
        notes.append({"category": "general", "title": "Withdrawn", "text": facts.withdrawal})
    history = [
        {"number": str(found.number), "date": stamp(found.at), "summary": found.summary}
        for found in facts.revisions
    ]
    return {
        "category": CATEGORY,
        "csaf_version": VERSION,
        "distribution": PUBLIC,
        "lang": "en",
        "title": title(facts.product_name, facts.summary),
        "aggregate_severity": {"text": facts.severity.capitalize()},
        "publisher": _publisher(publisher),
        "notes": notes,
        "references": [
            {"category": "self", "summary": "This advisory", "url": _self(facts, publisher)},
            {"category": "external", "summary": "Its page", "url": facts.address},
        ],
        "tracking": {
            "id": facts.identifier,
            "status": "final",
            "version": history[-1]["number"],
            "initial_release_date": stamp(facts.published),
            "current_release_date": history[-1]["date"],
            "revision_history": history,
        },
    }


def title(product_name: str, summary: str) -> str:
    return f"{product_name}: {summary}"


def address(identifier: str, year: int, publisher: Publisher) -> str:
    return f"{publisher.namespace}/advisories/csaf/{year}/{file_name(identifier)}"


def _self(facts: Facts, publisher: Publisher) -> str:
    return address(facts.identifier, facts.published.year, publisher)


def _publisher(publisher: Publisher) -> Document:
    return {
        "category": "vendor",
        "name": publisher.name,
        "namespace": publisher.namespace,
        "contact_details": publisher.contact,
    }


def _vendor(facts: Facts, publisher: Publisher) -> Document:
    versions = dict.fromkeys(version for found in facts.ranges for version in _versions(found))
    return {
        "category": "vendor",
        "name": publisher.name,
        "branches": [
            {
                "category": "product_name",
                "name": facts.product_name,
                "branches": [_version(facts, version) for version in versions],
            }
        ],
    }


def _versions(found: Range) -> list[str]:
    return [*found.affected, *([found.fixed] if found.fixed else [])]


def _version(facts: Facts, version: str) -> Document:
    return {
        "category": "product_version",
        "name": version,
        "product": {
            "name": f"{facts.product_name} {version}",
            "product_id": _product_id(facts, version),
        },
    }


def _product_id(facts: Facts, version: str) -> str:
    return f"{facts.product}-{version}"


def _vulnerability(facts: Facts, cve: str) -> Document:
    affected = [_product_id(facts, version) for found in facts.ranges for version in found.affected]
    fixed = [_product_id(facts, found.fixed) for found in facts.ranges if found.fixed]
    result: Document = {
        "title": facts.summary,
        "notes": [{"category": "description", "text": facts.details}],
        "product_status": _filled({"known_affected": affected, "fixed": fixed}),
    }
    if cve:
        result["cve"] = cve
    else:
        result["ids"] = [{"system_name": "Advisory", "text": facts.identifier}]
    if is_version_4(facts.vector):
        result["notes"].append({"category": "details", "title": "CVSS", "text": facts.vector})
    elif affected:
        result["scores"] = [{"products": affected, "cvss_v3": _cvss(facts)}]
    if affected:
        result["remediations"] = list(_remediations(facts))
    if facts.credits:
        result["acknowledgments"] = [{"names": list(facts.credits)}]
    if facts.references:
        result["references"] = [{"summary": url, "url": url} for url in facts.references]
    return result


def _cvss(facts: Facts) -> Document:
    return {
        "version": facts.vector[5:8],
        "vectorString": facts.vector,
        "baseScore": float(facts.score),
        "baseSeverity": LABELS[facts.severity],
    }


def _remediations(facts: Facts) -> Iterable[Document]:
    """What to do: for each series with a fix the release to take, else to wait."""
    for found in facts.ranges:
        ids = [_product_id(facts, version) for version in found.affected]
        if ids and found.install:
            text = f"Install {facts.product_name} {found.install} or a later release."
            yield {"category": "vendor_fix", "details": text, "product_ids": ids}
        elif ids:
            text = f"There is no release of {found.series} with a fix yet."
            if found.fixed:
                text = f"{found.fixed} has the fix and was withdrawn: wait for a later release."
            yield {"category": "none_available", "details": text, "product_ids": ids}


def _filled(lists: dict[str, list[str]]) -> Document:
    return {name: found for name, found in lists.items() if found}


def provider(
    publisher: Publisher,
    updated: str,
    keys: Sequence[tuple[str, str]] = (),
    others: Sequence[Document] = (),
) -> Document:
    """provider-metadata.json: who publishes here, and where the documents lie: in the folder, and
    by `others`. `keys` are the fingerprints and addresses of those that sign them; with one the
    provider is a trusted one.
    """
    root = publisher.namespace
    found: Document = {
        "canonical_url": f"{root}/.well-known/csaf/provider-metadata.json",
        "distributions": [{"directory_url": f"{root}/advisories/csaf/"}, *others],
        "last_updated": updated,
        "list_on_CSAF_aggregators": True,
        "metadata_version": "2.0",
        "mirror_on_CSAF_aggregators": True,
        "publisher": _publisher(publisher),
        "role": "csaf_trusted_provider" if keys else "csaf_provider",
    }
    if keys:
        found["public_openpgp_keys"] = [
            {"fingerprint": fingerprint, "url": url} for fingerprint, url in keys
        ]
    return found
