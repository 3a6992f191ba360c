"""An address that only takes what a form sends answers in words to who just opens it.

Django answers 405 without a body, and a browser shows its own page of an error for that: to who
reloads, goes back, or comes from the sign-in page.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from posixpath import dirname

from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.template.loader import render_to_string

KNOWN = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")


class WrongMethodMiddleware:
    """Writes a page into an empty 405 where one was asked for, and refuses what nobody asks by."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method not in KNOWN:  # some views would take it for GET
            return HttpResponseNotAllowed(KNOWN)
        response = self.get_response(request)
        if (
            response.status_code == HTTPStatus.METHOD_NOT_ALLOWED
            and isinstance(response, HttpResponse)
            and not response.content
            and request.method == "GET"
            and request.accepts("text/html")
        ):
            around = {"above": above(request.path)}
            response.content = render_to_string("405.html", around, request)
        return response


def above(path: str) -> str:
    """The address one step up.

    >>> above("/statistics/report/keep/")
    '/statistics/report/'
    """
    return dirname(path.rstrip("/")).rstrip("/") + "/"
