"""What the API and the browser form share: the fields beside the file, and the answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse

from benchmarks.actions.upload import Said
from benchmarks.documents import RefusedError
from benchmarks.models import Run, State
from benchmarks.selections import Selection
from portal.lib import links

PURPOSE: Final = "benchmarks.run"
KEY_AGE: Final = timedelta(days=30)
SUBJECTS_SHOWN: Final = 2


def said_from(fields: Mapping[str, str]) -> Said:
    """Fields of a form or a query. Raises `RefusedError` that names the field."""
    run_id = fields.get("run_id", "").strip()
    try:
        uid = UUID(run_id) if run_id else None
    except ValueError:
        raise RefusedError("run_id", "This is not a UUID.") from None
    return Said(
        run_id=uid,
        suite=fields.get("suite", "").strip(),
        title=" ".join(fields.get("title", "").split()),
        environment=_environment(fields.get("environment", "")),
    )


def _environment(text: str) -> dict[str, Any] | None:
    if not text.strip():
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise RefusedError("environment", "This is not JSON.") from None
    if not isinstance(found, dict):
        raise RefusedError("environment", "A JSON object is expected here.")
    return found


def key_of(run: Run) -> str:
    """A key for whoever has no account, so that they see their run while it waits."""
    return links.sign(str(run.uid), purpose=PURPOSE)


def opened_by(key: str) -> str:
    """The run id that a key opens; empty when it opens none."""
    return links.unsign(key, purpose=PURPOSE, max_age=KEY_AGE) or ""


def address_of(run: Run) -> str:
    """The page of a run, with the key while it waits and nobody has signed for it."""
    address = run.get_absolute_url()
    if run.state == State.QUARANTINE and run.uploader_id is None:
        return f"{address}?{urlencode({'key': key_of(run)})}"
    return address


def comparison_of(run: Run) -> str:
    """The comparison of the first two subjects of a public run; empty when there are no two."""
    if run.state != State.PUBLISHED:
        return ""
    slugs = list(dict.fromkeys(run.results.values_list("subject_slug", flat=True)))
    if len(slugs) < SUBJECTS_SHOWN:
        return ""
    return comparison_address(Selection(run.uid, slugs[0]), Selection(run.uid, slugs[1]))


def comparison_address(a: Selection, b: Selection, **more: str) -> str:
    query = urlencode({"a": str(a), "b": str(b), **more}, safe=":")
    return f"{reverse('benchmarks:compare')}?{query}"
