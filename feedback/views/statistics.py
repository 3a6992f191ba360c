"""The statistics page, and the same numbers at stable addresses as JSON and CSV."""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from feedback import statistics
from feedback.charts import CHARTS, MONTHS, Breakdown, board, plain_label
from feedback.models import Period
from feedback.publication import SMALLEST

# What existing clients ask for, and the chart that answers.
REST_CHARTS: Final[Mapping[str, str]] = {
    "server-count": "servers",
    "version-breakdown": "series",
    "architecture-breakdown": "architectures",
    "feature-count": "features",
    "os": "systems",
}
AnyResponse = TypeVar("AnyResponse", bound=HttpResponse)
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


@require_safe
def statistics_page(request: HttpRequest) -> HttpResponse:
    month = month_of(request.GET.get("month", ""))
    context = statistics.context(month=month, at=timezone.now())
    return render(request, "feedback/statistics.html", context)


def month_of(text: str) -> dt.date | None:
    """The first day of `2026-11`; None for anything else."""
    try:
        return dt.datetime.strptime(text, "%Y-%m").replace(tzinfo=dt.UTC).date()
    except ValueError:
        return None


@require_safe
def chart_json(request: HttpRequest, chart: str) -> JsonResponse:
    """All months of a chart: `{"title", "smallest_cell", "months": [{"month", "cells", ...}]}`.

    The month that runs is rounded down to tens; `rounded_to` says so.
    """
    months = [
        {
            "month": f"{month:%Y-%m}",
            "servers": breakdown.base,
            "rounded_to": breakdown.rounded_to,
            "hidden_cells": breakdown.hidden if breakdown.rounded_to == 1 else None,
            "cells": [
                {
                    "label": plain_label(cell),
                    "servers": cell.servers,
                    "percent": round(breakdown.percent(cell.servers) or 0, 2),
                }
                for cell in breakdown.cells
            ],
        }
        for month, breakdown in _over_time(chart).items()
    ]
    title = str(CHARTS[chart].title)
    return _public(JsonResponse({"title": title, "smallest_cell": SMALLEST, "months": months}))


@require_safe
def chart_csv(request: HttpRequest, chart: str) -> HttpResponse:
    """The same as lines of month, label, servers, percent, base, rounded_to."""
    rows = [
        (
            f"{month:%Y-%m}",
            plain_label(cell),
            cell.servers,
            round(breakdown.percent(cell.servers) or 0, 2),
            breakdown.base,
            breakdown.rounded_to,
        )
        for month, breakdown in _over_time(chart).items()
        for cell in breakdown.cells
    ]
    text = to_csv([("month", "label", "servers", "percent", "base", "rounded_to"), *rows])
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{chart}.csv"'
    return _public(response)


def to_csv(rows: Iterable[Iterable[object]]) -> str:
    """CSV in which no cell is taken for a formula."""
    out = io.StringIO()
    writer = csv.writer(out)
    for row in rows:
        writer.writerow([f"'{c}" if str(c).startswith(_FORMULA) else c for c in row])
    return out.getvalue()


@require_safe
def rest_chart(request: HttpRequest, name: str) -> JsonResponse:
    """A chart in the form that clients of the former statistics site read."""
    if name not in REST_CHARTS:
        raise Http404
    shown = _over_time(REST_CHARTS[name])
    values: dict[str, dict[str, list[Any]]] = {}
    for month, breakdown in shown.items():
        for cell in breakdown.cells:
            series = values.setdefault(plain_label(cell), {"x": [], "y": []})
            series["x"].append(month.isoformat())
            series["y"].append(cell.servers)
    months = list(shown)
    end = Period(unit=Period.Unit.MONTH, start=months[-1]).end if months else None
    metadata = {
        "computed_start_date": months[0].isoformat() if months else None,
        "computed_end_date": (end - dt.timedelta(days=1)).isoformat() if end else None,
    }
    title = str(CHARTS[REST_CHARTS[name]].title)
    return _public(JsonResponse({"title": title, "values": values, "metadata": metadata}))


def _over_time(chart: str) -> dict[dt.date, Breakdown]:
    if chart not in CHARTS:
        raise Http404
    months = Period.objects.months().reverse().values_list("start", flat=True)[:MONTHS]
    which = Q(chart__in=[CHARTS[chart].counted, "servers"])
    return board(which, months=months, at=timezone.now()).over_time(chart)


def _public(response: AnyResponse) -> AnyResponse:
    response["Access-Control-Allow-Origin"] = "*"
    response["Cache-Control"] = "public, max-age=300"
    return response
