"""Answers for those who download a program of one file: the file, and its SHA-256."""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.http import HttpResponse

from portal.lib.etag import etag_of


def program_response(path: Path) -> HttpResponse:
    """The file, to be kept under its own name; the ETag changes with its bytes."""
    body = path.read_bytes()
    response = HttpResponse(body, content_type="text/x-python; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{path.name}"'
    response["ETag"] = etag_of(body)
    return response


def checksum_response(path: Path) -> HttpResponse:
    """One line as `sha256sum --check` reads it."""
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    return HttpResponse(f"{found}  {path.name}\n", content_type="text/plain; charset=utf-8")
