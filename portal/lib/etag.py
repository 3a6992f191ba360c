"""The ETag of an answer: it changes with the bytes, and says nothing else of them."""

from __future__ import annotations

import hashlib


def etag_of(body: bytes) -> str:
    """A strong one, in quotes as the header wants it."""
    return f'"{hashlib.sha256(body).hexdigest()[:40]}"'
