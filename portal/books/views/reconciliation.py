"""The daily comparisons with the provider, each with its differences in words."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from portal.books.access import keeper, keeps_books, reader
from portal.books.actions.reconciliation import reconcile
from portal.books.forms.comparison import ComparisonForm
from portal.books.models import Reconciliation
from portal.books.resolved import booked_since
from portal.books.tables import provider_url
from portal.books.words import words_of

PAGE = 50


@reader
@require_safe
@never_cache
def reconciliation_list(request: HttpRequest) -> HttpResponse:
    form = ComparisonForm(at=timezone.now())
    return _list_page(request, form)


def _list_page(request: HttpRequest, form: ComparisonForm) -> HttpResponse:
    reports = Reconciliation.objects.with_counts()
    page = Paginator(reports, PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "newest": reports.first(), "keeps": keeps_books(request), "form": form}
    return render(request, "books/reconciliations.html", context)


@reader
@require_safe
@never_cache
def reconciliation_detail(request: HttpRequest, pk: int) -> HttpResponse:
    report = get_object_or_404(Reconciliation, pk=pk)
    rows = [
        (found, words_of(found), provider_url(report.provider, found.ref), booked_since(found))
        for found in report.differences.select_related("order", "reconciliation")
    ]
    context = {"report": report, "rows": rows, "keeps": keeps_books(request)}
    return render(request, "books/reconciliation.html", context)


@keeper
@require_POST
def reconciliation_now(request: HttpRequest) -> HttpResponse:
    """Compare at once: it takes as long as the provider needs for its lists."""
    now = timezone.now()
    form = ComparisonForm(request.POST, at=now)
    if not form.is_valid():
        return _list_page(request, form)
    since, until = form.window()
    report = reconcile(at=now, since=since, until=until)
    if report.error:
        messages.error(request, _("The provider did not answer. Try again in some minutes."))
    return redirect("books:reconciliation", report.pk)
