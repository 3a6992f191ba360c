"""One run: everything that was measured, its file, and taking it back."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from benchmarks import machines, tables, words
from benchmarks.access import MAINTAINERS
from benchmarks.actions.decision import supersede_run, withdraw_run
from benchmarks.forms import SupersedeForm
from benchmarks.keys import opened_by
from benchmarks.models import Original, Result, Run, State
from benchmarks.models.run import RunQuerySet
from benchmarks.selections import Selection
from benchmarks.sending import comparison_of
from benchmarks.trust import flags
from portal.accounts.access import signed_in
from portal.accounts.models import User
from portal.accounts.roles import has_role

PER_PAGE: Final = 100


def fetched(request: HttpRequest, uid: object) -> Run:
    """A run that this visitor may see: by who they are, or by the key of their upload."""
    runs: RunQuerySet = Run.objects.select_related("suite", "uploader", "signer", "superseded_by")
    if opened_by(request.GET.get("key", "")) == str(uid):
        return get_object_or_404(runs, uid=uid)
    return get_object_or_404(runs.visible_to(request.user), uid=uid)


@require_safe
def run_detail(request: HttpRequest, uid: object) -> HttpResponse:
    run = fetched(request, uid)
    results = Result.objects.told().filter(run=run).order_by("position")
    results = results.select_related("reproduced_by__uploader")
    if request.GET.get("format") == "csv":
        rows = map(tables.result_row, results)
        return tables.csv_answer(f"run-{run.uid}", tables.RESULT_HEADER, rows)
    if request.GET.get("format") == "json":
        return tables.json_answer(tables.run_data(run, results))
    page = Paginator(results, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "run": run,
        "page": page,
        "original": Original.objects.filter(run=run).only("size", "sha256").first(),
        "comparison": comparison_of(run),
        "subjects": _subjects(page.object_list),
        "machine": machines.in_words(run.environment),
        "server": machines.server_in_words(run.environment),
        "environment": words.lines(run.environment),
        "may_withdraw": _may_withdraw(request, run),
        "supersede_form": _supersede_form(request, run),
        "tuned": flags.tuned(run.environment),
        "key": request.GET.get("key", ""),
    }
    return render(request, "benchmarks/run.html", context)


def _subjects(results: object) -> list[tuple[str, str]]:
    """Selections and labels for the form that leads to a comparison."""
    found: dict[str, str] = {}
    for one in results:  # type: ignore[attr-defined]
        found[str(Selection(one.run.uid, one.subject_slug))] = one.label
    return list(found.items())


@require_safe
def original(request: HttpRequest, uid: object) -> HttpResponse:
    """The uploaded file, without the private words that were taken out before it was kept."""
    run = fetched(request, uid)
    file = get_object_or_404(Original, run=run)
    content = file.content()
    kind = "application/json" if content[:1] in {b"{", b"["} else "text/plain; charset=utf-8"
    ending = "json" if content[:1] in {b"{", b"["} else "txt"
    answer = HttpResponse(content, content_type=kind)
    answer["Content-Disposition"] = f'attachment; filename="{run.uid}.{ending}"'
    answer["X-Content-Type-Options"] = "nosniff"
    return answer


def _may_withdraw(request: HttpRequest, run: Run) -> bool:
    user = request.user
    if run.state != State.PUBLISHED or not isinstance(user, User):
        return False
    return run.uploader_id == user.pk or has_role(user, *MAINTAINERS)


def _supersede_form(request: HttpRequest, run: Run) -> SupersedeForm | None:
    """None for who may not, and when there is no other run that could take its place."""
    if not _may_withdraw(request, run) or run.uploader_id is None:
        return None
    form = SupersedeForm(request.POST or None, run=run)
    return form if form.has_choices() else None


@require_POST
def supersede(request: HttpRequest, uid: object) -> HttpResponse:
    run = fetched(request, uid)
    form = _supersede_form(request, run)
    if form is None:
        raise Http404
    if form.is_valid():
        supersede_run(actor=signed_in(request), run=run, by=form.cleaned_data["by"])
    else:
        messages.error(request, _("Choose the run that takes its place."))
    return redirect(run)


@require_POST
def withdraw(request: HttpRequest, uid: object) -> HttpResponse:
    run = fetched(request, uid)
    if not _may_withdraw(request, run):
        raise Http404
    withdraw_run(actor=signed_in(request), run=run, reason=request.POST.get("reason", "")[:200])
    return redirect(run)
