"""The search page: a form that anybody can link to, and what it found."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from portal.lib.words import LONGEST
from portal.search.asked import Asked
from portal.search.results import KINDS, Results, search


@require_safe
def search_page(request: HttpRequest) -> HttpResponse:
    asked, found = ask(request)
    context = {"asked": asked.text, "results": found, "longest": LONGEST, "kinds": KINDS}
    return render(request, "search/page.html", context)


def ask(request: HttpRequest) -> tuple[Asked, Results]:
    """What `q`, `kind` and `page` of the address ask for; what makes no sense there is left out."""
    text = " ".join(request.GET.get("q", "").split())[:LONGEST]
    kind = request.GET.get("kind", "")
    number = request.GET.get("page", "")
    page = int(number) if number.isascii() and number.isdecimal() and len(number) < 5 else 1
    asked = Asked(text, timezone.now())
    return asked, search(asked, kind=kind if kind in KINDS else "", page=page)
