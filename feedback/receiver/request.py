"""What a request says, as far as the door and the receiver need to know. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

# Servers write the address after a slash of their own, proxies send it whole.
_REPORT: Final = re.compile(
    rb"POST (?:https?://[^/ ]*)?/*(?:feedback_plugin/post|rest/v1/post)/?(?:\?[^ ]*)? HTTP/1\.[01]",
    re.IGNORECASE,
)
_CHUNKED: Final = "chunked"


class BadRequestError(ValueError):
    """The head of the request cannot be understood."""


@dataclass(frozen=True, slots=True)
class Head:
    """Request line and headers; header names in small letters, the last of a name counts."""

    line: bytes
    headers: dict[str, str]

    @property
    def length(self) -> int:
        """The announced size of the body in bytes; BadRequestError when there is none."""
        if _CHUNKED in self.headers.get("transfer-encoding", "").lower():
            raise BadRequestError("a chunked body")
        text = self.headers.get("content-length", "")
        if not text.isascii() or not text.isdigit() or len(text) > 18:
            raise BadRequestError("no usable Content-Length")
        return int(text)


def is_report(line: bytes) -> bool:
    """Whether a request line posts a report (`POST //rest/v1/post HTTP/1.0`).

    >>> is_report(b"POST http://proxy.example:80//rest/v1/post HTTP/1.0")
    True
    >>> is_report(b"GET /rest/v1/post HTTP/1.1")
    False
    """
    return _REPORT.fullmatch(line.rstrip(b"\r\n")) is not None


def parse_head(raw: bytes) -> Head:
    """Everything before the empty line. Bare line feeds are accepted, as servers of old did."""
    line, *rest = raw.replace(b"\r\n", b"\n").strip(b"\n").split(b"\n")
    headers = {}
    for field in rest:
        name, colon, value = field.decode("latin-1").partition(":")
        if not colon:
            raise BadRequestError("a header without a colon")
        headers[name.strip().lower()] = value.strip()
    return Head(line, headers)
