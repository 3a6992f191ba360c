"""What documents are made of: public advisories as facts, and JSON as it is served."""

from __future__ import annotations

import json
from typing import Any, Final

from django.shortcuts import get_object_or_404
from django.utils import timezone

from releases.advisories.facts import Facts
from releases.advisory import facts_of
from releases.models import Advisory

JSON: Final = "application/json"


def every() -> list[Facts]:
    """Every public advisory, newest change first."""
    now = timezone.now()
    found = Advisory.objects.published(now).with_ranges().order_by("-modified_at", "-pk")
    return facts_of(list(found), at=now)


def one(identifier: str) -> Facts:
    """The public advisory of this name, or 404."""
    now = timezone.now()
    public = Advisory.objects.published(now).with_ranges()
    return facts_of([get_object_or_404(public, identifier=identifier)], at=now)[0]


def as_json(document: Any) -> bytes:
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()
