"""A web process that was told to end, and still answers: each answer closes its connection."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponseBase

FLAG: Final = "WEB_DRAINING_FLAG"  # names the file that portal/web.py makes when it is told to end


def is_draining() -> bool:
    return os.path.exists(os.environ.get(FLAG, ""))


class DrainingMiddleware:
    """A proxy that keeps connections open would send its next request to nobody."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if is_draining():
            response["Connection"] = "close"
        return response
