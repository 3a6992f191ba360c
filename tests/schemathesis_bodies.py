"""How schemathesis sends bodies that are not JSON: loaded by its command line as hooks."""

from __future__ import annotations

from typing import Any

import schemathesis


def as_it_is(context: Any, value: Any) -> bytes:
    """Text or bytes, whatever was made."""
    return value if isinstance(value, bytes) else str(value).encode(errors="replace")


schemathesis.serializer("application/x-ndjson", "application/offset+octet-stream")(as_it_is)
