"""What can be found, kind by kind. Each asks the question that the pages of the domain ask of
what everybody may read; nothing else decides here who sees what.
"""

from __future__ import annotations

from typing import Final

from django.contrib.auth.models import AnonymousUser

from benchmarks.models import Suite
from governance.models import Election, Meeting, Motion
from portal.members.models import Contributor, Organisation
from portal.news.models import Announcement
from portal.search.arms import Arm
from releases.models import Advisory, Release

NOBODY: Final = AnonymousUser()
# Of a motion with passages out of public sight the title alone counts, and is all that is shown.
BLACK: Final = "EXISTS (SELECT FROM governance_redaction AS black WHERE black.motion_id = it.id)"
TITLE: Final = "to_tsvector(%(config)s::regconfig, it.title)"
NUMBER: Final = "it.year || '-' || to_char(it.number, 'FM9900')"

ARMS: Final[dict[str, Arm]] = {
    "releases": Arm(
        visible=Release.objects.published,
        source="releases_release AS it"
        " JOIN releases_series AS series ON series.id = it.series_id"
        " JOIN releases_product AS product ON product.id = series.product_id",
        key="product.slug || '/' || it.version",
        title="product.name || ' ' || it.version",
        text="it.summary || E'\\n' || it.notes || E'\\n' || it.changelog",
        on="it.published_at",
        full=("version", "summary", "notes", "changelog"),
        short=("it.version", "it.summary"),
        named="product.name || ' ' || product.slug || ' ' || it.version",
    ),
    "news": Arm(
        visible=Announcement.objects.published,
        source="news_announcement AS it",
        key="it.slug",
        title="it.title",
        text="it.summary || E'\\n' || it.body",
        on="it.published_at",
        full=("title", "summary", "body"),
        short=("it.title", "it.summary"),
    ),
    "decisions": Arm(
        visible=lambda _at: Motion.objects.public(),
        source="governance_motion AS it",
        key="it.slug",
        title=f"CASE WHEN it.number IS NULL THEN it.title ELSE {NUMBER} || ' ' || it.title END",
        text=f"CASE WHEN {BLACK} THEN '' ELSE it.summary || E'\\n' || it.text END",
        on="COALESCE(it.decided_at, it.withdrawn_at, it.lapsed_at, it.opened_at, it.discussed_at)",
        full=("title", "summary", "text"),
        short=("it.title", f"CASE WHEN {BLACK} THEN '' ELSE it.summary END"),
        named=NUMBER,
        and_only=f"(NOT {BLACK} OR {TITLE} @@ websearch_to_tsquery(%(config)s::regconfig, %(text)s)"
        f" OR {NUMBER} ~* ALL (%(patterns)s::text[]))",
    ),
    "advisories": Arm(
        visible=Advisory.objects.published,
        source="releases_advisory AS it",
        key="it.identifier",
        title="it.identifier || ': ' || it.summary",
        text="it.details",
        on="it.published_at",
        full=("identifier", "summary", "details"),
        short=("it.summary",),
        named="it.identifier || ' ' || array_to_string(it.cve_ids, ' ')",
    ),
    "supporters": Arm(
        visible=Organisation.objects.supported,
        source="members_organisation AS it",
        key="it.slug",
        title="it.name",
        text="it.website",
        on="NULL",
        named="it.name",
    ),
    "contributors": Arm(
        visible=Contributor.objects.listed,
        source="members_contributor AS it",
        key="it.name",
        title="it.name",
        text="''",
        on="NULL",
        named="it.name",
    ),
    "elections": Arm(
        visible=lambda at: Election.objects.visible_to(NOBODY, at),
        source="governance_election AS it JOIN governance_body AS body ON body.id = it.body_id",
        key="it.name",
        title="it.title",
        text="body.name",
        on="it.opens_at",
        named="it.title || ' ' || it.name || ' ' || body.name",
    ),
    "meetings": Arm(
        visible=lambda at: Meeting.objects.visible_to(NOBODY, at),
        source="governance_meeting AS it JOIN governance_body AS body ON body.id = it.body_id",
        key="it.slug",
        title="it.title",
        text="body.name",
        on="it.begins_at",
        named="it.title || ' ' || body.name",
    ),
    "benchmarks": Arm(
        visible=lambda _at: Suite.objects.all(),
        source="benchmarks_suite AS it",
        key="it.slug",
        title="it.name",
        text="it.summary",
        on="NULL",
        named="it.name || ' ' || it.summary",
    ),
}
