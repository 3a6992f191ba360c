"""Asking for a comparison and computing it. The row is the queue, and the answer is kept in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from math import isfinite
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet

from benchmarks.conditions import panel, withheld
from benchmarks.documents import params_key
from benchmarks.models import Comparison, Result
from benchmarks.models.comparison import METHOD
from benchmarks.models.queue import MOST_ATTEMPTS, claim
from benchmarks.selections import Selection, parse
from benchmarks.statistics import (
    Contrast,
    Finding,
    Side,
    Verdict,
    contrast,
    detectable,
    judge,
    processes_needed,
)
from benchmarks.statistics.compare import Direction
from benchmarks.statistics.judge import SMALLEST

MOST_MEETINGS: Final = 10_000  # of two large runs only results of the very same parameters meet


def known_comparison(*, a: Selection, b: Selection) -> Comparison | None:
    """The row of this question, if somebody has asked it before."""
    return Comparison.objects.filter(a=str(a), b=str(b), method=METHOD).first()


def ask_comparison(*, a: Selection, b: Selection) -> Comparison:
    """The row of this question; it stays unanswered until the worker comes by.

    Nobody acts here and nothing of the foundation changes: no audit row.
    """
    found, _created = Comparison.objects.get_or_create(a=str(a), b=str(b), method=METHOD)
    return found


def forget_comparisons(*, at: datetime) -> int:
    """Drop old questions with their answers; nothing of the foundation changes: no audit row."""
    return Comparison.objects.to_forget(at).delete()[0]


def results_of(selection: Selection) -> QuerySet[Result]:
    return Result.objects.told().filter(**selection.filters()).order_by("position")


def compute_comparison(*, comparison_id: int, at: datetime) -> bool:
    """Answer a question once; False when answered, in work elsewhere, not to be tried now, or not
    yet answerable because the statistics of a run are still missing.
    """
    rows = Comparison.objects.filter(pk=comparison_id)
    comparison = rows.first()
    if comparison is None:
        return False
    runs = [run for side in _sides(comparison) for run in {one.run for one in side}]
    if any(run.is_given_up for run in runs):
        rows.update(attempts=MOST_ATTEMPTS)
        return False
    if any(run.computed_at is None for run in runs) or not claim(rows, at=at):
        return False
    return _compute(comparison_id, at)


@transaction.atomic
def _compute(comparison_id: int, at: datetime) -> bool:
    comparison = (
        Comparison.objects.select_for_update(skip_locked=True)
        .filter(pk=comparison_id, computed_at__isnull=True)
        .first()
    )
    if comparison is None:
        return False
    sides = [list(side.select_related("samples", "case")) for side in _sides(comparison)]
    Comparison.objects.filter(pk=comparison.pk).update(
        rows=_rows(list(_pairs(*sides))), computed_at=at
    )
    return True


def _sides(comparison: Comparison) -> list[QuerySet[Result]]:
    chosen = [parse(text) for text in (comparison.a, comparison.b)]
    return [results_of(one) if one else Result.objects.none() for one in chosen]


def _pairs(ours: list[Result], theirs: list[Result]) -> Iterator[tuple[Result, Result]]:
    """Results of the same suite, case, metric, unit and parameters, but for what is compared: there
    each of ours meets each of theirs.
    """
    free = _compared(ours, theirs) if len(ours) * len(theirs) <= MOST_MEETINGS else set()

    def key(one: Result) -> tuple[object, ...]:
        same = _params(one, one.params.keys() - free)
        return one.run.suite_id, one.case_slug, one.metric, one.unit, one.direction, same

    others: dict[tuple[object, ...], dict[object, Result]] = {}
    for one in theirs:
        if hasattr(one, "statistics"):
            others.setdefault(key(one), {}).setdefault(_params(one, free), one)
    for one in ours:
        if hasattr(one, "statistics"):
            yield from ((one, other) for other in others.get(key(one), {}).values())


def _params(one: Result, names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    return params_key({name: one.params[name] for name in names if name in one.params})


def _compared(ours: list[Result], theirs: list[Result]) -> set[str]:
    """The parameters of which the two sides have no value in common, as the transport of an
    embedded library and of a client: that is what is compared.
    """

    def values(side: list[Result], name: str) -> set[tuple[tuple[str, str], ...]]:
        return {_params(one, [name]) for one in side}

    names = {name for one in (*ours, *theirs) for name in one.params}
    return {name for name in names if values(ours, name).isdisjoint(values(theirs, name))}


def _rows(pairs: list[tuple[Result, Result]]) -> list[dict[str, Any]]:
    """Findings of one table. A pair that is not comparable is not tested, so it costs no other
    pair anything in the correction.
    """
    known = [(pair, found) for pair in pairs if (found := _contrast(*pair)) is not None]
    reasons = [withheld(*pair) for pair, _found in known]
    findings = judge(
        [
            replace(found, p=None) if reason else found
            for (_pair, found), reason in zip(known, reasons, strict=True)
        ]
    )
    return [
        {**_measured(*pair), **_found(finding), "reason": reason}
        for (pair, _contrast), finding, reason in zip(known, findings, reasons, strict=True)
    ]


def _measured(a: Result, b: Result) -> dict[str, Any]:
    return {
        "case": a.case_slug,
        "name": a.case.name if a.case else a.case_slug,
        "params": a.params,
        "against": {name: value for name, value in b.params.items() if a.params.get(name) != value},
        "metric": a.metric,
        "unit": a.unit,
        "direction": a.direction,
        "panel": panel(a, b),
        "a": _side(a),
        "b": _side(b),
    }


def _found(finding: Finding) -> dict[str, Any]:
    one = finding.contrast
    tested = finding.verdict != Verdict.NONE
    return {
        "ratio": one.ratio,
        "low": one.low,
        "high": one.high,
        "p": finding.p,
        "delta": one.delta,
        "effect": finding.effect,
        "floor": one.floor,
        "verdict": finding.verdict,
        "sure": finding.sure,
        "detectable": (
            detectable(processes=min(one.processes), spread=one.spread) if tested else None
        ),
        "needed": processes_needed(share=SMALLEST, spread=one.spread) if tested else None,
    }


def _contrast(a: Result, b: Result) -> Contrast | None:
    """With samples by the statistics; with a summary only, the bare ratio."""
    if hasattr(a, "samples") and hasattr(b, "samples"):
        direction: Direction = "lower" if a.direction == "lower" else "higher"
        sides = [Side(one.samples.processes(), f"{one.run.uid}/{one.position}") for one in (a, b)]
        return contrast(sides[0], sides[1], direction=direction)
    ours, theirs = a.statistics.median, b.statistics.median
    if ours <= 0 or theirs <= 0 or "%" in a.unit:
        return None
    ratio = theirs / ours if a.direction == "lower" else ours / theirs
    if not isfinite(ratio) or ratio == 0:
        return None
    return Contrast(ratio, None, None, None, None, 0.0, (0, 0))


def _side(one: Result) -> dict[str, Any]:
    return {
        "result": one.position,
        "median": one.statistics.median,
        "low": one.statistics.low,
        "high": one.statistics.high,
        "processes": one.statistics.processes,
    }
