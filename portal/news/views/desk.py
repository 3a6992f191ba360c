"""The editor's desk: everything that was written, begun, thrown away."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from portal.news.access import editor
from portal.news.forms.filters import DeskForm
from portal.news.models import Announcement, State

PER_PAGE = 50
SHOWN = (State.DRAFT, State.SCHEDULED, State.PUBLISHED, State.WITHDRAWN)


@editor
@require_safe
@never_cache
def desk(request: HttpRequest) -> HttpResponse:
    """All that is not thrown away, or what is in one state."""
    now = timezone.now()
    form = DeskForm(request.GET)
    asked = request.GET.get("state", "")
    state = asked if asked in State.values else ""
    found = form.narrowed()
    shown = found.in_state(state, now) if state else found.filter(dropped_at__isnull=True)
    page = Paginator(shown.select_related("author", "occasion"), PER_PAGE)
    context = {
        "form": form,
        "page": page.get_page(request.GET.get("page")),
        "rows": [],
        "narrowed": bool(request.GET.get("q") or request.GET.get("kind")),
        "state": state,
        "chips": _chips(state),
    }
    context["rows"] = [(one, one.state(now)) for one in context["page"]]  # type: ignore[attr-defined]
    return render(request, "news/desk.html", context)


def _chips(current: str) -> list[tuple[object, str, int, bool]]:
    """Label, query, how many, whether it is shown; empty bins are left out."""
    now = timezone.now()
    everything = Announcement.objects.all()
    counted = [(state, everything.in_state(state, now).count()) for state in State]
    return [
        (state.label, f"?state={state}", count, state == current)
        for state, count in counted
        if count or state in SHOWN
    ]
