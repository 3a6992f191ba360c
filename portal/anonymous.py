"""Addresses for programs and caches: nobody is known there, so everybody gets the same bytes.

Their cookies are taken away before anything reads one: no session is looked up, none begins, and
no cache has to keep an answer for each visitor. A new address of this kind is added here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponseBase

# Addresses of documents have no slash at their end; those of pages and forms have.
ANONYMOUS: Final = re.compile(
    r"/(?:"
    r"(?:repo|yum|rest-api)/.*"
    r"|(?:keys|news|mirrors)/(?:.*/)?[^/]+"
    r"|repo_setup(?:\.\w+)?"
    r"|releases/(?!manage[/.])(?:.*/)?[^/]+"
    r"|advisories/(?:.*/)?[^/]+"
    r"|cards/[^/]+"
    r"|advisories/csaf/(?:.*/)?"
    r"|governance/elections/[^/]+/ballots/(?:[^/]+/)?"
    r"|governance/elections/[^/]+/[^/]+"
    r"|statistics/[^/]+"
    r"|rest/v1/charts/[^/]+/"
    r"|\.well-known/(?:csaf/)?[^/]+"
    r"|sitemap\.xml|robots\.txt"
    r")"
)


class AnonymousMiddleware:
    """Stands before everything that reads cookies."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if ANONYMOUS.fullmatch(request.path_info) is None:
            return self.get_response(request)
        request.META.pop("HTTP_COOKIE", None)
        request.__dict__.pop("COOKIES", None)
        response = self.get_response(request)
        response.cookies.clear()
        _forget_cookies(response)
        return response


def _forget_cookies(response: HttpResponseBase) -> None:
    """Without cookies the answer varies with none."""
    names = (name.strip() for name in response.headers.get("Vary", "").split(","))
    others = [name for name in names if name.lower() not in ("", "cookie")]
    if others:
        response["Vary"] = ", ".join(others)
    else:
        response.headers.pop("Vary", None)
