"""What the OSV format asks of an entry (https://ossf.github.io/osv-schema/), as a JSON schema."""

from __future__ import annotations

from typing import Any

TEXT = {"type": "string", "minLength": 1}
TIME = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$"}
VERSION = {"type": "string", "pattern": r"^(0|[0-9]+\.[0-9]+\.[0-9]+(-[0-9a-z.]+)?)$"}


def _only(name: str) -> dict[str, Any]:
    return {
        "properties": {name: VERSION},
        "required": [name],
        "additionalProperties": False,
    }


RANGE = {
    "type": "object",
    "properties": {
        "type": {"enum": ["SEMVER"]},
        "events": {
            "type": "array",
            "minItems": 1,
            "items": {"oneOf": [_only("introduced"), _only("fixed"), _only("last_affected")]},
            "contains": {"required": ["introduced"]},
        },
    },
    "required": ["type", "events"],
    "additionalProperties": False,
}
ENTRY: dict[str, Any] = {
    "type": "object",
    "properties": {
        "schema_version": {"type": "string", "pattern": r"^1\.\d+\.\d+$"},
        "id": TEXT,
        "modified": TIME,
        "published": TIME,
        "withdrawn": TIME,
        "aliases": {"type": "array", "items": {"type": "string", "pattern": r"^CVE-\d{4}-\d+$"}},
        "summary": {"type": "string", "maxLength": 200},
        "details": TEXT,
        "severity": {
            "type": "array",
            "items": {
                "oneOf": [
                    {
                        "properties": {
                            "type": {"const": f"CVSS_V{major}"},
                            "score": {"type": "string", "pattern": rf"^CVSS:{major}\."},
                        },
                        "required": ["type", "score"],
                        "additionalProperties": False,
                    }
                    for major in (3, 4)
                ]
            },
        },
        "affected": {
            "type": "array",
            "items": {
                "properties": {
                    "ranges": {"type": "array", "items": RANGE},
                    "versions": {"type": "array", "items": VERSION},
                    "database_specific": {"type": "object"},
                },
                "required": ["ranges", "versions"],
                "additionalProperties": False,
            },
        },
        "references": {
            "type": "array",
            "items": {
                "properties": {
                    "type": {"enum": ["ADVISORY", "WEB"]},
                    "url": {"type": "string", "pattern": "^https?://"},
                },
                "required": ["type", "url"],
                "additionalProperties": False,
            },
        },
        "credits": {"type": "array", "items": {"required": ["name"]}},
        "database_specific": {"type": "object"},
    },
    "required": ["schema_version", "id", "modified", "published", "affected"],
    "additionalProperties": False,
}
