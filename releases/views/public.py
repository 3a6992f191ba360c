"""Answers that programs and other sites read: from anywhere, and only when they changed."""

from __future__ import annotations

import datetime as dt
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import http_date

from portal.lib.etag import etag_of

SHORT: Final = "public, max-age=300"


def public_answer(
    request: HttpRequest,
    body: str | bytes,
    content_type: str,
    *,
    modified: dt.datetime | None = None,
) -> HttpResponseBase:
    """The body with ETag and CORS header, or 304. `modified` when nothing else can change it."""
    data = body.encode() if isinstance(body, str) else body
    response = HttpResponse(data, content_type=content_type)
    response["ETag"] = etag = etag_of(data)
    stamp = None if modified is None else int(modified.timestamp())
    if stamp is not None:
        response["Last-Modified"] = http_date(stamp)
    response["Cache-Control"] = SHORT
    response["Access-Control-Allow-Origin"] = "*"
    found = get_conditional_response(request, etag, stamp, response) or response
    found["Access-Control-Allow-Origin"] = "*"
    return found
