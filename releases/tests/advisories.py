"""Advisories that tests start from: a fault of ExampleDB 12.3 from 12.3.1, fixed in 12.3.10."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

from django.utils import timezone
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from portal.accounts.models import User
from portal.members.actions.organisation import Profile, register_organisation
from portal.members.actions.term import begin_term
from portal.members.models import Organisation
from portal.payments.actions.order import place_order
from releases.actions.advisory import Span, Statement, draft_advisory, publish_advisory
from releases.actions.early_notice import send_early_notice
from releases.advisories import csaf
from releases.models import Advisory, Product, Release
from releases.tests import factory
from tests.supporters import GOLD, make_tier

SCHEMAS = Path(__file__).resolve().parents[2] / "tests" / "schemas"
LISTS = [
    "/advisories/",
    "/advisories/feed.atom",
    "/advisories/osv/all.json",
    "/advisories/osv/all.zip",
    "/advisories/csaf/",
    "/advisories/csaf/index.txt",
    "/advisories/csaf/changes.csv",
    "/advisories/csaf/csaf-feed-tlp-white.json",
    "/.well-known/csaf/provider-metadata.json",
    "/sitemap.xml",
    "/search/?q=collation",
    "/api/v1/search?q=collation",
]


def releases(*, actor: User, at: dt.datetime) -> None:
    """12.3.0, 12.3.1, 12.3.2 and 12.3.10, published."""
    for version in ("12.3.10", "12.3.0", "12.3.1", "12.3.2"):
        if not Release.objects.filter(version=version).exists():
            factory.make_draft(version, "stable")
    Release.objects.filter(published_at=None).update(published_at=at - dt.timedelta(days=1))


def statement(**changes: Any) -> Statement:
    """What the advisory says; `introduced` changes its first version."""
    fixed = Release.objects.with_names().get(version="12.3.10")
    introduced = changes.pop("introduced", "12.3.1")
    said: dict[str, Any] = {
        "summary": "A crafted collation name can stop the server.",
        "details": "A user who may create tables can **stop** it. Revoke `CREATE` meanwhile.",
        "vector": "CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:H",
        "cve_ids": ["CVE-2026-12345"],
        "references": ["https://issues.example.org/EX-1"],
        "credits": ["Grace Okafor"],
        "spans": [Span(fixed.series, introduced, fixed)],
    }
    return Statement(**(said | changes))


def draft(*, actor: User, at: dt.datetime, **changes: Any) -> Advisory:
    releases(actor=actor, at=at)
    product = Product.objects.get(slug="exampledb")
    return draft_advisory(actor=actor, product=product, statement=statement(**changes), at=at)


def published(*, actor: User, at: dt.datetime, **changes: Any) -> Advisory:
    advisory = draft(actor=actor, at=at, **changes)
    return publish_advisory(actor=actor, advisory=advisory, at=at)


def paths(advisory: Advisory) -> list[str]:
    """Every address that tells of this advisory alone."""
    name = csaf.file_name(advisory.identifier)
    year = advisory.created_at.year
    return [
        f"/advisories/csaf/{year}/",
        f"/advisories/{advisory.identifier}/",
        f"/advisories/osv/{advisory.identifier}.json",
        f"/advisories/csaf/{year}/{name}",
        f"/advisories/csaf/{year}/{name}.sha256",
        f"/advisories/csaf/{year}/{name}.sha512",
    ]


def entitle(name: str = "Acme", *, early_notices: bool = True) -> Organisation:
    """An organisation in a paid term whose tier gives early notices."""
    now = timezone.now()
    profile = Profile(name=name, legal_name=f"{name} GmbH", country="DE")
    organisation = register_organisation(actor=None, profile=profile)
    tier = make_tier(slug=f"tier-{organisation.pk}", early_notices=early_notices)
    order = place_order(
        actor=None,
        description="A year",
        amount=GOLD,
        billing_name=name,
        billing_email="billing@example.org",
    )
    begin_term(organisation=organisation, tier=tier, order=order, starts_at=now)
    return organisation


def told(*, actor: User, owner: User) -> str:
    """An embargoed advisory that the owner of acme was told of; the path of its early page."""
    entitle()
    now = timezone.now()
    advisory = draft(actor=actor, at=now)
    later = now + dt.timedelta(days=7)
    publish_advisory(actor=actor, advisory=advisory, at=now, public_from=later)
    sent = send_early_notice(actor=actor, advisory=advisory, at=now)
    assert owner in {notice.user for notice in sent}
    return f"/advisories/early/{advisory.identifier}/"


def _schema(name: str) -> Any:
    return json.loads((SCHEMAS / name).read_text())


ADDRESSES = {
    "https://www.first.org/cvss/cvss-v2.0.json": {},
    "https://www.first.org/cvss/cvss-v3.0.json": _schema("cvss-v3.0.json"),
    "https://www.first.org/cvss/cvss-v3.1.json": _schema("cvss-v3.1.json"),
    "https://docs.oasis-open.org/csaf/csaf/v2.0/csaf_json_schema.json": _schema(
        "csaf_json_schema.json"
    ),
}


def validate(document: Any, name: str) -> None:
    """Against a schema of `tests/schemas`, with the ones that it refers to."""
    registry: Registry[Any] = Registry().with_resources(
        (address, DRAFT202012.create_resource(schema)) for address, schema in ADDRESSES.items()
    )
    Draft202012Validator(_schema(name), registry=registry).validate(document)
