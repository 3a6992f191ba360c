"""An answer 429 says for how long to wait, so that programs need not guess."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponseBase

from portal.lib.ratelimit import WAIT


class TooOftenMiddleware:
    """Writes the Retry-After of whoever was stopped by a limit, unless the view wrote a better."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.status_code == HTTPStatus.TOO_MANY_REQUESTS and WAIT in request.META:
            response.headers.setdefault("Retry-After", str(request.META[WAIT]))
        return response
