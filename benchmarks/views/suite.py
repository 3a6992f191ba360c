"""The list of suites, the ledger of one suite, and how everything is measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from benchmarks import ledger, machines, panels, tables, words
from benchmarks.access import MAINTAINERS
from benchmarks.catalogue import Catalogued, catalogued
from benchmarks.client import portal_benchmark
from benchmarks.ledger import Asked, Known
from benchmarks.models import Case, LedgerLine, Result, Run, Suite, Trust
from benchmarks.readers import READERS, limits
from benchmarks.selections import Selection
from benchmarks.statistics.changes import FEWEST_POINTS, SURE_CHANGE, WRONG_CHANGE
from benchmarks.statistics.describe import FEWEST, RANKED
from benchmarks.statistics.draws import DRAWS
from benchmarks.statistics.judge import SMALLEST, SURE, processes_needed
from benchmarks.suites import ready_suites
from portal.accounts.roles import has_role
from portal.lib.program import program_response

PER_PAGE: Final = 20
RECENT: Final = 10
MOST_FOR_PROGRAMS: Final = 5000
DIFFERENCES: Final = (SMALLEST, 0.05, 0.10)  # what the methodology page tells of being seen
SPREADS: Final = (0.01, 0.02, 0.03, 0.05, 0.10)
WHOLE_SUITE: Final = "all"  # connectors x cases instead of one case
FACETS: Final = {
    "transport": gettext_lazy("Transport"),
    "prepare": gettext_lazy("Prepared"),
    "placement": gettext_lazy("CPU placement"),
    "version": gettext_lazy("Version"),
    "machine": gettext_lazy("Machine"),
}
RATES: Final = {"throughput", "rows_per_second"}
SORTS: Final[Mapping[str, Sequence[str]]] = {
    "median": ["placement", "median"],
    "-median": ["placement", "-median"],
    "subject": ["subject", "version"],
    "-subject": ["-subject", "-version"],
    "date": ["uploaded_at"],
    "-date": ["-uploaded_at"],
    "trust": ["trust"],
    "-trust": ["-trust"],
}
SORTED_BY: Final = ("median", "subject", "date", "trust")


@dataclass(frozen=True)
class Line:
    """A row of the ledger: a result, its bar against the largest one, and its release."""

    result: Result
    width: str  # of its bar; empty when there is nothing to draw
    selection: str
    release: Catalogued | None
    panel: str  # the CPU placement, where it begins: lists never rank across it
    params: Mapping[str, Any]  # without those that all lines of the page share


class CountedSoFar(Paginator[Any]):
    """Pages of a ledger, counted no further than they lead."""

    @cached_property
    def count(self) -> int:
        return min(ledger.count_of(self.object_list), ledger.MOST_LINES)  # type: ignore[arg-type]


@require_safe
def suite_list(request: HttpRequest) -> HttpResponse:
    suites = Suite.objects.with_counts()
    runs = Run.objects.published().select_related("suite", "uploader")
    if request.GET.get("format") in {"csv", "json"}:
        return _list_for_programs(request, list(suites))
    context = {
        "suites": suites,
        "recent": runs.exclude(trust=Trust.PUBLISHED)[:RECENT],
        "run_count": runs.exclude(trust=Trust.PUBLISHED).count(),
        "published_count": Result.objects.published().filter(run__trust=Trust.PUBLISHED).count(),
        "ready_names": [suite.name for suite in ready_suites().values()],
        "formats": [reader.name for reader in READERS.values()],
        "may_define": has_role(request.user, *MAINTAINERS),
    }
    if context["may_define"]:
        context["waiting"] = Run.objects.waiting().count()
    return render(request, "benchmarks/list.html", context)


def _list_for_programs(request: HttpRequest, suites: list[Suite]) -> HttpResponse:
    header = ["suite", "name", "summary", "cases", "runs"]
    rows = [
        [one.slug, one.name, one.summary, one.case_count, one.run_count]  # type: ignore[attr-defined]
        for one in suites
    ]
    if request.GET["format"] == "csv":
        return tables.csv_answer("benchmark-suites", header, rows)
    return tables.json_answer({"suites": [dict(zip(header, row, strict=True)) for row in rows]})


@require_safe
def suite_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """One case of the suite, its results in the order that the address asks for; or all cases."""
    suite = get_object_or_404(Suite, slug=slug)
    defined = suite.newest_cases()
    wanted = request.GET.get("case") or next(iter(defined), "")
    known = ledger.known_values(suite, wanted)
    cases = _cases(defined, known)
    asked = Asked.from_query(request.GET.dict())
    context = {
        "suite": suite,
        "cases": cases,
        "asked": asked,
        "trusts": [(str(value), label) for value, label in Trust.choices],
        "whole_suite": WHOLE_SUITE,
        "may_define": has_role(request.user, *MAINTAINERS),
    }
    if wanted == WHOLE_SUITE:
        return _matrix(request, suite, asked, context)
    case = next((one for one in cases if one.slug == wanted), None)
    if case is None and (wanted or cases):
        raise Http404
    return _case(request, suite, case or cases_of_nothing(), known, asked, context)


def cases_of_nothing() -> Case:
    """What an open suite shows before anybody has sent it a case."""
    return Case(slug="", name=_("Results"), direction="higher", definition={})


def _cases(defined: Mapping[str, Case], known: Known) -> list[Case]:
    """The newest version of each defined case, then what open suites took beside them."""
    further = [slug for slug in known.values["slug"] if slug not in defined]
    return [
        *defined.values(),
        *(Case(slug=slug, name=slug, direction="", definition={}) for slug in further),
    ]


def _case(
    request: HttpRequest,
    suite: Suite,
    case: Case,
    known: Known,
    asked: Asked,
    context: dict[str, Any],
) -> HttpResponse:
    lines = asked.narrowed(LedgerLine.objects.filter(suite=suite, case_slug=case.slug), known)
    sort = _sort(request, case, asked)
    lines = lines.order_by(*SORTS[sort], "pk")
    if request.GET.get("format") in {"csv", "json"}:
        return _for_programs(request, suite, lines)
    page = CountedSoFar(lines.told(), PER_PAGE).get_page(request.GET.get("page"))
    shown = list(page.object_list)
    common = panels.shared([line.result.params for line in shown]) if shown[1:] else {}
    context |= {
        "case": case,
        "page": page,
        "lines": _lines(
            shown, common, apart=sort.endswith("median") and len(known.values["placement"]) > 1
        ),
        "shared": common,
        "known": known,
        "choices": _choices(known, asked),
        "sort": request.GET.get("sort", ""),
        "columns": _columns(sort),
        "definition": words.lines(case.definition),
        "most": ledger.MOST_LINES,
    }
    return render(request, "benchmarks/suite.html", context)


def _sort(request: HttpRequest, case: Case, asked: Asked) -> str:
    """What `sort` asks for ("-median" turns it round); by default the best first."""
    wanted = request.GET.get("sort", "")
    if wanted in SORTS:
        return wanted
    is_cost = asked.metric not in RATES if asked.metric else case.direction == "lower"
    return "median" if is_cost else "-median"


def _columns(now: str) -> dict[str, tuple[str, str]]:
    """For each sortable column where its heading leads, and its `aria-sort`."""
    found = {}
    for name in SORTED_BY:
        said = {name: "ascending", f"-{name}": "descending"}.get(now, "none")
        found[name] = (f"-{name}" if now == name else name, said)
    return found


def _lines(shown: Sequence[LedgerLine], common: Mapping[str, Any], *, apart: bool) -> list[Line]:
    """Results of different CPU placements stand apart where a list is ranked."""
    largest = max((abs(one.median) for one in shown), default=0)
    results = [one.result for one in shown]
    releases = catalogued(((one.subject, one.version) for one in results), at=timezone.now())
    found, panel = [], ""
    for line, one in zip(shown, results, strict=True):
        begins = apart and line.placement != panel
        panel = line.placement
        found.append(
            Line(
                one,
                f"{100 * line.median / largest:.0f}%" if line.median > 0 else "",
                str(Selection(one.run.uid, one.subject_slug, one.position)),
                releases.get((one.subject, one.version)),
                panel if begins else "",
                panels.own(one.params, common),
            )
        )
    return found


def _choices(known: Known, asked: Asked) -> list[dict[str, Any]]:
    """The filters that tell results of this case apart."""
    found = [_metrics(known, asked)] if len(known.metrics) > 1 else []
    for name, label in FACETS.items():
        now = asked.values.get(name, "")
        values = [value for value in known.values[name] if value]
        if len(values) > 1 or now:
            options = [(value, _option(name, value, known)[:60]) for value in values]
            found.append({"name": name, "label": label, "options": options, "now": now})
    return found


def _metrics(known: Known, asked: Asked) -> dict[str, Any]:
    """One metric at a time; that of the case needs no word in the address."""
    first, *others = known.metrics
    options = [(one, words.METRICS[one]) for one in others]
    return {
        "name": "metric",
        "label": _("Measured"),
        "empty": words.METRICS[first],
        "options": options,
        "now": asked.metric,
    }


def _option(name: str, value: str, known: Known) -> str:
    if name == "machine":
        return f"{machines.in_words(known.environments.get(value, {}))} {value[:6]}".strip()
    return str(words.PLACEMENTS.get(value, value)) if name == "placement" else value


def _matrix(
    request: HttpRequest, suite: Suite, asked: Asked, context: dict[str, Any]
) -> HttpResponse:
    try:
        number = max(1, min(int(request.GET.get("page", "1")), ledger.MOST_LINES))
    except ValueError:
        number = 1
    cases = context["cases"]
    rows, has_more = ledger.matrix(suite, [one.slug for one in cases], asked, page=number)
    if request.GET.get("format") in {"csv", "json"}:
        return _matrix_for_programs(request, suite, rows)
    releases = catalogued(((row.subject, row.version) for row in rows), at=timezone.now())
    context |= {
        "rows": [(row, releases.get((row.subject, row.version))) for row in rows],
        "previous": number - 1,
        "next": number + 1 if has_more else 0,
        "choices": [
            {"name": name, "label": FACETS[name], "options": [(v, v) for v in values], "now": now}
            for name, values in ledger.MATRIX_CHOICES.items()
            for now in [asked.values.get(name, "")]
        ],
    }
    return render(request, "benchmarks/matrix.html", context)


def _matrix_for_programs(request: HttpRequest, suite: Suite, rows: Any) -> HttpResponse:
    results = [cell for row in rows for cell in row.cells if cell is not None]
    return _told_to_programs(request, suite, results)


def _for_programs(request: HttpRequest, suite: Suite, lines: Any) -> HttpResponse:
    results = [line.result for line in lines.told()[:MOST_FOR_PROGRAMS]]
    return _told_to_programs(request, suite, results)


def _told_to_programs(request: HttpRequest, suite: Suite, results: list[Result]) -> HttpResponse:
    if request.GET["format"] == "csv":
        return tables.csv_answer(
            f"benchmarks-{suite.slug}", tables.RESULT_HEADER, map(tables.result_row, results)
        )
    data = {"suite": suite.slug, "results": [tables.result_data(one) for one in results]}
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
