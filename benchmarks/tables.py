"""The same numbers for programs: CSV that a spreadsheet cannot mistake for formulas, and JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.http import HttpResponse, JsonResponse

from benchmarks.models import Result, Run

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def safe(value: object) -> object:
    """A cell that no spreadsheet will run: text that begins like a formula gets an apostrophe."""
    if isinstance(value, str) and value.lstrip().startswith(FORMULA):
        return f"'{value}"
    return value


def csv_answer(name: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> HttpResponse:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([safe(cell) for cell in row] for row in rows)
    answer = HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return _public(answer)


def json_answer(data: Mapping[str, Any]) -> HttpResponse:
    return _public(
        JsonResponse(data, json_dumps_params={"ensure_ascii": False, "allow_nan": False})
    )


def _public(answer: HttpResponse) -> HttpResponse:
    answer["Access-Control-Allow-Origin"] = "*"
    return answer


RESULT_HEADER: Final = [
    "suite",
    "case",
    "subject",
    "version",
    "implementation",
    "parameters",
    "metric",
    "unit",
    "better",
    "median",
    "low",
    "high",
    "processes",
    "samples",
    "mad",
    "minimum",
    "lower_quartile",
    "upper_quartile",
    "maximum",
    "trust",
    "run",
]

COMPUTED: Final = RESULT_HEADER[9:19]


def params_cell(params: Mapping[str, Any]) -> str:
    """Parameters in one cell: "transport=tcp threads=4"."""
    return " ".join(f"{name}={value}" for name, value in params.items())


def result_row(one: Result) -> list[object]:
    found = getattr(one, "statistics", None)
    return [
        one.run.suite.slug,
        one.case_slug,
        one.subject,
        one.version,
        one.implementation,
        params_cell(one.params),
        one.metric,
        one.unit,
        one.direction,
        *(getattr(found, name, None) for name in COMPUTED),
        one.trust,
        str(one.run.uid),
    ]


def result_data(one: Result) -> dict[str, Any]:
    found = getattr(one, "statistics", None)
    return {
        **dict(zip(RESULT_HEADER, result_row(one), strict=True)),
        "parameters": one.params,
        "summary": one.summary,
        "evidence": one.evidence,
        "flags": found.flags if found else one.flags,
        "error": one.error,
    }


def run_data(run: Run, results: Iterable[Result]) -> dict[str, Any]:
    return {
        "id": str(run.uid),
        "suite": run.suite.slug,
        "state": run.state,
        "trust": run.trust,
        "title": run.title,
        "format": run.format,
        "tool": run.tool,
        "source": run.source,
        "environment": run.environment,
        "order": run.order,
        "uploaded_at": run.uploaded_at.isoformat(),
        "computed": run.computed_at is not None,
        "remarks": run.remarks,
        "tags": run.tags,
        "reason": run.reason,
        "signed_as": run.signed_as,
        "superseded_by": str(run.superseded_by.uid) if run.superseded_by else None,
        "results": [result_data(one) for one in results],
    }
