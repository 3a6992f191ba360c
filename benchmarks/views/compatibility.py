"""Drivers that could not run, with their reasons: a result too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from benchmarks import machines, tables, words
from benchmarks.catalogue import Catalogued, catalogued
from benchmarks.models import Result, Run, Suite

MOST: Final = 1000  # results that are looked at, newest runs first
HEADER: Final = ["subject", "version", "server", "parameters", "reason", "cases", "ran", "run"]


@dataclass
class Refusal:
    """A driver in one version, the server and the conditions that it failed with, and why."""

    subject: str
    version: str
    server: str
    params: str
    reason: str
    run: Run
    subject_slug: str
    cases: list[str] = field(default_factory=list)
    ran: int = 0  # results of the same driver in the same run that have a number
    release: Catalogued | None = None


@require_safe
def compatibility(request: HttpRequest) -> HttpResponse:
    suite = request.GET.get("suite", "")
    failed = Result.objects.published().exclude(error="").select_related("run__suite")
    if suite:
        failed = failed.filter(run__suite__slug=suite)
    refusals = _grouped(failed.order_by("-run__uploaded_at", "run_id", "position")[:MOST])
    _complete(refusals)
    kind = request.GET.get("format")
    if kind == "csv":
        return tables.csv_answer("compatibility", HEADER, map(_cells, refusals))
    if kind == "json":
        told = [dict(zip(HEADER, _cells(one), strict=True)) for one in refusals]
        return tables.json_answer({"refusals": told})
    suites = Suite.objects.values_list("slug", "name")
    context = {"refusals": refusals, "suites": suites, "suite": suite}
    return render(request, "benchmarks/compatibility.html", context)


def _grouped(failed: Iterable[Result]) -> list[Refusal]:
    """One for each reason of a driver and server: the newest run that met it."""
    found: dict[tuple[str, ...], Refusal] = {}
    for one in failed:
        server = machines.server_in_words(one.run.environment)
        params = words.params_in_words(one.params)
        key = (one.subject, one.version, server, params, one.error)
        refusal = found.setdefault(
            key,
            Refusal(one.subject, one.version, server, params, one.error, one.run, one.subject_slug),
        )
        if one.run_id == refusal.run.pk and one.case_slug not in refusal.cases:
            refusal.cases.append(one.case_slug)
    return sorted(found.values(), key=lambda one: (one.subject.lower(), one.version))


def _complete(refusals: Sequence[Refusal]) -> None:
    """Whether each ran otherwise, and where the catalogue has it: two queries."""
    releases = catalogued(((one.subject, one.version) for one in refusals), at=timezone.now())
    ran = Result.objects.filter(run__in={one.run.pk for one in refusals}, error="")
    counts = {
        (run, slug): count
        for run, slug, count in ran.order_by()
        .values_list("run", "subject_slug")
        .annotate(count=Count("pk"))
    }
    for one in refusals:
        one.ran = counts.get((one.run.pk, one.subject_slug), 0)
        one.release = releases.get((one.subject, one.version))


def _cells(one: Refusal) -> list[object]:
    cases = " ".join(one.cases)
    conditions = [one.subject, one.version, one.server, one.params]
    return [*conditions, one.reason, cases, one.ran, str(one.run.uid)]
