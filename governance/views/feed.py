"""What is new about meetings, elections and bylaws, for feed readers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_safe

from governance.bylaws import feed as bylaws_news
from governance.elections import feeds as election_news
from governance.meetings import feeds as meeting_news
from governance.models import Body
from governance.views.fetch import moment
from portal.lib.feeds import FORMS, Feed
from portal.lib.open_data import for_everybody


@require_safe
def meetings(request: HttpRequest, form: str) -> HttpResponseBase:
    """As Atom or JSON; `?body=` names one body."""
    return _of_body(request, form, "governance:meetings", partial(meeting_news.feed, at=moment()))


@require_safe
def elections(request: HttpRequest, form: str) -> HttpResponseBase:
    """As Atom or JSON; `?body=` names one body."""
    return _of_body(request, form, "governance:elections", election_news.feed)


@require_safe
def bylaws(request: HttpRequest, form: str) -> HttpResponseBase:
    """Proposals and versions, as Atom or JSON."""
    page, address = _addresses("governance:bylaws_list", request.path)
    return _answer(request, form, bylaws_news.feed(page=page, address=address))


def _of_body(
    request: HttpRequest, form: str, view: str, news: Callable[..., Feed]
) -> HttpResponseBase:
    asked = request.GET.get("body", "")
    body = get_object_or_404(Body, slug=asked) if asked else None
    page, address = _addresses(view, request.get_full_path())
    return _answer(request, form, news(body=body, page=page, address=address))


def _addresses(view: str, path: str) -> tuple[str, str]:
    """Of the page for people, and of the feed itself."""
    return settings.BASE_URL + reverse(view), settings.BASE_URL + path


def _answer(request: HttpRequest, form: str, found: Feed) -> HttpResponseBase:
    if form not in FORMS:
        raise Http404
    content_type, write = FORMS[form]
    return for_everybody(request, HttpResponse(write(found), content_type=content_type))
