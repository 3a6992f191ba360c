"""Advisories as OSV: one, all in a list, all as files."""

from __future__ import annotations

import io
import zipfile
from typing import Final

from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_safe

from releases.advisories import osv
from releases.views.advisory.published import JSON, as_json, every, one
from releases.views.public import public_answer

ZIP_DATE: Final = (1980, 1, 1, 0, 0, 0)


@require_safe
def osv_entry(request: HttpRequest, identifier: str) -> HttpResponseBase:
    return public_answer(request, as_json(osv.document(one(identifier))), JSON)


@require_safe
def osv_all(request: HttpRequest) -> HttpResponseBase:
    """Every entry in one list."""
    return public_answer(request, as_json([osv.document(facts) for facts in every()]), JSON)


@require_safe
def osv_zip(request: HttpRequest) -> HttpResponseBase:
    """Every entry as a file, in the way that OSV databases are exported."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for facts in every():
            entry = zipfile.ZipInfo(f"{osv.name(facts.identifier)}.json", ZIP_DATE)
            archive.writestr(entry, as_json(osv.document(facts)), zipfile.ZIP_DEFLATED)
    return public_answer(request, buffer.getvalue(), "application/zip")
