"""Defining further suites, and the definition of each for programs."""

from __future__ import annotations

import json
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from benchmarks import tables
from benchmarks.access import maintainer
from benchmarks.actions.suite import define_suite
from benchmarks.models import Suite
from benchmarks.suite_forms import ImportForm, SuiteForm, as_data, further_case
from benchmarks.suites import FaultError, read_suite
from portal.accounts.access import signed_in

HASHES: Final = "hashes"
EXAMPLE: Final = """{
 "slug": "bulk_inserts",
 "name": "Bulk inserts",
 "summary": "What batches are worth.",
 "cases": [{
  "slug": "insert_batch", "name": "Batch of 100", "unit": "row/s", "direction": "higher",
  "definition": {
   "query": "INSERT of 100 rows of one text",
   "rows": 100,
   "parameters": {"batch": ["loop", "rewrite", "bulk"], "transport": ["tcp", "unix"]}
  }
 }]
}"""


@require_safe
def definition(request: HttpRequest, slug: str) -> HttpResponse:
    """The suite as JSON, as it can be imported again; the hashes stand beside it."""
    suite = get_object_or_404(Suite, slug=slug)
    cases = suite.newest_cases().values()
    hashes = {case.slug: [case.version, case.definition_hash] for case in cases}
    return tables.json_answer({**as_data(suite, cases), HASHES: hashes})


@maintainer
@require_http_methods(["GET", "HEAD", "POST"])
def define(request: HttpRequest, slug: str = "") -> HttpResponse:
    """A new suite, or further and changed cases of one that is there."""
    suite = get_object_or_404(Suite, slug=slug) if slug else None
    known = as_data(suite, suite.newest_cases().values()) if suite else {"cases": []}
    is_import = "import" in request.POST
    sent = request.POST if request.method == "POST" else None
    by_form = SuiteForm(None if is_import else sent, initial=known)
    if suite:
        by_form.fields["slug"].disabled = True
    case = further_case(None if is_import else sent)
    by_file = ImportForm(sent, request.FILES) if is_import else ImportForm(initial=_initial(known))
    context: dict[str, Any] = {
        "suite": suite,
        "form": by_form,
        "case_form": case,
        "import_form": by_file,
    }
    context["example"] = EXAMPLE
    if sent is None:
        return render(request, "benchmarks/define.html", context)
    if is_import:
        data = by_file.cleaned_data["data"] if by_file.is_valid() else None
    elif by_form.is_valid() and (not case.is_given or case.is_valid()):
        further = [case.as_data()] if case.is_given else []
        data = _merged(known, by_form.cleaned_data, further)
    else:
        data = None
    if data is not None and (made := _defined(request, suite, data, by_file, by_form)):
        return redirect(made)
    return render(request, "benchmarks/define.html", context, status=422)


def _initial(known: dict[str, Any]) -> dict[str, str]:
    if "slug" not in known:
        return {}
    return {"text": json.dumps(known, indent=1, ensure_ascii=False)}


def _merged(known: dict[str, Any], named: Any, cases: list[dict[str, Any]]) -> dict[str, Any]:
    """What is there, with the cases of the form in their place or behind."""
    changed = {case["slug"]: case for case in cases}
    kept = [changed.pop(case["slug"], case) for case in known["cases"]]
    return {**named, "cases": [*kept, *changed.values()]}


def _defined(
    request: HttpRequest,
    suite: Suite | None,
    data: Any,
    by_file: forms.Form,
    by_form: forms.Form,
) -> Suite | None:
    form = by_file if by_file.is_bound else by_form
    if isinstance(data, dict):
        data = {key: value for key, value in data.items() if key != HASHES}
    try:
        read = read_suite(data)
    except FaultError as error:
        form.add_error(None, str(error))
        return None
    if suite is not None and read.slug != suite.slug:
        form.add_error(None, _("The address of a suite stays: this file is of another one."))
        return None
    if suite is None and Suite.objects.filter(slug=read.slug).exists():
        form.add_error(None, _("A suite with this address is there already: change that one."))
        return None
    made = define_suite(actor=signed_in(request), definition=read, rename=True)
    messages.success(request, _("“%s” is defined.") % made)
    return made
