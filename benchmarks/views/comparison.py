"""Two selections against each other: plot, table, conditions, and the same for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from benchmarks import ledger, machines, panels, tables, tasks, words
from benchmarks.actions.comparison import ask_comparison, known_comparison, results_of
from benchmarks.models import Comparison, Result, Run
from benchmarks.readers import names
from benchmarks.selections import Selection, parse
from benchmarks.sending import comparison_address
from benchmarks.throttle import may_ask
from portal.lib.jobs import after_commit

OFFERED: Final = 200  # connectors in one version each; words find the others
HEADER: Final = [
    "case",
    "parameters",
    "unit",
    "a_median",
    "a_low",
    "a_high",
    "a_processes",
    "b_median",
    "b_low",
    "b_high",
    "b_processes",
    "ratio",
    "ratio_low",
    "ratio_high",
    "p",
    "cliffs_delta",
    "finding",
    "note",
]


@dataclass(frozen=True)
class Side:
    """One selection with what it chose, all of one run."""

    selection: Selection
    results: Sequence[Result]

    @property
    def run(self) -> Run:
        return self.results[0].run

    @property
    def label(self) -> str:
        labels = list(dict.fromkeys(one.label for one in self.results))
        return labels[0] if len(labels) == 1 else str(self.run)


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    if picked := request.GET.getlist("pick"):
        return _picked(request, picked)
    a, b = _side(request, "a"), _side(request, "b")
    find = request.GET.get("find", "")[:100]
    context: dict[str, Any] = {"a": a, "b": b, "find": find, "offers": _offers(find, a, b)}
    if a is None or b is None or a.selection == b.selection:
        context["same"] = a is not None and b is not None
        return render(request, "benchmarks/compare.html", context)
    answer = known_comparison(a=a.selection, b=b.selection)
    if answer is None:
        if not may_ask(request):
            return render(
                request, "benchmarks/compare.html", context | {"too_many": True}, status=429
            )
        answer = ask_comparison(a=a.selection, b=b.selection)
        after_commit(tasks.compare, answer.pk)
    if answer.computed_at is None and (
        answer.is_given_up or a.run.is_given_up or b.run.is_given_up
    ):
        return render(request, "benchmarks/compare.html", context | {"given_up": True})
    if answer.computed_at is None:
        status = 202 if request.GET.get("format") else 200
        return render(
            request, "benchmarks/compare.html", context | {"waiting": True}, status=status
        )
    rows = [_told(row) for row in answer.rows]
    if request.GET.get("format") == "csv":
        return tables.csv_answer("comparison", HEADER, map(_cells, rows))
    if request.GET.get("format") == "json":
        return tables.json_answer({"a": answer.a, "b": answer.b, "rows": rows})
    return render(request, "benchmarks/compare.html", context | _shown(a, b, answer, rows))


def _picked(request: HttpRequest, picked: Sequence[str]) -> HttpResponse:
    """Boxes that were ticked in a list become an address that can be kept."""
    chosen = [one for text in picked if (one := parse(text)) is not None][:2]
    if len(picked) != len("ab"):
        messages.info(request, _("Two are compared at a time: choose the other one here."))
    query = urlencode(dict(zip("ab", map(str, chosen), strict=False)), safe=":")
    return redirect(f"{reverse('benchmarks:compare')}?{query}")


def _side(request: HttpRequest, name: str) -> Side | None:
    """The selection of the address; 404 for one that is not there or not to be seen."""
    text = request.GET.get(name, "")
    if not text:
        return None
    selection = parse(text)
    if selection is None:
        raise Http404
    visible = Run.objects.visible_to(request.user)
    results = list(results_of(selection).filter(run__in=visible))
    if not results:
        raise Http404
    return Side(selection, results)


def _offers(find: str, *chosen: Side | None) -> list[tuple[str, list[tuple[str, str]]]]:
    """Selections to choose from, grouped by suite: the newest run of each connector in each
    version that fits the words of `find`. What is chosen now is always among them.
    """
    found: dict[str, dict[str, str]] = {}
    for one in ledger.newest_of_each(find.lower().split(), most=OFFERED):
        label = f"{one.label} · {one.run.uploaded_at:%Y-%m-%d} · {one.get_trust_display()}"
        offers = found.setdefault(one.run.suite.name, {})
        offers[str(Selection(one.run.uid, one.subject_slug))] = label
    for side in chosen:
        if side:
            group = found.setdefault(side.run.suite.name, {})
            group.setdefault(str(side.selection), _long_label(side))
    return [(suite, list(offers.items())) for suite, offers in found.items()]


def _long_label(side: Side) -> str:
    first = side.results[0]
    params = words.params_in_words(first.params) if len(side.results) == 1 else ""
    return ", ".join(part for part in (side.label, params, str(side.run.uid)[:8]) if part)


def _told(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of the answer with its words."""
    return {
        **row,
        "finding": words.verdict(row),
        "note": words.verdict_note(row),
        "tone": words.TONES[row["verdict"]],
    }


def _cells(row: Mapping[str, Any]) -> list[object]:
    sides = [row[side][key] for side in "ab" for key in ("median", "low", "high", "processes")]
    params = tables.params_cell(row["params"])
    if row.get("against"):
        params = f"{params} against {tables.params_cell(row['against'])}"
    numbers = [row[key] for key in ("ratio", "low", "high", "p", "delta")]
    return [row["case"], params, row["unit"], *sides, *numbers, row["finding"], row["note"]]


def _shown(a: Side, b: Side, answer: Comparison, rows: list[dict[str, Any]]) -> dict[str, Any]:
    counts = {
        verdict: sum(row["verdict"] == verdict for row in rows)
        for verdict in ("better", "worse", "not_shown", "none")
    }
    short = names.told_short(a.label, b.label)
    headline = _headline(*short, rows, counts)
    link = {
        kind: comparison_address(a.selection, b.selection, format=kind) for kind in ("csv", "json")
    }
    return {
        "answer": answer,
        "sides": [a, b],
        "rows": rows,
        "counts": counts,
        "headline": headline,
        "short": short,
        "shared": panels.shared([row["params"] for row in rows]),
        "panels": panels.panels(rows, a=a.label, b=b.label, answer=headline),
        "csv": link["csv"],
        "json": link["json"],
        "turned": comparison_address(b.selection, a.selection),
        "conditions": _conditions(a, b),
        "machines_differ": _machines_differ(a.run, b.run),
        "published": a.run.is_published_elsewhere or b.run.is_published_elsewhere,
    }


def _machines_differ(a: Run, b: Run) -> bool:
    """A machine that is not known is no other's; one run is one machine."""
    return a != b and (not a.machine or a.machine != b.machine)


def _headline(a: str, b: str, rows: list[dict[str, Any]], counts: Mapping[str, int]) -> str:
    """The answer is the heading."""
    sides = {"a": a, "b": b}
    if not rows:
        return _("%(a)s and %(b)s have no case in common") % sides
    if len(rows) == 1:
        return _single_headline(rows[0], sides)
    of = {**sides, "count": counts["better"], "worse": counts["worse"], "all": len(rows)}
    if counts["worse"]:
        return _("%(a)s against %(b)s: faster in %(count)s, slower in %(worse)s cases") % of
    if counts["better"]:
        return _("%(a)s is faster than %(b)s in %(count)s of %(all)s cases") % of
    return _("No difference shown between %(a)s and %(b)s in %(all)s cases") % of


def _single_headline(row: Mapping[str, Any], sides: Mapping[str, str]) -> str:
    ratio = words.measure(row["ratio"], "1")
    said = {**sides, "ratio": ratio}
    if row["verdict"] == "better" or row["verdict"] == "worse":
        return _("%(a)s is %(ratio)s times as fast as %(b)s") % said
    if row["verdict"] == "not_shown":
        return _("No difference shown between %(a)s and %(b)s") % said
    return _("%(a)s and %(b)s, without a verdict") % said


def _conditions(a: Side, b: Side) -> list[dict[str, str]]:
    """What was kept equal, and what was not."""
    first, other = a.run.environment, b.run.environment
    pairs = [
        (_("Machine"), machines.in_words(first), machines.in_words(other)),
        (_("Server"), machines.server_in_words(first), machines.server_in_words(other)),
        (_("Kernel"), *(_nested(one, "os", "kernel") for one in (first, other))),
        (_("Runtime"), a.results[0].runtime, b.results[0].runtime),
        (_("CPU placement"), *(str(s.results[0].params.get("cpu_placement", "")) for s in (a, b))),
        (_("Order"), *(str(words.ORDERS.get(s.run.order, s.run.order)) for s in (a, b))),
        (_("Trust"), *(f"{s.run.trust} {s.run.get_trust_display()}" for s in (a, b))),
        (_("Run"), *(str(s.run.uid)[:8] for s in (a, b))),
    ]
    return [
        {"name": name, "a": ours, "b": theirs, **_agreement(ours, theirs, a.run == b.run)}
        for name, ours, theirs in pairs
    ]


def _agreement(ours: str, theirs: str, one_run: bool) -> dict[str, str]:
    if not ours and not theirs and one_run:
        return {"finding": _("not told, one run"), "tone": "open"}
    if not ours or not theirs:
        return {"finding": _("not told"), "tone": "warn"}
    if ours == theirs:
        return {"finding": _("same"), "tone": "good"}
    return {"finding": _("differs"), "tone": "warn"}


def _nested(environment: Mapping[str, Any], part: str, key: str) -> str:
    return str((environment.get(part) or {}).get(key, ""))
