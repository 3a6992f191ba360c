"""What a person has looked at who publishes or schedules a release: any change is noticed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from releases.errors import RefusedError
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


def changed_since(release: Release, then: Mapping[str, str]) -> list[str]:
    """What is another than it was then, in words."""
    now = content_of(release)
    return [str(words) for part, words in NAMES.items() if now[part] != then.get(part)]


def as_field(release: Release) -> str:
    """The content as a field of the form that a person looks at."""
    return json.dumps(content_of(release))


def from_field(text: str) -> dict[str, str]:
    """The content of such a field; nothing for what is none, so that everything has changed."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return {str(k): str(v) for k, v in found.items()} if isinstance(found, dict) else {}


def refuse_unseen(release: Release, shown: Mapping[str, str] | None) -> None:
    """Raises RefusedError when the release is not what was shown; None was shown to nobody."""
    if shown is None or not (changed := changed_since(release, shown)):
        return
    words = _("Nothing was done. Changed since the page was shown: %(parts)s. Look at it again.")
    raise RefusedError(str(words) % {"parts": ", ".join(changed)})


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, default=str).encode()).hexdigest()
