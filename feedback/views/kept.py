"""Charts that were drawn before, while no count and nothing of the catalogue has changed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Hashable
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from feedback import stamp
from portal.lib import kept
from portal.lib.etag import etag_of

# What no stamp tells, such as how many reports of today were refused, is at most this old.
OLDEST: Final = 300  # seconds


def drawn_before(key: Hashable, draw: Callable[[], str], *, at: dt.datetime) -> SafeString:
    """The part of a page that is the same for everybody."""
    return kept.part(key=(key, *_now(at)), stamp=stamp.statistics(at), write=draw)


def told_before(
    request: HttpRequest, key: Hashable, tell: Callable[[], HttpResponse]
) -> HttpResponseBase:
    """An answer for programs of any site, with an ETag; 304 for who has it already."""
    now = timezone.now()

    def write() -> HttpResponse:
        response = tell()
        response["ETag"] = etag_of(response.content)
        response["Access-Control-Allow-Origin"] = "*"
        response["Cache-Control"] = f"public, max-age={OLDEST}"
        return response

    full = (key, request.path, *_now(now))
    return kept.answer(request, key=full, stamp=stamp.statistics(now), write=write)


def unless_known(request: HttpRequest, page: HttpResponse) -> HttpResponseBase:
    """304 for a visitor who has this very page, which may show a name."""
    page["ETag"] = etag_of(page.content)
    page["Cache-Control"] = "private, no-cache"
    return kept.unless_known(request, page)


def _now(at: dt.datetime) -> tuple[int, str]:
    return int(at.timestamp()) // OLDEST, get_language() or ""
