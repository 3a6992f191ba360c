"""Filling a seat, ending a term, and all terms of a body as CSV."""

from datetime import date
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from governance.actions import seat as actions
from governance.bodies import duties, terms
from governance.bodies.vacancies import Filling, filling, vacancies
from governance.forms import EndTermForm, FillForm
from governance.models import Body, Seat, SeatTerm
from governance.refusals import NeedsException, Refusal
from governance.tally.rules import FilledBy
from governance.views.fetch import kept_body, moment
from portal.accounts.access import signed_in
from portal.lib import spreadsheet
from portal.lib.icalendar import CONTENT_TYPE

WAYS = {
    FilledBy.COUNTBACK: SeatTerm.Entry.COUNTBACK,
    FilledBy.SPECIAL_ELECTION: SeatTerm.Entry.ELECTED,
}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def term_new(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Give a vacant seat to a person, or a held one for the time after the present term."""
    at = moment()
    body, today = kept_body(request, slug, at), timezone.localdate(at)
    seat = get_object_or_404(body.seats.select_related("body"), number=number)
    form = FillForm(request.POST or None, seat=seat, initial=_usual_term(seat, today))
    if request.method == "POST" and form.is_valid():
        try:
            term = actions.seat_person(actor=signed_in(request), seat=seat, **form.wanted())
        except NeedsException as refusal:
            form.add_error("exception", str(refusal))
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            words = {"name": term.user, "seat": seat.label}
            messages.success(request, _("%(name)s has %(seat)s.") % words)
            return redirect("governance:seats", body.slug)
    context = {"body": body, "seat": seat, "form": form}
    status = 422 if form.errors else 200
    return render(request, "governance/term_form.html", context, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def term_end(request: HttpRequest, pk: int) -> HttpResponse:
    at = moment()
    found = SeatTerm.objects.select_related("seat__body", "user")
    term = get_object_or_404(found, pk=pk)
    body = kept_body(request, term.seat.body.slug, at)
    form = EndTermForm(request.POST or None, initial={"on": timezone.localdate(at)})
    if request.method == "POST" and form.is_valid():
        sent = form.cleaned_data
        ending = SeatTerm.Ending(sent["ending"]) if sent["ending"] else None
        try:
            actions.end_term(
                actor=signed_in(request), term=term, on=sent["on"], ending=ending, tell=sent["tell"]
            )
        except Refusal as refusal:
            form.add_error("on", str(refusal))
        else:
            messages.success(request, _("The term ends on that day; the seat is vacant then."))
            return redirect("governance:seats", body.slug)
    context = {"body": body, "term": term, "form": form}
    status = 422 if form.errors else 200
    return render(request, "governance/term_end.html", context, status=status)


@require_safe
def term_csv(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """Everyone who ever held a seat of the body."""
    body = get_object_or_404(Body, slug=slug)
    answer = StreamingHttpResponse(
        spreadsheet.lines(terms.table(body)), content_type="text/csv; charset=utf-8"
    )
    answer["Content-Disposition"] = f'attachment; filename="{body.slug}-terms.csv"'
    answer["Access-Control-Allow-Origin"] = "*"
    return answer


@require_safe
def term_ics(request: HttpRequest, slug: str) -> HttpResponse:
    """The days on which terms of the body begin and end."""
    body = get_object_or_404(Body, slug=slug)
    answer = HttpResponse(terms.as_calendar(body, moment()), content_type=CONTENT_TYPE)
    answer["Content-Disposition"] = f'attachment; filename="{body.slug}-terms.ics"'
    answer["Access-Control-Allow-Origin"] = "*"
    return answer


def _usual_term(seat: Seat, today: date) -> dict[str, Any]:
    """From today, or from the end of the present term; for a full term or the rest of one."""
    entry = SeatTerm.Entry.ELECTED if seat.is_elected else SeatTerm.Entry.APPOINTED
    places = Seat.objects.filter(pk=seat.pk).places(today)
    held = places[0].term if places else None
    if held is not None and held.until is not None:
        return {"since": held.until, "until": seat.full_term(held.until), "entry": entry}
    how = filling(seat.body, today) if seat.is_voting else None
    vacancy = next(iter(vacancies(places, today)), None)
    if vacancy is None:
        return {"since": today, "until": seat.full_term(today), "entry": entry}
    return {
        "since": today,
        "until": duties.usual_end(vacancy, how, today),
        "entry": _usual_entry(how, entry, vacancy.rest_until(today)),
    }


def _usual_entry(how: Filling | None, entry: SeatTerm.Entry, rest: date | None) -> SeatTerm.Entry:
    """By the rules of vacancies, where a term ended early; else as the seat is always filled."""
    if rest is None:
        return entry
    return WAYS.get(how.rule.filled_by, SeatTerm.Entry.REST) if how else SeatTerm.Entry.REST
