"""The machines of runs: what they are, their runs, and what differed between these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.core.paginator import Paginator
from django.db.models import Count, Max
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from benchmarks import machines, tables, words
from benchmarks.models import Run

PER_PAGE: Final = 50
MOST: Final = 500
# What the fingerprint is taken of; the governor of a processor is a condition of the run.
OF_CPU: Final = ("cpu model", "cpu arch", "cpu cores", "cpu threads")
IN_PRINT: Final = (*OF_CPU, "memory bytes", "machine class", "virtualization")
HEADER: Final = ["run", "suite", "title", "uploaded", "trust", "server", "kernel"]


@dataclass(frozen=True)
class Difference:
    """A condition that was not the same in all runs, with its values and how many had each."""

    name: str
    values: Sequence[tuple[str, int]]


@require_safe
def machine_list(request: HttpRequest) -> HttpResponse:
    found = (
        Run.objects.published()
        .exclude(machine="")
        .order_by()
        .values("machine")
        .annotate(runs=Count("pk"), last=Max("uploaded_at"), example=Max("pk"))
        .order_by("-last")[:MOST]
    )
    rows: list[dict[str, Any]] = [dict(row) for row in found]
    examples = Run.objects.in_bulk([row["example"] for row in rows])
    for row in rows:
        row["words"] = machines.in_words(examples[row["example"]].environment)
    kind = request.GET.get("format")
    if kind == "csv":
        cells = [[row["machine"], row["words"], row["runs"], row["last"]] for row in rows]
        return tables.csv_answer("machines", ["machine", "what", "runs", "last"], cells)
    if kind == "json":
        keys = ("machine", "words", "runs", "last")
        return tables.json_answer({"machines": [{key: row[key] for key in keys} for row in rows]})
    return render(request, "benchmarks/machines.html", {"rows": rows})


@require_safe
def machine_detail(request: HttpRequest, fingerprint: str) -> HttpResponse:
    runs = Run.objects.published().filter(machine=fingerprint).select_related("suite", "uploader")
    page = Paginator(runs, PER_PAGE).get_page(request.GET.get("page"))
    shown = list(page.object_list)
    if not shown:
        raise Http404
    kind = request.GET.get("format")
    if kind == "csv":
        return tables.csv_answer(f"machine-{fingerprint[:12]}", HEADER, map(_cells, runs[:MOST]))
    if kind == "json":
        told = [dict(zip(HEADER, _cells(run), strict=True)) for run in runs[:MOST]]
        facts = _machine_only(shown[0])
        return tables.json_answer({"machine": fingerprint, "facts": dict(facts), "runs": told})
    same, differing = _compared([dict(words.lines(run.environment)) for run in shown])
    context = {
        "fingerprint": fingerprint,
        "words": machines.in_words(shown[0].environment),
        "facts": _machine_only(shown[0]),
        "page": page,
        "same": same,
        "differing": differing,
    }
    return render(request, "benchmarks/machine.html", context)


def _machine_only(run: Run) -> list[tuple[str, str]]:
    """What the fingerprint is taken of, as one of its runs told it."""
    return [line for line in words.lines(run.environment) if line[0].startswith(IN_PRINT)]


def _compared(told: Sequence[dict[str, str]]) -> tuple[list[tuple[str, str]], list[Difference]]:
    """Conditions beside the machine: the same in every run, or not. What one left out differs."""
    same, differing = [], []
    for name in dict.fromkeys(name for one in told for name in one):
        if name.startswith(IN_PRINT):
            continue
        values = [one.get(name, "—") for one in told]
        if len(set(values)) == 1:
            same.append((name, values[0]))
        else:
            counts = [(value, values.count(value)) for value in dict.fromkeys(values)]
            differing.append(Difference(name, counts))
    return same, differing


def _cells(run: Run) -> list[Any]:
    kernel = (run.environment.get("os") or {}).get("kernel", "")
    server = machines.server_in_words(run.environment)
    uploaded = run.uploaded_at.isoformat()
    return [str(run.uid), run.suite.slug, run.title, uploaded, run.trust, server, kernel]
