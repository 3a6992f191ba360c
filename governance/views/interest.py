"""The public register of interests and affiliations, for any day."""

from datetime import date

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from governance.bodies import interests
from governance.views.fetch import asked_day, moment, wrong_day
from portal.lib import spreadsheet


@require_safe
def interest_list(request: HttpRequest) -> HttpResponse:
    """Everybody who held a seat on that day, with what they declared for it."""
    today = timezone.localdate(moment())
    on, is_wrong = _day(request, today)
    context = {
        "on": on,
        "is_today": on == today,
        "not_a_date": is_wrong,
        "entries": interests.entries(request.user, on, today),
    }
    return render(request, "governance/interests.html", context)


@require_safe
def interest_csv(request: HttpRequest) -> HttpResponseBase:
    """What is public of the register, as a table."""
    today = timezone.localdate()
    refused = wrong_day(request)
    if refused is not None:
        return refused
    on, _is_wrong = _day(request, today)
    answer = StreamingHttpResponse(
        spreadsheet.lines(interests.table(on, today)), content_type="text/csv; charset=utf-8"
    )
    answer["Content-Disposition"] = f'attachment; filename="interests-{on:%Y-%m-%d}.csv"'
    answer["Access-Control-Allow-Origin"] = "*"
    return answer


def _day(request: HttpRequest, today: date) -> tuple[date, bool]:
    asked = asked_day(request)
    return asked or today, bool(request.GET.get("on")) and asked is None
