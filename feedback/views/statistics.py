"""The statistics page, and charts in the form that clients of the former site read."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.http import require_safe

from feedback import statistics
from feedback.chart_page import computed_months, over_time
from feedback.charts import CHARTS, MONTHS
from feedback.crossed import Within
from feedback.labels import plain_label
from feedback.models import Period
from feedback.views.chart import month_of
from feedback.views.kept import drawn_before, told_before, unless_known

# What existing clients ask for, and the chart that answers.
REST_CHARTS: Final[Mapping[str, str]] = {
    "server-count": "servers",
    "version-breakdown": "series",
    "architecture-breakdown": "architectures",
    "feature-count": "features",
    "os": "systems",
}


@require_safe
def statistics_page(request: HttpRequest) -> HttpResponseBase:
    month, now = month_of(request.GET.get("month", "")), timezone.now()

    def draw() -> str:
        context = statistics.context(month=month, at=now)
        return render_to_string("feedback/statistics_body.html", context, request)

    drawn = drawn_before(("statistics", month), draw, at=now)
    return unless_known(request, render(request, "feedback/statistics.html", {"drawn": drawn}))


@require_safe
def rest_chart(request: HttpRequest, name: str) -> HttpResponseBase:
    """A chart in the form that clients of the former statistics site read."""
    if name not in REST_CHARTS:
        raise Http404
    return told_before(request, name, lambda: JsonResponse(_rest_values(REST_CHARTS[name])))


def _rest_values(chart: str) -> dict[str, Any]:
    shown = over_time(chart, Within(), computed_months()[:MONTHS], at=timezone.now())
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
    return {"title": str(CHARTS[chart].title), "values": values, "metadata": metadata}
