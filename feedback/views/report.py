"""Reports that people send by hand, their deletion, and what became of all reports."""

from __future__ import annotations

import base64
import logging
from typing import Final

from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.db import DatabaseError
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from feedback import facts, inbox, promises
from feedback.actions.intake import count_refused, receive_reports
from feedback.actions.withdrawal import withdraw_report
from feedback.charts import board
from feedback.forms import SIZE_LIMIT, ReportForm, WithdrawForm
from feedback.models import Outcome, Period
from feedback.parser import Clean, Kind, parse
from feedback.sent_reports import kept_under
from feedback.statistics import intakes
from portal.accounts.models import User
from portal.lib import ratelimit

logger = logging.getLogger(__name__)

PREVIEW_SECONDS: Final = 3600
AN_HOUR: Final = 60  # reports that one address shows or keeps by the form
_SALT: Final = "feedback.preview"


def _pepper() -> bytes:
    return str(settings.FEEDBACK_PEPPER).encode()


@csrf_exempt  # servers and curl send no token; the form of the page posts elsewhere
@require_http_methods(["GET", "HEAD", "POST"])
def post_report(request: HttpRequest) -> HttpResponse:
    """GET: the form. POST: the receiver answers it; this is for what reached us nevertheless."""
    if request.method == "POST":
        return _take(request)
    return render(request, "feedback/report_form.html", {"form": ReportForm(pepper=_pepper())})


def _take(request: HttpRequest) -> HttpResponse:
    """Keep a report that came down a connection of the web process, as the receiver would."""
    now = timezone.now()
    length = request.headers.get("Content-Length", "")
    if not length.isdigit() or int(length) > SIZE_LIMIT:
        count_refused(outcome=Outcome.TOO_LARGE, day=now.date())
        return HttpResponse("<h1>refused: the report is larger than 256 kB</h1>", status=413)
    code = inbox.new_code()
    row = inbox.row(request.body, pepper=_pepper(), received_at=now, deletion_code=code)
    try:
        receive_reports(rows=[row])
    except DatabaseError:
        logger.warning("a report was not stored")
        return HttpResponse("<h1>not stored: please send it again</h1>", status=503)
    return HttpResponse(f"<h1>ok, deletion code {code}</h1>\n")


@require_http_methods(["GET", "HEAD", "POST"])
def preview(request: HttpRequest) -> HttpResponse:
    """Show what of a file would be kept. Nothing is kept yet: the page carries it, signed. Who
    only opens the address is led to the form.
    """
    if request.method != "POST":
        return redirect("feedback:post")
    if not _may_send(request, "preview"):
        return _too_many(request)
    form = ReportForm(request.POST, request.FILES, pepper=_pepper())
    if not form.is_valid():
        return render(request, "feedback/report_form.html", {"form": form}, status=422)
    report: Clean = form.cleaned_data["report"]
    values = parse(report.body)
    context = {
        "signed": _sign(report),
        "facts": facts.facts_of(values),
        "features": [name for name, used in facts.FEATURES.items() if used(values)],
        "values": sorted(values.items()),
        "blank": sum(not value for value in values.values()),
    }
    return render(request, "feedback/report_preview.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def keep(request: HttpRequest) -> HttpResponse:
    """Keep what the preview showed, and give the code that deletes it. Who only opens the address
    is led to the form.
    """
    if request.method != "POST":
        return redirect("feedback:post")
    try:
        report = _unsign(request.POST.get("report", ""))
    except (signing.BadSignature, ValueError):
        messages.error(request, _("The preview is older than an hour. Please send the file again."))
        return redirect("feedback:post")
    if not _may_send(request, "keep"):
        return _too_many(request)
    code = inbox.new_code()
    row = inbox.row_of(report, received_at=timezone.now(), deletion_code=code)
    receive_reports(rows=[row])
    return render(request, "feedback/report_kept.html", {"code": code})


def _may_send(request: HttpRequest, step: str) -> bool:
    action = f"feedback-{step}"
    return ratelimit.allowed(request, action=action, limit=AN_HOUR, seconds=3600)


def _too_many(request: HttpRequest) -> HttpResponse:
    messages.error(request, _("Too many reports came from here. Try again in an hour."))
    form = ReportForm(pepper=_pepper())
    return render(request, "feedback/report_form.html", {"form": form}, status=429)


def _sign(report: Clean) -> str:
    parts = [base64.b85encode(part).decode() for part in (report.server_key, report.body)]
    return signing.dumps([report.kind.value, *parts], salt=_SALT, compress=True)


def _unsign(text: str) -> Clean:
    kind, *parts = signing.loads(text, salt=_SALT, max_age=PREVIEW_SECONDS)
    server_key, body = (base64.b85decode(part) for part in parts)
    return Clean(Kind(kind), server_key, body)


@require_http_methods(["GET", "HEAD", "POST"])
def privacy(request: HttpRequest) -> HttpResponse:
    """The promises, and the form that gives back or deletes a report by its code."""
    form = WithdrawForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        if found := _given_or_deleted(request, form.cleaned_data["code"]):
            return found
        form.add_error("code", _("No report is kept under this code. Was it deleted already?"))
    context = {
        "form": form,
        "reports": promises.REPORTS,
        "statistics": promises.STATISTICS,
        "times": promises.TIMES,
    }
    status = 422 if form.errors else 200
    return render(request, "feedback/privacy.html", context, status=status)


def _given_or_deleted(request: HttpRequest, code: str) -> HttpResponse | None:
    """What the button of the form asks for; None when the code has nothing."""
    if "give" in request.POST:
        found = kept_under(code)
        response = JsonResponse({"reports": found}, json_dumps_params={"indent": 1})
        response["Content-Disposition"] = 'attachment; filename="my-report.json"'
        response["Cache-Control"] = "no-store"
        return response if found else None
    actor = request.user if isinstance(request.user, User) else None
    if not withdraw_report(actor=actor, code=code):
        return None
    messages.success(request, _("The report is deleted. The next roll-up forgets it too."))
    return redirect(f"{reverse('feedback:privacy')}#main")  # up again from the form


@require_safe
def report_status(request: HttpRequest) -> HttpResponse:
    """What became of the reports, month by month, and of how many servers they are in doubt."""
    months = list(Period.objects.months().reverse()[:12])
    starts = [month.start for month in months]
    shown = board(Q(chart__in=["doubt", "servers"]), months=starts, at=timezone.now())
    sums = intakes(months) if months else {}
    told = [(month, sums[month.start], shown.show("doubts", month.start)) for month in months]
    return render(request, "feedback/report_status.html", {"months": told})
