"""What was written for one visitor is kept by no cache for another.

Views that know better say so themselves. For all the others this is the rule: an answer that
depends on cookies, to somebody who sent a session, belongs to them alone and is asked for anew
each time. It is not `no-store`: browsers forget with that what somebody typed into a form. Who
signs out leaves nothing behind instead (Clear-Site-Data).
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase


class PersonalMiddleware:
    """Stands before sessions and languages, which say that an answer depends on cookies."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return response
        if _depends_on_cookies(response):
            response.headers.setdefault("Cache-Control", "private, no-cache")
        if _ends_session(response):
            response.headers["Clear-Site-Data"] = '"cache"'
        return response


def _depends_on_cookies(response: HttpResponseBase) -> bool:
    return "cookie" in response.headers.get("Vary", "").lower()


def _ends_session(response: HttpResponseBase) -> bool:
    cookie = response.cookies.get(settings.SESSION_COOKIE_NAME)
    return cookie is not None and not cookie.value
