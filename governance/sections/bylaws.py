"""Every version of the bylaws, with its text and the motion that adopted it."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Q
from django.utils import timezone

from governance.models import Version
from governance.sections.asked import Asked


def name_of(version: Version) -> str:
    return f"bylaws/{version.bylaws.slug}-{version.number}"


def documents(asked: Asked) -> Iterator[tuple[str, dict[str, Any]]]:
    recorded = Q(adopted_by__isnull=True, adopted_on__lte=timezone.localdate(asked.at))
    adopted = Version.objects.filter(recorded | Q(adopted_by__decided_at__lte=asked.at))
    found = asked.missing(adopted, "bylaws/", "bylaws__slug", "-", "number")
    for version in found.select_related("bylaws", "adopted_by").order_by("pk"):
        yield name_of(version), _document(version)


def _document(version: Version) -> dict[str, Any]:
    motion = version.adopted_by
    return {
        "kind": "bylaws",
        "bylaws": {"slug": version.bylaws.slug, "name": version.bylaws.name},
        "number": version.number,
        "text": version.text,
        "text_sha256": version.text_sha256,
        "motion": f"motions/{motion.slug}" if motion else None,
        "adopted": version.adopted_on.isoformat(),
        "in_force": version.effective_on.isoformat(),
        "note": version.note,
    }
