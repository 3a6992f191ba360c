"""The statistics as JSON, for the one OpenAPI document."""

from __future__ import annotations

from functools import partial
from typing import Final

from feedback.charts import CHARTS
from feedback.views.statistics import REST_CHARTS
from portal.lib.openapi import (
    DATE,
    NUMBER,
    SHARE,
    TEXT,
    Paths,
    Schema,
    a,
    by_name,
    many,
    maybe,
    query,
    read,
)

CELL: Final[Schema] = {
    "type": "object",
    "properties": {"label": TEXT, "servers": NUMBER, "percent": SHARE, "of_servers": NUMBER},
    "required": ["label", "servers", "percent"],
    "additionalProperties": False,
}
MONTH: Final = a(
    month={"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}$"},
    servers=NUMBER,
    rounded_to=NUMBER,
    hidden_cells=maybe(NUMBER),
    cells=many(CELL),
)
CHART: Final = a(
    title=TEXT, smallest_cell=NUMBER, within=by_name(TEXT), not_told=TEXT, months=many(MONTH)
)
LINES: Final = a(
    title=TEXT,
    values=by_name(a(x=many(DATE), y=many(NUMBER))),
    metadata=a(computed_start_date=maybe(DATE), computed_end_date=maybe(DATE)),
)
EXAMPLE: Final = {
    "title": "Servers",
    "smallest_cell": 10,
    "within": {},
    "not_told": "",
    "months": [
        {
            "month": "2026-10",
            "servers": 456,
            "rounded_to": 1,
            "hidden_cells": 0,
            "cells": [{"label": "servers", "servers": 456, "percent": 100.0}],
        }
    ],
}
WITHIN: Final = [
    query("series", "only servers of this series", example="11.8"),
    query("system", "only servers on this system", example="Linux"),
    query("with", "a further fact, `name:value`"),
]

tell = partial(read, tag="statistics")

PATHS: Final[Paths] = {
    **tell(
        "/statistics/{chart}.json",
        "The numbers of a chart, month by month",
        answer=CHART,
        names={"chart": "servers"},
        queries=WITHIN,
        example=EXAMPLE,
        text=f"Charts: {', '.join(f'`{name}`' for name in CHARTS)}. The month that runs is rounded"
        " down to tens; a cell of fewer servers than `smallest_cell` is never told.",
    ),
    **tell(
        "/rest/v1/charts/{name}/",
        "The same as lines of x and y, as clients of the former statistics site read them",
        answer=LINES,
        names={"name": "server-count"},
        text=f"Names: {', '.join(f'`{name}`' for name in REST_CHARTS)}.",
    ),
}
