"""The id of a request: in its answer, in each of its lines of the log, and in those of its tasks.

A proxy of ours may give it (X-Request-ID, believed where TRUSTED_PROXIES says that there is one);
otherwise it is made here. Tasks carry it on (portal/celery.py). SQL does not: that would be a
statement more for each request.
"""

from __future__ import annotations

import logging
import re
import time
import uuid
from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from portal.lib.logs import REQUEST_ID
from portal.measured import count_request
from portal.without_paths import UNWRITTEN, place_of

logger = logging.getLogger("portal.requests")
HEADER: Final = "X-Request-ID"
PATTERN: Final = re.compile(r"[A-Za-z0-9_-]{8,64}")


class RequestIdMiddleware:
    """Stands first."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        number = _given(request) or uuid.uuid4().hex
        token = REQUEST_ID.set(number)
        started = time.perf_counter()
        try:
            response = self.get_response(request)
            response[HEADER] = number
            _tell(request, response.status_code, time.perf_counter() - started)
        finally:
            REQUEST_ID.reset(token)
        return response


def _given(request: HttpRequest) -> str:
    told = request.headers.get(HEADER, "") if settings.TRUSTED_PROXIES else ""
    return told if PATTERN.fullmatch(told) else ""


def _tell(request: HttpRequest, status: int, seconds: float) -> None:
    """In a line of the log, and among the numbers of its kind of page."""
    if request.path_info.startswith(UNWRITTEN):
        return
    found = request.resolver_match
    count_request(found.view_name if found is not None else "none", status, seconds)
    place = place_of(request)
    fields = {"status": status, "milliseconds": round(seconds * 1000, 1)}
    logger.info("%s %s", request.method, place, extra={"fields": fields})
