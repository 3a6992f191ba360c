"""Monitors and load balancers ask each web process by its address, no name of the site."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

PROBED: Final = frozenset({"/health/live", "/health/ready", "/metrics"})


class ProbeMiddleware:
    """Their answers name no address, so whatever name they are asked by is the site's."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info in PROBED:
            request.META["HTTP_HOST"] = settings.ALLOWED_HOSTS[0].lstrip(".*") or "localhost"
            request.META.pop("HTTP_X_FORWARDED_HOST", None)
        return self.get_response(request)
