"""What stands in the details of an organisation, so that nobody overwrites news unseen."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from django.db import models

from portal.members.models import Organisation


def stamp(organisation: Organisation, fields: Iterable[str]) -> str:
    """What stands in these fields; a form carries it from when it was opened."""
    values = {field: getattr(organisation, field) for field in sorted(fields)}
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:32]


def words(organisation: Organisation, field: str) -> str:
    """What stands in one of them, as people read it."""
    if field == "country":
        return str(organisation.get_country_display())
    return str(getattr(organisation, field))


def label(field: str) -> str:
    """What it is called."""
    found: models.Field[Any, Any] = Organisation._meta.get_field(field)  # type: ignore[assignment]
    return str(found.verbose_name)
