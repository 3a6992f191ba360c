"""The area's first page, and a page for each body: who sits in it, on any date."""

from datetime import date

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.views.decorators.http import require_safe

from governance import seating
from governance.models import Body, Motion, RuleSet, SeatTerm
from governance.models.body import BOARD
from governance.models.seat import Place
from governance.views.fetch import moment, this_year

RECENT = 5


@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    at = moment()
    today = timezone.localdate(at)
    bodies = Body.objects.existing(today)
    drafts = Motion.objects.filter(
        state=Motion.State.DRAFT, body__in=Body.objects.of_voter(request.user, at)
    )
    return render(
        request,
        "governance/overview.html",
        {
            "at": at,
            "bodies": [seating.summary(body, today) for body in bodies],
            "being_decided": Motion.objects.being_decided(at).with_votes(),
            "resolutions": Motion.objects.resolutions(at).with_votes()[:RECENT],
            "drafts": drafts.select_related("body", "proposed_by"),
            "may_propose": Body.objects.of_voter(request.user, at).exists(),
        },
    )


@require_safe
def board(request: HttpRequest) -> HttpResponse:
    """The board has an address of its own, and a page before it has members."""
    body = Body.objects.filter(slug=BOARD).first()
    if body is None:
        return render(request, "governance/no_board.html")
    return _page(request, body)


@require_safe
def body_detail(request: HttpRequest, slug: str) -> HttpResponse:
    body = get_object_or_404(Body, slug=slug)
    if body.slug == BOARD:
        return redirect("governance:board")
    return _page(request, body)


@require_safe
def body_json(request: HttpRequest, slug: str) -> HttpResponse:
    """The seats of a body on a date, for programs."""
    body = get_object_or_404(Body, slug=slug)
    on = _asked_day(request) or timezone.localdate()
    seats = [_seat_as_data(place) for place in body.seats.places(on)]
    answer = JsonResponse({"body": body.slug, "name": body.name, "on": on, "seats": seats})
    answer["Access-Control-Allow-Origin"] = "*"
    return answer


def _page(request: HttpRequest, body: Body) -> HttpResponse:
    at = moment()
    today = timezone.localdate(at)
    asked = _asked_day(request)
    on = asked or today
    places = body.seats.places(on)
    resolutions = Motion.objects.resolutions(at).filter(body=body)
    return render(
        request,
        "governance/body.html",
        {
            "body": body,
            "at": at,
            "on": on,
            "today": today,
            "is_today": on == today,
            "not_a_date": bool(request.GET.get("on")) and asked is None,
            "summary": seating.summary(body, on, places),
            "groups": seating.groups(places, on),
            "others": [place for place in places if not place.seat.is_voting],
            "rule_sets": RuleSet.objects.in_force(on).filter(body=body),
            "history": SeatTerm.objects.history(body),
            "being_decided": Motion.objects.being_decided(at).filter(body=body).with_votes(),
            "resolutions": resolutions.with_votes()[:RECENT],
            "resolutions_this_year": resolutions.filter(year=this_year(at)).count(),
        },
    )


def _asked_day(request: HttpRequest) -> date | None:
    try:
        return parse_date(request.GET.get("on", ""))
    except ValueError:
        return None


def _seat_as_data(place: Place) -> dict[str, object]:
    seat, term = place.seat, place.term
    return {
        "number": seat.number,
        "has_vote": seat.is_voting,
        "constituency": seat.constituency,
        "office": seat.office or None,
        "holder": str(term.user) if term else None,
        "affiliation": term.affiliation if term else None,
        "since": term.since if term else None,
        "until": term.until if term else None,
    }
