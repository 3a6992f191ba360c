"""Staff look at reports that could not be read, have them read again, or delete them."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from feedback.actions.quarantine import delete_quarantined, read_again
from feedback.models import KnownKey, Quarantined, QuarantinedQuerySet
from feedback.packing import unpack
from feedback.visible import MOST, visible
from portal.accounts.access import role_required, signed_in
from portal.accounts.roles import Role

PAGE_SIZE: Final = 50
REASONS: Final = 12  # that are offered as a choice


@role_required(Role.STAFF)
@require_safe
@never_cache
def quarantine_list(request: HttpRequest) -> HttpResponse:
    reason = request.GET.get("reason", "")
    found = Quarantined.objects.because(reason).defer("body").order_by("-received_at", "-number")
    reasons = Quarantined.objects.values_list("reason").annotate(reports=Count("number"))
    context = {
        "page": Paginator(found, PAGE_SIZE).get_page(request.GET.get("page")),
        "reason": reason,
        "reasons": reasons.order_by("-reports", "reason")[:REASONS],
        "total": Quarantined.objects.count(),
        "names": KnownKey.objects.waiting().count(),
    }
    return render(request, "feedback/quarantine_list.html", context)


@role_required(Role.STAFF)
@require_safe
@never_cache
def quarantine_detail(request: HttpRequest, number: int) -> HttpResponse:
    """The report as text; it holds no identity, and nothing of it is obeyed by a browser."""
    report = get_object_or_404(Quarantined, number=number)
    try:
        text = unpack(bytes(report.body)).decode(errors="replace")
    except ValueError:
        text = bytes(report.body).decode("latin-1")
    context = {
        "report": report,
        "text": visible(text[:MOST]),
        "letters": len(text),
        "cut": len(text) > MOST,
        "most": MOST,
    }
    return render(request, "feedback/quarantine_detail.html", context)


@role_required(Role.STAFF)
@require_POST
def quarantine_read(request: HttpRequest, number: int) -> HttpResponse:
    get_object_or_404(Quarantined, number=number)
    return _read(request, Quarantined.objects.filter(number=number), "")


@role_required(Role.STAFF)
@require_POST
def quarantine_read_all(request: HttpRequest) -> HttpResponse:
    """All of them, or all of one reason, a thousand at a time."""
    reason = request.POST.get("reason", "")
    return _read(request, Quarantined.objects.because(reason), reason)


def _read(request: HttpRequest, reports: QuarantinedQuerySet, reason: str) -> HttpResponse:
    number = read_again(actor=signed_in(request), reports=reports)
    left = reports.count()
    words = ngettext(
        "%(number)d report is read again within seconds. If that fails, it comes back.",
        "%(number)d reports are read again within seconds. Where that fails, they come back.",
        number,
    ) % {"number": number}
    rest = ngettext(
        "%(left)d more is left: press again.", "%(left)d more are left: press again.", left
    )
    more = rest % {"left": left} if left else ""
    messages.success(request, f"{words} {more}".strip())
    return redirect("feedback:quarantine")


@role_required(Role.STAFF)
@require_POST
def quarantine_delete(request: HttpRequest, number: int) -> HttpResponse:
    report = get_object_or_404(Quarantined, number=number)
    delete_quarantined(actor=signed_in(request), report=report)
    messages.success(request, _("Report %(number)d is deleted.") % {"number": number})
    return redirect("feedback:quarantine")
