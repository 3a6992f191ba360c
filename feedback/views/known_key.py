"""Staff decide which names of variables may become labels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from feedback.actions.known_key import approve_key, refuse_key
from feedback.forms import KeyFilter
from feedback.models import KnownKey, KnownKeyQuerySet, Quarantined
from portal.accounts.access import role_required, signed_in
from portal.accounts.roles import Role
from portal.lib import spreadsheet

PAGE_SIZE: Final = 100
DECISIONS: Final = {"approve": approve_key, "refuse": refuse_key}
HEAD: Final = (
    *("name", "reports", "first_seen", "last_seen"),
    *("state", "decided_by", "decided_at"),
)


@role_required(Role.STAFF)
@require_safe
@never_cache
def known_key_list(request: HttpRequest) -> HttpResponse:
    form = KeyFilter(request.GET or None)
    found = form.narrowed(KnownKey.objects.select_related("decided_by"))
    context = {
        "form": form,
        "page": Paginator(found, PAGE_SIZE).get_page(request.GET.get("page")),
        "query": request.GET.urlencode(),
        "waiting": KnownKey.objects.waiting().count(),
        "aside": Quarantined.objects.count(),
    }
    return render(request, "feedback/known_key_list.html", context)


@role_required(Role.STAFF)
@require_safe
def known_keys_csv(request: HttpRequest) -> StreamingHttpResponse:
    """The names that the filter of the page finds."""
    found = KeyFilter(request.GET or None).narrowed(KnownKey.objects.select_related("decided_by"))
    response = StreamingHttpResponse(
        spreadsheet.lines(_rows(found)), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = 'attachment; filename="names.csv"'
    response["Cache-Control"] = "private, no-store"
    return response


def _rows(found: KnownKeyQuerySet) -> Iterator[tuple[object, ...]]:
    yield HEAD
    for key in found.iterator(chunk_size=1000):
        who = key.decided_by.email if key.decided_by else ""
        when = key.decided_at.isoformat() if key.decided_at else ""
        yield key.name, key.reports, key.first_seen, key.last_seen, key.state, who, when


@role_required(Role.STAFF)
@require_POST
def known_keys_decide(request: HttpRequest) -> HttpResponse:
    """Approve or refuse the names that are marked; the page stays as it was filtered."""
    decide = DECISIONS.get(request.POST.get("decision", ""))
    marked = [int(pk) for pk in request.POST.getlist("key") if pk.isdigit() and len(pk) < 19]
    if decide is None or not marked:
        messages.error(request, _("Mark at least one name, then approve or refuse."))
    else:
        actor, now = signed_in(request), timezone.now()
        keys = KnownKey.objects.filter(pk__in=marked).order_by("pk")
        number = sum(decide(actor=actor, key=key, at=now) for key in keys)
        words = ngettext(
            "%(number)d name is decided on.", "%(number)d names are decided on.", number
        )
        messages.success(request, words % {"number": number})
    query = QueryDict(request.POST.get("query", "")).urlencode()
    return redirect(reverse("feedback:known_keys") + (f"?{query}" if query else ""))
