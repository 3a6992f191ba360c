"""A file as an answer: in pieces, with ranges, conditions and HEAD, for sync and async requests."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import http_date

from portal.lib.streams import stream

RANGE: Final = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})")


def file_response(
    request: HttpRequest,
    path: Path,
    *,
    size: int,
    sha256: str,
    content_type: str,
    cache: str,
    modified: dt.datetime | None = None,
) -> HttpResponseBase:
    """The file at `path`, whose bytes are named by `sha256`."""
    etag = f'"{sha256[:40]}"'
    stamp = None if modified is None else int(modified.timestamp())
    span = _span(request, etag, stamp, size)
    if span is None:
        response: HttpResponseBase = HttpResponse(status=416)
        response["Content-Range"] = f"bytes */{size}"
        return response
    start, end = span
    is_part = (start, end) != (0, size)
    unchanged = get_conditional_response(request, etag, stamp)
    if unchanged is not None:
        response = unchanged
    elif request.method == "HEAD":
        response = HttpResponse(content_type=content_type)
    else:
        response = _stream(request, path, start, end - start)
        response["Content-Type"] = content_type
    if unchanged is None:
        response.status_code = 206 if is_part else 200
        response["Content-Length"] = str(end - start)
        if is_part:
            response["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    response["ETag"] = etag
    if stamp is not None:
        response["Last-Modified"] = http_date(stamp)
    response["Accept-Ranges"] = "bytes"
    response["Cache-Control"] = cache
    return response


def _span(request: HttpRequest, etag: str, stamp: int | None, size: int) -> tuple[int, int] | None:
    """First byte and end of what is asked for; the whole where a range does not count (several
    ranges, another state of the file); None where it cannot be met.
    """
    wanted = RANGE.fullmatch(request.headers.get("Range", ""))
    condition = request.headers.get("If-Range", "")
    known = {etag, http_date(stamp) if stamp is not None else etag}
    if wanted is None or (condition and condition not in known):
        return 0, size
    first, last = wanted.groups()
    if not first and not last:
        return 0, size
    if not first:
        start, end = max(0, size - int(last)), size
    else:
        start, end = int(first), min(size, int(last) + 1) if last else size
    return (start, end) if start < end else None


def _stream(request: HttpRequest, path: Path, start: int, length: int) -> StreamingHttpResponse:
    file = path.open("rb")
    file.seek(start)
    return stream(request, file, length)
