"""One chart at stable addresses: a page, and the same numbers as SVG, CSV and JSON."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final, TypeVar

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from feedback import chart_page
from feedback.breakdowns import Breakdown
from feedback.chart_page import UNITS, Selection, computed_months, over_time
from feedback.charts import CHARTS, MONTHS
from feedback.crossed import FACTS, Within
from feedback.labels import plain_label
from feedback.publication import SMALLEST
from portal.lib import spreadsheet
from portal.lib.plot import standalone

AnyResponse = TypeVar("AnyResponse", bound=HttpResponse)
LONGEST: Final = 60  # letters of a label in an address


def selection_of(chart: str, asked: QueryDict) -> Selection:
    """What an address asks for. Nonsense is as if it was not there; an unknown chart is 404."""
    if chart not in CHARTS:
        raise Http404
    unit = asked.get("unit", "")
    fact, _, label = asked.get("with", "")[:LONGEST].partition(":")
    is_fact = fact in FACTS and bool(label)
    within = Within(
        asked.get("series", "")[:LONGEST],
        asked.get("system", "")[:LONGEST],
        fact if is_fact else "",
        label if is_fact else "",
    )
    return Selection(
        chart,
        month_of(asked.get("month", "")),
        month_of(asked.get("compare", "")),
        unit if unit in UNITS else UNITS[0],
        within,
    )


def month_of(text: str) -> dt.date | None:
    """The first day of `2026-11`; None for anything else."""
    try:
        return dt.datetime.strptime(text, "%Y-%m").replace(tzinfo=dt.UTC).date()
    except ValueError:
        return None


@require_safe
def chart_page_view(request: HttpRequest, chart: str) -> HttpResponse:
    asked = selection_of(chart, request.GET)
    context = chart_page.context(asked, at=timezone.now())
    return render(request, "feedback/chart.html", context | {"name": chart, "charts": CHARTS})


@require_safe
def chart_svg(request: HttpRequest, chart: str) -> HttpResponse:
    """The chart over time, for an `img` of any site."""
    asked = selection_of(chart, request.GET)
    drawn = chart_page.draw(asked, _asked_over_time(asked))
    if not drawn:
        raise Http404
    return public(HttpResponse(standalone(drawn), content_type="image/svg+xml"))


@require_safe
def chart_json(request: HttpRequest, chart: str) -> JsonResponse:
    """All months of a chart: `{"title", "smallest_cell", "within", "months": [{"month", ...}]}`.

    The month that runs is rounded down to tens; `rounded_to` says so.
    """
    asked = selection_of(chart, request.GET)
    within = asked.within
    facts = {"series": within.series, "system": within.system, within.fact: within.label}
    told = {
        "title": str(CHARTS[chart].title),
        "smallest_cell": SMALLEST,
        "within": {name: label for name, label in facts.items() if label},
        "months": [_month(m, shown) for m, shown in _asked_over_time(asked).items()],
    }
    return public(JsonResponse(told))


def _month(month: dt.date, shown: Breakdown) -> dict[str, Any]:
    cells = []
    for cell in shown.cells:
        percent = round(shown.share(cell) or 0, 2)
        told = {"label": plain_label(cell), "servers": cell.servers, "percent": percent}
        cells.append(told | ({"of_servers": cell.base} if cell.base else {}))
    return {
        "month": f"{month:%Y-%m}",
        "servers": shown.base,
        "rounded_to": shown.rounded_to,
        "hidden_cells": shown.hidden if shown.rounded_to == 1 else None,
        "cells": cells,
    }


@require_safe
def chart_csv(request: HttpRequest, chart: str) -> HttpResponse:
    """The same as lines of month, label, servers, percent, base, rounded_to."""
    rows = [
        (
            f"{month:%Y-%m}",
            plain_label(cell),
            cell.servers,
            round(shown.share(cell) or 0, 2),
            cell.base or shown.base,
            shown.rounded_to,
        )
        for month, shown in _asked_over_time(selection_of(chart, request.GET)).items()
        for cell in shown.cells
    ]
    head = ("month", "label", "servers", "percent", "base", "rounded_to")
    text = spreadsheet.lines([head, *rows])
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{chart}.csv"'
    return public(response)


def _asked_over_time(asked: Selection) -> dict[dt.date, Breakdown]:
    months = computed_months()[:MONTHS]
    return over_time(asked.chart, asked.within, months, at=timezone.now())


def public(response: AnyResponse) -> AnyResponse:
    response["Access-Control-Allow-Origin"] = "*"
    response["Cache-Control"] = "public, max-age=300"
    return response
