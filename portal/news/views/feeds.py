"""The announcements for programs: Atom and JSON, of all kinds or of one."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from portal.lib.feeds import FORMS
from portal.lib.open_data import for_everybody
from portal.news import feeds
from portal.news.models import Kind


@require_safe
def feed(request: HttpRequest, form: str, kind: str = "") -> HttpResponseBase:
    """The newest announcements; 304 for who has them."""
    if form not in FORMS or (kind and kind not in Kind.values):
        raise Http404
    page = f"{settings.BASE_URL}{reverse('news:list')}"
    found = feeds.feed(
        kind=Kind(kind) if kind else None,
        page=f"{page}?kind={kind}" if kind else page,
        address=f"{settings.BASE_URL}{request.path}",
        at=timezone.now(),
    )
    content_type, write = FORMS[form]
    return for_everybody(request, HttpResponse(write(found), content_type=content_type))
