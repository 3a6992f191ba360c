"""What a person who schedules a release has looked at, so that any change of it is noticed."""

from __future__ import annotations

import hashlib
import json
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from releases.models import Release

TEXTS: Final = ("summary", "notes", "changelog", "commit")
NAMES: Final[dict[str, Promise]] = {
    "maturity": _("the maturity"),
    "words": _("the text"),
    "files": _("the files"),
    "steps": _("the required steps of the checklist"),
}


def content_of(release: Release) -> dict[str, str]:
    """By part: the maturity, and digests of the texts, the files and the required steps."""
    files = release.files.order_by("name").values_list("name", "announced_sha256", "distributions")
    steps = release.checklist.filter(is_required=True).order_by("pk")
    ticks = steps.values_list("text", "ticked_by_id", "ticked_at")
    return {
        "maturity": release.maturity,
        "words": _digest([getattr(release, name) for name in TEXTS]),
        "files": _digest(list(files)),
        "steps": _digest(list(ticks)),
    }


def changed_since(release: Release) -> list[str]:
    """What is another than it was when the release was scheduled, in words."""
    now, then = content_of(release), release.scheduled_content
    return [str(words) for part, words in NAMES.items() if now[part] != then.get(part)]


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, default=str).encode()).hexdigest()
