"""Disputes: until when an answer is due, and what became of the others."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from portal.books.access import reader
from portal.books.tables import provider_url
from portal.payments.models import Dispute

PAGE = 50


@reader
@require_safe
@never_cache
def dispute_list(request: HttpRequest) -> HttpResponse:
    """What is due first stands first."""
    now = timezone.now()
    due = Dispute.objects.answer_due(now).select_related("order")
    others = Dispute.objects.exclude(pk__in=due.values("pk")).select_related("order")
    page = Paginator(others, PAGE).get_page(request.GET.get("page"))
    context = {
        "due": [_row(dispute) for dispute in due],
        "rows": [_row(dispute) for dispute in page],
        "page": page,
        "now": now,
    }
    return render(request, "books/disputes.html", context)


def _row(dispute: Dispute) -> tuple[Dispute, str]:
    return dispute, provider_url(dispute.provider, dispute.dispute_id)
