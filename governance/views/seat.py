"""The desk of who keeps a body's seats: all of them, making, changing, abolishing."""

from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from governance.actions import body as actions
from governance.bodies import caps, duties, seats
from governance.bodies.day import Day
from governance.forms import AbolishForm, SeatForm
from governance.models import Body, Seat, SeatTerm
from governance.refusals import Refusal
from governance.views.fetch import kept_body, moment
from portal.accounts.access import signed_in

SOON = timedelta(days=180)


@login_required
@require_safe
def seat_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Every seat with its holder, what is vacant, what ends soon, what exceeds a limit."""
    at = moment()
    body, today = kept_body(request, slug, at), timezone.localdate(at)
    terms = SeatTerm.objects.filter(seat__body=body)
    day = Day(body, today)
    context = {
        "body": body,
        "today": today,
        "rows": seats.rows(day),
        "filling": day.filling,
        "duties": duties.duties(day.places, day.vacant, day.filling, today),
        "ending": terms.ending(today, today + SOON),
        "exceptions": terms.exclude(exception="").select_related("seat__body", "user"),
        "cohorts": seats.cohorts(body, today),
        "exceeding": caps.exceeding(body, today),
    }
    return render(request, "governance/seats.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def seat_new(request: HttpRequest, slug: str) -> HttpResponse:
    """One seat, or several alike."""
    at = moment()
    body = kept_body(request, slug, at)
    first = {"since": timezone.localdate(at), "count": 1}
    form = SeatForm(request.POST or None, body=body, initial=first)
    if request.method == "POST" and form.is_valid():
        made = actions.make_seats(
            actor=signed_in(request), seat=form.instance, count=form.cleaned_data["count"]
        )
        said = ngettext("A seat is made.", "%(count)s seats are made.", len(made))
        messages.success(request, said % {"count": len(made)})
        return redirect("governance:seats", body.slug)
    return _form_page(request, body, form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def seat_edit(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    body, seat = _kept_seat(request, slug, number)
    form = SeatForm(request.POST or None, body=body, instance=seat)
    if request.method == "POST" and form.is_valid():
        actions.save_seat(actor=signed_in(request), seat=form.instance)
        messages.success(request, _("Saved."))
        return redirect("governance:seats", body.slug)
    return _form_page(request, body, form, seat=seat)


@login_required
@require_POST
def seat_abolish(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    body, seat = _kept_seat(request, slug, number)
    form = AbolishForm(request.POST)
    if form.is_valid():
        try:
            actions.abolish_seat(actor=signed_in(request), seat=seat, on=form.cleaned_data["on"])
        except Refusal as refusal:
            form.add_error("on", str(refusal))
        else:
            messages.success(request, _("The seat is abolished; who held it stays on record."))
            return redirect("governance:seats", body.slug)
    return _form_page(request, body, SeatForm(body=body, instance=seat), seat=seat, abolish=form)


def _kept_seat(request: HttpRequest, slug: str, number: int) -> tuple[Body, Seat]:
    body = kept_body(request, slug, moment())
    return body, get_object_or_404(body.seats.select_related("body"), number=number)


def _form_page(
    request: HttpRequest,
    body: Body,
    form: SeatForm,
    *,
    seat: Seat | None = None,
    abolish: AbolishForm | None = None,
) -> HttpResponse:
    refused = bool(form.errors or (abolish and abolish.errors))
    context = {"body": body, "form": form, "seat": seat, "abolish": abolish or AbolishForm()}
    return render(request, "governance/seat_form.html", context, status=422 if refused else 200)
