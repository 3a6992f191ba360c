"""How answers for programs leave: a refusal as a problem (RFC 9457), a read with its ETag.

Stands before everything else, so that what Django, a middleware or the framework of the API refuses
has the same form as what a function of the API refuses.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _

from portal.lib import problems
from portal.lib.etag import etag_of

API: Final = "/api/v1/"
DESCRIPTION: Final = f"{API}openapi.json"
# What programs read; the page that explains the API is for people.
FOR_PROGRAMS: Final = re.compile(
    r"/api/v1/(?!docs$).*|/rest-api/.*|/rest/v1/charts/.*|/(?!staff/).+\.json", re.DOTALL
)
READS: Final = ("GET", "HEAD", "OPTIONS")
ALLOW: Final = "Access-Control-Allow-Origin"


class JsonAnswerMiddleware:
    """Gives every answer for programs its form."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if FOR_PROGRAMS.fullmatch(request.path_info) is None:
            return self.get_response(request)
        if not request.path_info.startswith(API) and request.method not in READS:
            # Before a token against forged requests is asked for, which changes nothing.
            return refusal(request, HttpResponseNotAllowed(READS))
        if request.path_info.startswith(API) and request.method == "HEAD":
            return self._headers(request)
        return self._answer(request)

    def _headers(self, request: HttpRequest) -> HttpResponseBase:
        """What GET would answer; the server leaves the body out. The framework of the API takes
        HEAD for a method that nobody wrote.
        """
        request.method = "GET"
        response = self._answer(request)
        request.method = "HEAD"
        return response

    def _answer(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.status_code >= HTTPStatus.BAD_REQUEST:
            return refusal(request, response)
        if request.path_info.startswith(API) and isinstance(response, HttpResponse):
            return unless_known(request, response)
        return response


def unless_known(request: HttpRequest, response: HttpResponse) -> HttpResponseBase:
    """A read of the API with its ETag; 304 for who has it already."""
    if request.method != "GET" or response.status_code != HTTPStatus.OK:
        return response
    if request.path_info == DESCRIPTION:
        response[ALLOW] = "*"
    if "Cache-Control" not in response:
        response["Cache-Control"] = "no-cache" if ALLOW in response else "private, no-cache"
    if "ETag" not in response:
        response["ETag"] = etag_of(response.content)
    told = get_conditional_response(request, etag=response["ETag"], response=response) or response
    if ALLOW in response:
        told[ALLOW] = response[ALLOW]
    return told


def refusal(request: HttpRequest, response: HttpResponseBase) -> HttpResponse:
    """The same refusal as a problem, with the headers it had."""
    status = response.status_code
    told = _told(response)
    detail, errors = told.pop("detail", ""), {}
    if detail == HTTPStatus(status).phrase:  # says nothing more than the status
        detail = ""
    if isinstance(detail, list):
        errors = {"errors": list(map(_fault, detail))}
        detail = "; ".join(fault["detail"] for fault in errors["errors"])
    known = {key: told.pop(key, None) for key in ("type", "title", "status")}
    body = problems.problem(status, str(detail) or _words(status, response), **told, **errors)
    if known["type"]:
        body["type"] = known["type"]
    text = json.dumps({key: value for key, value in body.items() if value is not None}).encode()
    answer = HttpResponse(text, status=status, headers=_kept(response))
    answer["Content-Type"] = problems.CONTENT_TYPE
    answer["Content-Length"] = str(len(text))
    answer.cookies = response.cookies
    if request.method in ("GET", "HEAD"):
        answer[ALLOW] = "*"  # it says nothing that is not for everybody
    if status == HTTPStatus.UNAUTHORIZED:
        answer["WWW-Authenticate"] = 'Bearer realm="api"'
    return answer


def _told(response: HttpResponseBase) -> dict[str, Any]:
    """What the refusal says already, as members; a page for people says nothing to programs."""
    kind = response.headers.get("Content-Type", "").partition(";")[0]
    if not isinstance(response, HttpResponse):
        return {}
    if kind in ("application/json", problems.CONTENT_TYPE):
        found = json.loads(response.content)
        return found if isinstance(found, dict) else {}
    if kind == "text/plain":
        return {"detail": response.content.decode(errors="replace").strip()}
    return {}


def _fault(error: Mapping[str, Any]) -> dict[str, str]:
    """One finding of pydantic: what, and where in the body or in which parameter."""
    place, *names = map(str, error.get("loc", ("",)))
    pointer = "".join(f"/{name}" for name in names[1:]) if place == "body" else ""
    where = {"pointer": pointer} if place == "body" else {"parameter": _last(names)}
    shown = pointer or _last(names)
    said = str(error.get("msg", ""))
    return {"detail": f"{shown}: {said}" if shown else said, **where}


def _last(names: Iterable[str]) -> str:
    return [*names, ""][-2] if names else ""


def _kept(response: HttpResponseBase) -> dict[str, str]:
    """The headers, without those that tell of the former body."""
    gone = {"content-type", "content-length", "content-disposition", "etag", "last-modified"}
    return {name: value for name, value in response.items() if name.lower() not in gone}


def _words(status: int, response: HttpResponseBase) -> str:
    """What to say where nothing was said."""
    known = {
        400: _("The request cannot be read."),
        401: _("Send a token: Authorization: Bearer fp_…"),
        403: _("This may not be done from here: send a token instead of a session."),
        404: _("There is nothing at this address."),
        405: _("This address takes: %(methods)s.") % {"methods": response.get("Allow", "GET")},
        413: _("This is too much for one request."),
        503: _("Something is missing for a moment: try again in a minute."),
    }
    broken = _("The mistake is ours, and it is written down. Try again later.")
    return known.get(status) or (broken if status >= 500 else HTTPStatus(status).phrase)
