"""Back from the payment page: on to the donation, or thanks that tell nothing private."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from portal.donations.hosted import look_again
from portal.donations.visitors import mine
from portal.payments.models import Order
from portal.payments.outcome import outcome_of


@require_safe
@never_cache
def returned(request: HttpRequest, reference: UUID) -> HttpResponse:
    """People pay on a phone or in another browser: without the key, yet a true answer."""
    if mine(request).filter(reference=reference).exists():
        return redirect("donations:donation", reference)
    order = get_object_or_404(Order, donation__reference=reference)
    heard = look_again(order)
    order.refresh_from_db()
    context = {"outcome": outcome_of(order, timezone.now(), heard)}
    return render(request, "donations/returned.html", context)
