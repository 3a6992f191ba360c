"""The inbox of the provider's events: what failed or waits, and trying it again."""

from __future__ import annotations

import json

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from portal.accounts.access import signed_in
from portal.books.access import keeper, keeps_books, reader
from portal.books.actions.event import fetch_events, replay_event
from portal.books.tables import provider_url
from portal.payments.models import ProviderEvent
from portal.payments.providers import ProviderError

PAGE = 50
Outcome = ProviderEvent.Outcome
OPEN = "open"
CHIPS = {
    OPEN: gettext_lazy("Failed or waiting"),
    Outcome.BOOKED.value: gettext_lazy("Booked"),
    Outcome.IGNORED.value: gettext_lazy("Nothing to do"),
}


@reader
@require_safe
@never_cache
def event_list(request: HttpRequest) -> HttpResponse:
    asked = request.GET.get("outcome", "")
    outcome = asked if asked in CHIPS else OPEN
    events = ProviderEvent.objects.defer("payload")
    open_ones = events.unhandled()
    found = (
        open_ones if outcome == OPEN else events.filter(outcome=outcome, handled_at__isnull=False)
    )
    context = {
        "page": Paginator(found, PAGE).get_page(request.GET.get("page")),
        "outcome": outcome,
        "open_count": open_ones.count(),
        "chips": [
            {"label": label, "url": f"?outcome={name}", "current": name == outcome}
            for name, label in CHIPS.items()
        ],
        "keeps": keeps_books(request),
    }
    return render(request, "books/events.html", context)


@reader
@require_safe
@never_cache
def event_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """An event as it came, what was made of it, and whose orders it touched."""
    event = get_object_or_404(ProviderEvent, pk=pk)
    context = {
        "event": event,
        "orders": event.orders.all(),
        "payload": json.dumps(event.payload, indent=2, ensure_ascii=False),
        "url": provider_url(event.provider, event.event_id),
        "keeps": keeps_books(request),
    }
    return render(request, "books/event.html", context)


@keeper
@require_POST
def event_retry(request: HttpRequest, pk: int) -> HttpResponse:
    """Handle it again. Nothing is booked twice."""
    event = get_object_or_404(ProviderEvent, pk=pk)
    done = replay_event(actor=signed_in(request), event=event, at=timezone.now())
    if done.handled_at:
        words = _("Handled: %(outcome)s.") % {"outcome": done.get_outcome_display()}
        messages.success(request, words)
    else:
        messages.error(
            request, _("Still not: %(words)s") % {"words": done.last_error or done.waits_for}
        )
    return redirect("books:event", pk)


@keeper
@require_POST
def event_retry_all(request: HttpRequest) -> HttpResponse:
    """Every event that failed or waits, the oldest first; a hundred at a time."""
    events = list(ProviderEvent.objects.unhandled().order_by("received_at", "pk")[:100])
    now = timezone.now()
    done = [replay_event(actor=signed_in(request), event=event, at=now) for event in events]
    handled = sum(event.handled_at is not None for event in done)
    words = _("%(handled)s of %(all)s are handled now.") % {"handled": handled, "all": len(done)}
    messages.info(request, words)
    return redirect("books:events")


@keeper
@require_POST
def event_fetch(request: HttpRequest) -> HttpResponse:
    """What was never delivered is fetched every hour; here at once."""
    try:
        fetched = fetch_events(actor=signed_in(request), at=timezone.now())
    except ProviderError:
        messages.error(request, _("The provider did not answer. Try again in some minutes."))
        return redirect("books:events")
    if fetched:
        said = ngettext(
            "%(number)s event had not been delivered. It is here now.",
            "%(number)s events had not been delivered. They are here now.",
            fetched,
        )
        messages.success(request, said % {"number": fetched} + " " + _("Compare again."))
    else:
        messages.info(request, _("The provider tells of no event that is not here."))
    return redirect("books:reconciliations")
