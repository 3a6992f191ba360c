"""The area's first page, and a page for each body: who sits in it, on any date."""

from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Count, Q, Window
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from governance.bodies import classes, seating, seats, vacancies
from governance.bodies.day import Day
from governance.meetings.access import access
from governance.models import Body, Motion
from governance.models.body import BOARD
from governance.models.motion_queryset import MotionQuerySet
from governance.motions import listed
from governance.views.fetch import asked_day, moment, wrong_day
from governance.waiting.everything import waiting_for
from portal.lib.open_data import for_everybody

RECENT = 5
NEXT = timedelta(days=365)  # how far ahead the ends of terms are named
SHOWN = 12


@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    at = moment()
    today = timezone.localdate(at)
    bodies = Body.objects.existing(today)
    running = list(_being_decided(request, at).for_lists())
    resolutions = list(Motion.objects.resolutions(at).for_lists()[:RECENT])
    discussed = list(Motion.objects.being_discussed().for_lists())
    listed.with_numbers([*running, *resolutions, *discussed], at)
    drafts = Motion.objects.filter(
        state=Motion.State.DRAFT, body__in=Body.objects.of_voter(request.user, at)
    )
    return render(
        request,
        "governance/overview.html",
        {
            "at": at,
            "bodies": seating.summaries(bodies, today),
            "being_decided": running,
            "resolutions": resolutions,
            "waiting": waiting_for(request.user, at),
            "discussed": discussed,
            "drafts": drafts.select_related("body", "proposed_by"),
            "may_propose": Body.objects.of_voter(request.user, at).exists(),
        },
    )


@require_safe
def body_list(request: HttpRequest) -> HttpResponse:
    """Every body of a day, and those that are dissolved by then."""
    at = moment()
    today = timezone.localdate(at)
    asked = asked_day(request)
    on = asked or today
    begun = Body.objects.filter(since__lte=on)
    context = {
        "on": on,
        "is_today": on == today,
        "not_a_date": bool(request.GET.get("on")) and asked is None,
        "bodies": seating.summaries(begun.existing(on), on),
        "dissolved": begun.filter(until__lte=on),
        "keeps": set(Body.objects.kept_by(request.user, at).values_list("pk", flat=True)),
    }
    return render(request, "governance/bodies.html", context)


@require_safe
def board(request: HttpRequest) -> HttpResponse:
    """The board has an address of its own, and a page before it has members."""
    found = _with_parts(BOARD)
    if found is None:
        return render(request, "governance/no_board.html")
    return _page(request, *found)


@require_safe
def body_detail(request: HttpRequest, slug: str) -> HttpResponse:
    found = _with_parts(slug)
    if found is None:
        raise Http404
    if slug == BOARD:
        return redirect("governance:board")
    return _page(request, *found)


@require_safe
def body_json(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The seats of a body on a date, for programs."""
    body = get_object_or_404(Body, slug=slug)
    on = asked_day(request) or timezone.localdate()
    wrong = wrong_day(request)
    return wrong or for_everybody(request, JsonResponse(seats.as_data(body, on)))


def _being_decided(request: HttpRequest, at: datetime) -> MotionQuerySet:
    """By vote, by signatures or by consensus, as far as the visitor may read it."""
    return Motion.objects.visible_to(request.user, at).under_decision(at)


def _voters(body: Body, members: classes.Members | None) -> int | None:
    return members.vote if members and body.kind == Body.Kind.MEMBERSHIP else None


def _with_parts(slug: str) -> tuple[Body, list[Body]] | None:
    """The body and those that report to it, with one query."""
    found = Body.objects.filter(Q(slug=slug) | Q(parent__slug=slug)).select_related("parent")
    bodies = list(found)
    own = next((body for body in bodies if body.slug == slug), None)
    return (own, [body for body in bodies if body.parent_id == own.pk]) if own else None


def _page(request: HttpRequest, body: Body, parts: list[Body]) -> HttpResponse:
    at = moment()
    today = timezone.localdate(at)
    asked = asked_day(request)
    on = asked or today
    day = Day(body, on)
    running = list(_being_decided(request, at).filter(body=body).for_lists())
    resolutions = _resolutions(body, at, on)
    listed.with_numbers([*running, *resolutions], at)
    members = classes.members(body, on)
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
            "summary": seating.summary_of(day, _voters(body, members)),
            "groups": seating.groups(day),
            "others": [row for row in seats.rows(day) if not row.seat.is_voting],
            "filling": day.filling,
            "vacant": vacancies.shown(day.vacant, day.filling, on),
            "cap": day.cap,
            "employers": day.employers,
            "members": members,
            "is_gone": body.until is not None and body.until <= on,
            "keeps": Body.objects.kept_by(request.user, at).filter(pk=body.pk).exists(),
            "plans": body.kind != Body.Kind.MEMBERSHIP and access(request.user, body, at).runs,
            "ending": day.ending(NEXT)[:SHOWN],
            "rule_sets": day.rule_sets,
            "history": day.terms,
            "parts": [part for part in parts if part.exists_on(on)],
            "being_decided": running,
            "resolutions": resolutions,
            "resolutions_that_year": resolutions[0].that_year if resolutions else 0,
        },
    )


def _resolutions(body: Body, at: datetime, on: date) -> list[Any]:
    """The newest; each knows as `that_year` how many of all are of the year, until that day."""
    in_time = Q(year=on.year, decided_at__date__lte=on)
    of_body = Motion.objects.resolutions(at).filter(body=body).for_lists()
    return list(of_body.annotate(that_year=Window(Count("pk", filter=in_time)))[:RECENT])
