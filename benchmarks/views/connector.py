"""A connector over its versions: a line for each set of conditions, with where it changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from benchmarks import tables, tasks, words
from benchmarks.access import MAINTAINERS, maintainer
from benchmarks.actions.line import ask_line, known_lines, mark_change
from benchmarks.models import ChangeMark, Line, Result, Trust
from benchmarks.series import Series, series_of
from benchmarks.statistics.changes import FEWEST_POINTS
from benchmarks.throttle import may_ask
from portal.accounts.access import signed_in
from portal.accounts.models import User
from portal.accounts.roles import has_role
from portal.lib import plot
from portal.lib.jobs import after_commit
from releases.models import Product

PER_PAGE: Final = 6
MOST: Final = 3000  # results of one case that are read, the newest
HEADER: Final = [
    "series",
    "version",
    "case",
    "parameters",
    "server_and_machine",
    "unit",
    "median",
    "low",
    "high",
    "processes",
    "trust",
    "run",
    "change",
    "p",
    "mark",
    "reason",
]


@dataclass(frozen=True, slots=True)
class Step:
    """A change point of a line, in words, and what people said of it."""

    at: int
    ratio: float
    p: float
    told: str
    mark: ChangeMark | None


@dataclass(frozen=True, slots=True)
class Shown:
    """A line as the page shows it."""

    series: Series
    steps: Sequence[Step]
    state: str  # "few", "waiting", "given_up" or "searched"

    @property
    def rows(self) -> list[tuple[Result, Step | None]]:
        steps = {step.at: step for step in self.steps}
        return [(one, steps.get(at)) for at, one in enumerate(self.series.points)]

    @property
    def drawing(self) -> str:
        points, unit = self.series.points, self.series.last.unit
        title = _("%(name)s over versions, %(params)s") % {
            "name": points[-1].subject,
            "params": words.params_in_words(self.series.params) or _("no parameters told"),
        }
        steps = [f"{points[step.at].version}: {step.told}" for step in self.steps]
        return plot.lines(
            plot.Text(title, "; ".join(steps) or _("No change point is shown.")),
            [one.version or "—" for one in points],
            [plot.Line(points[-1].version or "—", self.series.values)],
            words=lambda value: words.measure(value, unit) if value else "0",
            notes=[plot.Note(step.at, step.told) for step in self.steps],
        )


@require_safe
def connector_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """One case at a time; results of our runner, or all with `trust=all`."""
    every = Result.objects.published().filter(connector=slug, run__trust__gt=Trust.PUBLISHED)
    product = Product.objects.shown(timezone.now()).filter(slug=slug).first()
    cases = list(
        every.order_by("run__suite__position", "case_slug")
        .values_list("run__suite__slug", "run__suite__name", "case_slug")
        .distinct()
    )
    if not cases and product is None:
        raise Http404
    chosen = _chosen(request, cases)
    page = Paginator(_series(request, every, chosen), PER_PAGE).get_page(request.GET.get("page"))
    shown = _searched(request, slug, page.object_list)
    kind = request.GET.get("format")
    if kind == "csv":
        return tables.csv_answer(f"connector-{slug}", HEADER, _cells(shown))
    if kind == "json":
        return tables.json_answer({"connector": slug, "series": [_data(one) for one in shown]})
    context = {
        "slug": slug,
        "name": product.name if product else _name(every),
        "product": product,
        "cases": [(f"{suite}:{case}", name, case) for suite, name, case in cases],
        "chosen": chosen,
        "page": page,
        "shown": shown,
        "all": request.GET.get("trust") == "all",
        "waiting": any(one.state == "waiting" for one in shown),
        "fewest": FEWEST_POINTS,
        "may_mark": isinstance(request.user, User) and has_role(request.user, *MAINTAINERS),
        "findings": ChangeMark.Finding.choices,
    }
    return render(request, "benchmarks/connector.html", context)


def _chosen(request: HttpRequest, cases: Sequence[tuple[str, str, str]]) -> str:
    """The case of the address as suite:case; without one the first."""
    known = [f"{suite}:{case}" for suite, _name, case in cases]
    wanted = request.GET.get("case")
    if wanted is not None and wanted not in known:
        raise Http404
    return wanted or (known[0] if known else "")


def _series(request: HttpRequest, every: Any, chosen: str) -> list[Series]:
    suite, _colon, case = chosen.partition(":")
    results = every.filter(run__suite__slug=suite, case_slug=case)
    if request.GET.get("trust") != "all":
        results = results.filter(trust__gte=Trust.OUR_RUNNER)
    return series_of(results.told().select_related("case").order_by("-run__uploaded_at")[:MOST])


def _name(every: Any) -> str:
    name: str = every.order_by("-run__uploaded_at").values_list("subject", flat=True)[0]
    return name


def _searched(request: HttpRequest, slug: str, lines: Iterable[Series]) -> list[Shown]:
    """The lines with their changes; those that nobody has asked for are given to the worker."""
    lines = list(lines)
    long = [line.values for line in lines if len(line.points) >= FEWEST_POINTS]
    known = known_lines(long) if long else {}
    marks = {
        (one.series, one.version): one
        for one in ChangeMark.objects.filter(
            connector=slug, series__in=[line.key for line in lines]
        ).select_related("marked_by")
    }
    return [_shown(request, line, known, marks) for line in lines]


def _shown(
    request: HttpRequest,
    line: Series,
    known: Mapping[str, Line],
    marks: Mapping[tuple[str, str], ChangeMark],
) -> Shown:
    if len(line.points) < FEWEST_POINTS:
        return Shown(line, [], "few")
    row = known.get(Line.digest_of(line.values))
    if row is None:
        if may_ask(request):
            row = ask_line(line.values)
            after_commit(tasks.find_changes, row.pk)
        return Shown(line, [], "waiting")
    if row.computed_at is None:
        return Shown(line, [], "given_up" if row.is_given_up else "waiting")
    return Shown(line, [_step(line, change, marks) for change in row.changes], "searched")


def _step(
    line: Series, change: Mapping[str, Any], marks: Mapping[tuple[str, str], ChangeMark]
) -> Step:
    one = line.points[change["at"]]
    told = words.step(change["ratio"], direction=one.direction, metric=one.metric)
    mark = marks.get((line.key, one.version))
    return Step(change["at"], change["ratio"], change["p"], told, mark)


@maintainer
@require_POST
def mark(request: HttpRequest, slug: str) -> HttpResponse:
    """Say that a change is explained, or none."""
    said = request.POST
    finding, reason = said.get("finding", ""), said.get("reason", "").strip()[:300]
    if not Result.objects.filter(connector=slug, version=said.get("version", "")).exists():
        raise Http404
    if finding not in ChangeMark.Finding.values or not reason:
        messages.error(request, _("Choose what the change is, and write why."))
    else:
        mark_change(
            actor=signed_in(request),
            connector=slug,
            series=said.get("series", "")[:16],
            version=said["version"],
            finding=ChangeMark.Finding(finding),
            reason=reason,
            at=timezone.now(),
        )
        messages.success(request, _("The mark stands beside the change."))
    back = reverse("benchmarks:connector", args=[slug])
    return redirect(f"{back}?{said['back']}" if said.get("back") else back)


def _cells(shown: Iterable[Shown]) -> Iterable[list[object]]:
    for line in shown:
        params = tables.params_cell(line.series.params)
        for one, step in line.rows:
            found = one.statistics
            numbers = [found.median, found.low, found.high, found.processes]
            change: list[object] = [None] * 4
            if step:
                said = [step.mark.finding, step.mark.reason] if step.mark else [None, None]
                change = [step.ratio, step.p, *said]
            named = [line.series.key, one.version, one.case_slug, params, line.series.place]
            yield [*named, one.unit, *numbers, one.trust, str(one.run.uid), *change]


def _data(line: Shown) -> dict[str, Any]:
    rows = [dict(zip(HEADER, cells, strict=True)) for cells in _cells([line])]
    return {"key": line.series.key, "search": line.state, "points": rows}
