"""Quarterly reports: begun for a quarter; figures computed again until the report is public."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from portal.accounts.access import signed_in
from portal.news.access import editor
from portal.news.actions.announcement import ChangedMeanwhileError, NewsError
from portal.news.actions.publication import EDITABLE
from portal.news.actions.report import draft_report, renew_figures
from portal.news.models import Announcement, ReportFigures
from portal.news.quarter import Quarter
from portal.news.tables import Table, markdown
from portal.news.views.seen import number
from portal.newsroom import report
from portal.newsroom.figures import compute

OFFERED = 6  # quarters that a report can be begun for


@editor
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def report_list(request: HttpRequest) -> HttpResponse:
    """The last quarters with their reports; POST begins the one of `quarter=2026-3`."""
    now = timezone.now()
    running = Quarter.of(now.date())
    quarters = [running]
    while len(quarters) < OFFERED:
        quarters.append(quarters[-1].previous())
    if request.method == "POST":
        asked = request.POST.get("quarter", "")
        chosen = next((one for one in quarters if f"{one.year}-{one.number}" == asked), None)
        if chosen is None:
            messages.error(request, _("Choose one of these quarters."))
            return redirect("newsroom:reports")
        return _begin(request, chosen)
    kept = _reports()
    rows = [(one, kept.get(one), kept[one].state(now) if one in kept else "") for one in quarters]
    return render(request, "newsroom/reports.html", {"rows": rows, "running": running})


def _begin(request: HttpRequest, quarter: Quarter) -> HttpResponse:
    now = timezone.now()
    tables = compute(quarter, at=now)
    try:
        draft = draft_report(
            actor=signed_in(request),
            quarter=quarter,
            text=report.text(quarter, tables),
            tables=tables,
            at=now,
        )
    except NewsError as error:
        messages.error(request, str(error))
        return redirect("newsroom:reports")
    messages.success(request, _("A draft with the figures is made. Now it needs your words."))
    return redirect(draft.desk_url)


@editor
@require_http_methods(["GET", "HEAD"])
@never_cache
def figures(request: HttpRequest, pk: int) -> HttpResponse:
    """What the report has, beside what the portal would say now."""
    kept = _figures(pk)
    now = timezone.now()
    state = kept.announcement.state(now)
    fresh = compute(kept.quarter, at=now) if state in EDITABLE else []
    known = {table.title: table for table in kept.read()}
    context = {
        "kept": kept,
        "announcement": kept.announcement,
        "state": state,
        "is_frozen": state not in EDITABLE,
        "rows": [_row(table, known.get(table.title), kept) for table in fresh or known.values()],
    }
    return render(request, "newsroom/figures.html", context)


@editor
@require_POST
def renew(request: HttpRequest, pk: int) -> HttpResponse:
    """Take the numbers of now, into the tables that nobody edited."""
    kept = _figures(pk)
    now = timezone.now()
    try:
        left_alone = renew_figures(
            actor=signed_in(request),
            announcement=kept.announcement,
            tables=compute(kept.quarter, at=now),
            seen=number(request.POST),
            at=now,
        )
    except ChangedMeanwhileError:
        messages.error(request, _("Somebody saved another version meanwhile. Look again."))
        return redirect("newsroom:figures", pk)
    except NewsError as error:
        messages.error(request, str(error))
        return redirect("newsroom:figures", pk)
    if left_alone:
        words = _("Renewed. These tables were edited by hand and stay as they are: %(titles)s.")
        messages.warning(request, words % {"titles": ", ".join(left_alone)})
    else:
        messages.success(request, _("The report has the figures of now."))
    return redirect(kept.announcement.desk_url)


def _figures(pk: int) -> ReportFigures:
    return get_object_or_404(ReportFigures.objects.select_related("announcement"), announcement=pk)


def _reports() -> dict[Quarter, Announcement]:
    """The report of each quarter that is not thrown away; the newest where there are several."""
    found = ReportFigures.objects.filter(announcement__dropped_at__isnull=True)
    ordered = found.select_related("announcement").order_by("pk")
    return {kept.quarter: kept.announcement for kept in ordered}


def _row(table: Table, before: Table | None, kept: ReportFigures) -> dict[str, object]:
    """A table with what became of it: as kept, newer than kept, edited by hand."""
    old = markdown(before) if before else ""
    return {
        "table": table,
        "markdown": markdown(table),
        "is_newer": markdown(table) != old,
        "is_edited": old not in kept.announcement.body,
    }
