"""Staff look at what came without an account, and let it in or not."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from benchmarks import machines, words
from benchmarks.access import maintainer
from benchmarks.actions.decision import accept_run, reject_run, reopen_run
from benchmarks.forms import DecisionForm
from benchmarks.models import Result, Run
from portal.accounts.access import signed_in

PER_PAGE: Final = 25
MOST_READ: Final = 5_000  # results of the runs of one page
SHOWN: Final = 3  # results of a waiting run that the queue shows
DECISIONS: Final = {"accept": accept_run, "reject": reject_run, "reopen": reopen_run}


@maintainer
@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    runs = Run.objects.waiting().select_related("suite").annotate(results_count=Count("results"))
    page = Paginator(runs, PER_PAGE).get_page(request.GET.get("page"))
    rows = [(run, *evidence) for run, evidence in _with_evidence(list(page.object_list))]
    rejected = Run.objects.rejected()[:PER_PAGE]
    context = {"page": page, "rows": rows, "rejected": rejected}
    return render(request, "benchmarks/moderation.html", context)


def _with_evidence(
    runs: list[Run],
) -> list[tuple[Run, tuple[list[Result], list[str], str, str]]]:
    """Each run with its first results, everything that speaks against any of them, its machine
    and its noise: what a decision needs, in one query.
    """
    results: dict[int, list[Result]] = defaultdict(list)
    found = Result.objects.filter(run__in=runs).select_related("statistics").order_by("position")
    for one in found[:MOST_READ]:
        results[one.run_id].append(one)
    return [(run, _evidence(run, results[run.pk])) for run in runs]


def _evidence(run: Run, results: list[Result]) -> tuple[list[Result], list[str], str, str]:
    flags = [
        flag
        for one in results
        for flag in (one.statistics.flags if hasattr(one, "statistics") else one.flags)
    ]
    machine = machines.in_words(run.environment)
    noise = ", ".join(f"{name}: {value}" for name, value in words.lines(_noise(run)) if name)
    return results[:SHOWN], list(dict.fromkeys(flags)), machine, noise


def _noise(run: Run) -> object:
    return run.environment.get("noise") or {}


@maintainer
@require_POST
def decide(request: HttpRequest, uid: object) -> HttpResponse:
    run = get_object_or_404(Run.objects.select_related("suite", "uploader"), uid=uid)
    form = DecisionForm(request.POST)
    if not form.is_valid():
        why = next(iter(form.errors.get("reason", [])), _("Choose “Accept” or “Reject”."))
        messages.error(request, str(why))
        return redirect("benchmarks:moderation")
    decide_on = DECISIONS[form.cleaned_data["decision"]]
    if decide_on(actor=signed_in(request), run=run, reason=form.cleaned_data["reason"]):
        messages.success(
            request, _("%(run)s: %(state)s.") % {"run": run, "state": run.get_state_display()}
        )
    else:
        messages.info(request, _("Somebody else has decided on this run already."))
    return redirect("benchmarks:moderation")
