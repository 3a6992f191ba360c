"""The index of resolutions: what a body decided, and whether it is still in force."""

import csv
from datetime import date

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from governance.forms.resolution import ResolutionFilterForm
from governance.models import Motion
from governance.models.motion_queryset import MotionQuerySet
from governance.views.fetch import moment
from portal.lib import spreadsheet

PER_PAGE = 30
COLUMNS = [
    *("number", "title", "body", "adopted", "in_force_since", "superseded_on", "superseded_by"),
    *("way", "electorate", "state", "text_sha256"),
]


@require_safe
def resolution_list(request: HttpRequest) -> HttpResponse:
    at = moment()
    today = timezone.localdate(at)
    resolutions = Motion.objects.resolutions(at)
    form = ResolutionFilterForm(request.GET, years=_years(resolutions))
    found = _filtered(resolutions, form, today)
    return render(
        request,
        "governance/resolution_list.html",
        {
            "today": today,
            "form": form,
            "page": Paginator(found, PER_PAGE).get_page(request.GET.get("page")),
            "filtered": any(request.GET.get(name) for name in form.fields),
            "query": request.GET.urlencode(),
        },
    )


@require_safe
def resolution_csv(request: HttpRequest) -> HttpResponse:
    """The same rows for a spreadsheet; the filters of the list apply."""
    at = moment()
    resolutions = Motion.objects.resolutions(at)
    form = ResolutionFilterForm(request.GET, years=_years(resolutions))
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="resolutions.csv"'
    answer["Access-Control-Allow-Origin"] = "*"
    writer = csv.DictWriter(answer, fieldnames=COLUMNS)
    writer.writeheader()
    today = timezone.localdate(at)
    for motion in _filtered(resolutions, form, today):
        row = _row(motion, today)
        writer.writerow({name: spreadsheet.safe(value) for name, value in row.items()})
    return answer


def _filtered(motions: MotionQuerySet, form: ResolutionFilterForm, today: date) -> MotionQuerySet:
    """What the query asks for; parts of it that make no sense are passed over."""
    form.is_valid()
    asked = form.cleaned_data
    if asked.get("q"):
        motions = motions.worded(asked["q"])
    if asked.get("body"):
        motions = motions.filter(body=asked["body"])
    if asked.get("year"):
        motions = motions.filter(year=asked["year"])
    if asked.get("state"):
        motions = {
            "in_force": motions.in_force(today),
            "later": motions.in_force_later(today),
            "superseded": motions.filter(superseded_on__lte=today),
        }[asked["state"]]
    return motions.select_related(None).for_index()


def _years(motions: MotionQuerySet) -> list[int]:
    years = motions.order_by("-year").values_list("year", flat=True).distinct()
    return [year for year in years if year is not None]


def _row(motion: Motion, today: date) -> dict[str, object]:
    return {
        "number": motion.resolution,
        "title": motion.title,
        "body": motion.body.slug,
        "adopted": motion.decided_at.isoformat() if motion.decided_at else "",
        "in_force_since": motion.in_force_from or "",
        "superseded_on": motion.superseded_on or "",
        "superseded_by": motion.superseded_by.resolution if motion.superseded_by else "",
        "way": motion.way,
        "electorate": motion.electorate,
        "state": motion.force(today),
        "text_sha256": motion.text_sha256,
    }
