"""One chart at stable addresses: a page, and the same numbers as SVG, CSV and JSON."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any, Final

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    JsonResponse,
    QueryDict,
)
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_safe

from feedback import chart_page
from feedback.breakdowns import Breakdown
from feedback.chart_page import UNITS, Selection, computed_months, over_time
from feedback.charts import CHARTS, MONTHS
from feedback.crossed import FACTS, Within
from feedback.labels import plain_label
from feedback.publication import SMALLEST
from feedback.views.kept import drawn_before, told_before, unless_known
from portal.lib import spreadsheet
from portal.lib.plot import standalone

NOT_TOLD: Final = (
    "A chart is told of all servers, or within a series, a system or both;"
    " series and systems also within one fact more."
)
HEAD: Final = ("month", "label", "servers", "percent", "base", "rounded_to")
LONGEST: Final = 60  # letters of a label in an address


def selection_of(chart: str, asked: QueryDict) -> Selection:
    """What an address asks for: an unknown chart is 404, of an unknown fact nothing is told, and
    other nonsense is as if it was not there.
    """
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
        beyond=bool(fact and not is_fact) or _asks_for_more(asked),
    )
    return Selection(
        chart,
        month_of(asked.get("month", "")),
        month_of(asked.get("compare", "")),
        unit if unit in UNITS else UNITS[0],
        within,
    )


def _asks_for_more(asked: QueryDict) -> bool:
    """Two further facts, or a chart that is named as a filter, as in `?architectures=aarch64`."""
    return len(asked.getlist("with")) > 1 or any(
        name in CHARTS and name != "series" for name in asked
    )


def month_of(text: str) -> dt.date | None:
    """The first day of `2026-11`; None for anything else."""
    try:
        return dt.datetime.strptime(text, "%Y-%m").replace(tzinfo=dt.UTC).date()
    except ValueError:
        return None


@require_safe
def chart_page_view(request: HttpRequest, chart: str) -> HttpResponseBase:
    asked, now = selection_of(chart, request.GET), timezone.now()

    def draw() -> str:
        context = chart_page.context(asked, at=now) | {"name": chart, "charts": CHARTS}
        return render_to_string("feedback/chart_body.html", context, request)

    drawn = drawn_before(("chart", asked), draw, at=now)
    context = {"chart": CHARTS[chart], "drawn": drawn}
    return unless_known(request, render(request, "feedback/chart.html", context))


@require_safe
def chart_svg(request: HttpRequest, chart: str) -> HttpResponseBase:
    """The chart over time, for an `img` of any site."""
    asked = selection_of(chart, request.GET)

    def draw() -> HttpResponse:
        drawn = chart_page.draw(asked, _asked_over_time(asked))
        if not drawn:
            raise Http404
        return HttpResponse(standalone(drawn), content_type="image/svg+xml")

    return told_before(request, asked, draw)


@require_safe
def chart_json(request: HttpRequest, chart: str) -> HttpResponseBase:
    """All months of a chart: `{"title", "smallest_cell", "within", "months": [{"month", ...}]}`.

    The month that runs is rounded down to tens; `rounded_to` says so.
    """
    asked = selection_of(chart, request.GET)
    return told_before(request, asked, lambda: JsonResponse(_values(asked)))


def _values(asked: Selection) -> dict[str, Any]:
    within = asked.within
    facts = {"series": within.series, "system": within.system, within.fact: within.label}
    return {
        "title": str(CHARTS[asked.chart].title),
        "smallest_cell": SMALLEST,
        "within": {name: label for name, label in facts.items() if label},
        "not_told": "" if within.fits(asked.chart) else NOT_TOLD,
        "months": [_month(m, shown) for m, shown in _asked_over_time(asked).items()],
    }


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
def chart_csv(request: HttpRequest, chart: str) -> HttpResponseBase:
    """The same as lines of month, label, servers, percent, base, rounded_to."""
    asked = selection_of(chart, request.GET)

    def tell() -> HttpResponse:
        text = spreadsheet.lines([HEAD, *_lines(asked)])
        response = HttpResponse(text, content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{chart}.csv"'
        return response

    return told_before(request, asked, tell)


def _lines(asked: Selection) -> Iterator[tuple[object, ...]]:
    for month, shown in _asked_over_time(asked).items():
        for cell in shown.cells:
            yield (
                f"{month:%Y-%m}",
                plain_label(cell),
                cell.servers,
                round(shown.share(cell) or 0, 2),
                cell.base or shown.base,
                shown.rounded_to,
            )


def _asked_over_time(asked: Selection) -> dict[dt.date, Breakdown]:
    months = computed_months()[:MONTHS]
    return over_time(asked.chart, asked.within, months, at=timezone.now())
