"""What readers see: the list, one announcement, the reports by year, their figures as CSV."""

from __future__ import annotations

from itertools import groupby

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from portal.lib import spreadsheet
from portal.lib.open_data import for_everybody
from portal.news.forms.filters import ReaderForm
from portal.news.models import Announcement, ReportFigures, State
from portal.news.tables import csv_rows

PER_PAGE = 20


@require_safe
def announcement_list(request: HttpRequest) -> HttpResponse:
    """Newest first, narrowed by kind, year and words."""
    form = ReaderForm(request.GET, at=timezone.now())
    page = Paginator(form.narrowed(), PER_PAGE).get_page(request.GET.get("page"))
    kind = request.GET.get("kind", "")
    context = {
        "form": form,
        "page": page,
        "narrowed": any(request.GET.get(name) for name in form.fields),
        "kind": next((label for value, label in _kinds(form) if value and value == kind), ""),
        "kind_value": kind,
        "chips": [(label, value, value == kind) for value, label in _kinds(form)],
    }
    return render(request, "news/list.html", context)


@require_safe
def announcement_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """One announcement; 410 with the reason where it was withdrawn."""
    now = timezone.now()
    known = Announcement.objects.once_public(now).select_related("figures")
    announcement = get_object_or_404(known, slug=slug)
    if announcement.state(now) == State.WITHDRAWN:
        return render(request, "news/gone.html", {"announcement": announcement}, status=410)
    published = Announcement.objects.published(now)
    context = {
        "announcement": announcement,
        "figures": getattr(announcement, "figures", None),
        "older": published.before(announcement).first(),
        "newer": published.after(announcement).first(),
    }
    return render(request, "news/detail.html", context)


@require_safe
def report_list(request: HttpRequest) -> HttpResponse:
    """The quarterly reports that are public, by year."""
    now = timezone.now()
    public = Announcement.objects.published(now)
    found = ReportFigures.objects.filter(announcement__in=public).select_related("announcement")
    years = [(year, list(some)) for year, some in groupby(found, key=lambda kept: kept.year)]
    return render(request, "news/reports.html", {"years": years})


@require_safe
def figures_csv(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The figures of a public report, one number a line."""
    public = Announcement.objects.published(timezone.now())
    found = get_object_or_404(ReportFigures, announcement__in=public.filter(slug=slug))
    body = "".join(spreadsheet.lines(csv_rows(found.read())))
    response = HttpResponse(body, content_type="text/csv; charset=utf-8")
    name = f"figures-{found.year}-q{found.number}.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return for_everybody(request, response)


def _kinds(form: ReaderForm) -> list[tuple[str, str]]:
    """The kinds that something public has."""
    return [(str(value), str(label)) for value, label in form.fields["kind"].choices]  # type: ignore[attr-defined]
