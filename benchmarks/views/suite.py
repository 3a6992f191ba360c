"""The list of suites, the ledger of one suite, and how everything is measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.core.paginator import Paginator
from django.db.models import F, QuerySet
from django.db.models.expressions import OrderBy
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from benchmarks import tables, words
from benchmarks.client import portal_benchmark
from benchmarks.models import Case, Result, Run, Suite, Trust
from benchmarks.readers import READERS, limits
from benchmarks.selections import Selection
from benchmarks.statistics.changes import FEWEST_POINTS, SURE_CHANGE, WRONG_CHANGE
from benchmarks.statistics.describe import FEWEST, RANKED
from benchmarks.statistics.draws import DRAWS
from benchmarks.statistics.judge import SMALLEST, SURE, processes_needed
from benchmarks.suites import ready_suites
from portal.lib.program import program_response

PER_PAGE: Final = 50
RECENT: Final = 10
MOST_CHOICES: Final = 200
MOST_FOR_PROGRAMS: Final = 5000
DIFFERENCES: Final = (SMALLEST, 0.05, 0.10)  # what the methodology page tells of being seen
SPREADS: Final = (0.01, 0.02, 0.03, 0.05, 0.10)
FILTERS: Final = {
    "transport": gettext_lazy("Transport"),
    "prepare": gettext_lazy("Prepared"),
}
SORTS: Final[Mapping[str, str]] = {
    "median": "statistics__median",
    "subject": "subject",
    "date": "run__uploaded_at",
    "trust": "run__trust",
}


@dataclass(frozen=True)
class Line:
    """A row of the ledger: a result, and its bar as a share of the largest one."""

    result: Result
    share: float | None
    selection: str


@require_safe
def suite_list(request: HttpRequest) -> HttpResponse:
    suites = Suite.objects.with_counts()
    runs = Run.objects.published().select_related("suite", "uploader")
    context = {
        "suites": suites,
        "recent": runs.exclude(trust=Trust.PUBLISHED)[:RECENT],
        "run_count": runs.exclude(trust=Trust.PUBLISHED).count(),
        "published_count": Result.objects.published().filter(run__trust=Trust.PUBLISHED).count(),
        "ready_names": [suite.name for suite in ready_suites().values()],
        "formats": [reader.name for reader in READERS.values()],
    }
    return render(request, "benchmarks/list.html", context)


@require_safe
def suite_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """One case of the suite at a time, its results in the order that the query asks for."""
    suite = get_object_or_404(Suite, slug=slug)
    every = Result.objects.published().filter(run__suite=suite)
    cases = _cases(suite, every)
    case = _chosen_case(request, cases)
    results = _filtered(request, every.filter(case_slug=case.slug)).order_by(*_order(request, case))
    if request.GET.get("format") in {"csv", "json"}:
        return _for_programs(request, suite, results)
    page = Paginator(results.told(), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "suite": suite,
        "cases": cases,
        "case": case,
        "page": page,
        "lines": _lines(list(page.object_list)),
        "choices": _choices(request, every.filter(case_slug=case.slug)),
        "trusts": [(str(value), label, request.GET.get("trust")) for value, label in Trust.choices],
        "sort": request.GET.get("sort", ""),
        "columns": _columns(request, case),
        "definition": words.lines(case.definition),
    }
    return render(request, "benchmarks/suite.html", context)


def _cases(suite: Suite, every: QuerySet[Result]) -> list[Case]:
    """The newest version of each defined case, then what open suites took beside them."""
    found = {case.slug: case for case in suite.cases.order_by("position", "slug", "version")}
    if suite.is_open:
        slugs = every.order_by("case_slug").values_list("case_slug", flat=True).distinct()
        for slug in slugs:
            found.setdefault(slug, Case(slug=slug, name=slug, direction="", definition={}))
    return list(found.values())


def _chosen_case(request: HttpRequest, cases: list[Case]) -> Case:
    wanted = request.GET.get("case")
    if wanted is None and cases:
        return cases[0]
    for case in cases:
        if case.slug == wanted:
            return case
    raise Http404


def _filtered(request: HttpRequest, results: Any) -> Any:
    for name in FILTERS:
        if value := request.GET.get(name):
            results = results.filter(**{f"params__{name}": value})
    trust = request.GET.get("trust", "")
    return results.filter(run__trust=int(trust)) if trust in {"0", "1", "2"} else results


def _order(request: HttpRequest, case: Case) -> list[OrderBy | str]:
    """What `sort` asks for ("-median" turns it round); by default the best first."""
    wanted = request.GET.get("sort") or ("median" if case.direction == "lower" else "-median")
    field = F(SORTS.get(wanted.removeprefix("-"), "statistics__median"))
    down = wanted.startswith("-")
    first = field.desc(nulls_last=True) if down else field.asc(nulls_last=True)
    return [first, "pk"]


def _columns(request: HttpRequest, case: Case) -> dict[str, tuple[str, str]]:
    """For each sortable column where its heading leads, and its `aria-sort`."""
    now = request.GET.get("sort") or ("median" if case.direction == "lower" else "-median")
    found = {}
    for name in SORTS:
        said = {name: "ascending", f"-{name}": "descending"}.get(now, "none")
        found[name] = (f"-{name}" if now == name else name, said)
    return found


def _lines(results: list[Result]) -> list[Line]:
    largest = max((abs(_median(one) or 0) for one in results), default=0)
    return [
        Line(
            one,
            (median / largest if largest and (median := _median(one)) and median > 0 else None),
            str(Selection(one.run.uid, one.subject_slug, one.position)),
        )
        for one in results
    ]


def _median(one: Result) -> float | None:
    return one.statistics.median if hasattr(one, "statistics") else None


def _choices(request: HttpRequest, results: QuerySet[Result]) -> list[dict[str, Any]]:
    """The filters that tell results of this case apart."""
    fields = [f"params__{name}" for name in FILTERS]
    known = list(results.order_by(*fields).values_list(*fields).distinct()[:MOST_CHOICES])
    found = []
    for at, (name, label) in enumerate(FILTERS.items()):
        options = sorted({str(values[at]) for values in known if values[at] is not None})
        if len(options) > 1:
            found.append(
                {"name": name, "label": label, "options": options, "now": request.GET.get(name)}
            )
    return found


def _for_programs(request: HttpRequest, suite: Suite, results: Any) -> HttpResponse:
    rows = results.told()[:MOST_FOR_PROGRAMS]
    if request.GET["format"] == "csv":
        return tables.csv_answer(
            f"benchmarks-{suite.slug}", tables.RESULT_HEADER, map(tables.result_row, rows)
        )
    data = {"suite": suite.slug, "results": [tables.result_data(one) for one in rows]}
    return tables.json_answer(data)


@require_safe
def client(request: HttpRequest) -> HttpResponse:
    """The command line client, one file."""
    return program_response(Path(portal_benchmark.__file__))


@require_safe
def methodology(request: HttpRequest) -> HttpResponse:
    context = {
        "draws": DRAWS,
        "fewest": FEWEST,
        "sure": SURE,
        "smallest": SMALLEST,
        "ranked": RANKED,
        "differences": DIFFERENCES,
        "promised": [
            (
                spread,
                [(one, processes_needed(share=one, spread=spread)) for one in DIFFERENCES],
            )
            for spread in SPREADS
        ],
        "fewest_points": FEWEST_POINTS,
        "sure_change": SURE_CHANGE,
        "wrong_change": WRONG_CHANGE,
        "ladder": [(value, label) for value, label in Trust.choices],
        "results": limits.RESULTS,
        "processes": limits.PROCESSES,
        "samples": limits.SAMPLES,
        "formats": [reader.name for reader in READERS.values()],
        "anonymous": _("anonymous"),
    }
    return render(request, "benchmarks/methodology.html", context)
