"""What the API and the browser form share: the fields beside the file, and the answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.urls import reverse

from benchmarks import mapping
from benchmarks.actions.upload import Said
from benchmarks.documents import RefusedError
from benchmarks.models import Run, State
from benchmarks.selections import Selection

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
        contact=_contact(fields.get("contact", "").strip()),
        signature=fields.get("signature", "").strip(),
        key_id=fields.get("key_id", "").strip(),
        identity=fields.get("identity", "").strip(),
        roles=_roles(fields.get("map", "")),
    )


def _contact(text: str) -> str:
    if text:
        try:
            validate_email(text)
        except ValidationError:
            raise RefusedError("contact", "This is not a mail address.") from None
    return text


def _roles(text: str) -> dict[int, list[str]]:
    """ "connector case" or "case _ transport": what each part of a name is, in order."""
    words = text.split()
    if not words:
        return {}
    for word in words:
        if word not in mapping.ROLES:
            known = ", ".join(mapping.ROLES)
            raise RefusedError("map", f"“{word[:40]}” is not a role of a part. Known: {known}.")
    return {len(words): words}


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
