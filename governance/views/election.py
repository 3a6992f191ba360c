"""The list of elections and the page of each: record, JSON, calendar, letters."""

from datetime import datetime
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from governance.elections import (
    calendars,
    complaining,
    data,
    enfranchised,
    history,
    levels,
    lineup,
    readers,
    running,
    stages,
    steps,
    whole,
)
from governance.models import Body, Election
from governance.models.election import run_by
from governance.motions import deliveries
from governance.views.fetch import moment, visible_election
from governance.views.fetch_election import run_election
from portal.accounts.models import User
from portal.lib.icalendar import CONTENT_TYPE
from portal.lib.open_data import for_everybody

PER_PAGE = 20
RECIPIENTS = 50
State = Election.State


@require_safe
def election_list(request: HttpRequest) -> HttpResponse:
    """Those in which votes are taken, those that come, and those that are over."""
    at = moment()
    visible = Election.objects.visible_to(request.user, at)
    asked_words = request.GET.get("q", "")[:80]
    body = Body.objects.filter(slug=request.GET.get("body", "")).first()
    if asked_words:
        visible = visible.filter(Q(title__icontains=asked_words) | Q(name__icontains=asked_words))
    if body is not None:
        visible = visible.filter(body=body)
    over = Q(state__in=[State.CLOSED, State.COUNTED, State.DECLARED, State.CANCELLED])
    over |= Q(state=State.FROZEN, closes_at__lte=at)
    voting = visible.voting(at)
    coming = visible.exclude(over).exclude(pk__in=voting.values("pk")).order_by("opens_at", "pk")
    page = Paginator(visible.filter(over), PER_PAGE).get_page(request.GET.get("page"))
    held = Body.objects.filter(elections__in=Election.objects.visible_to(request.user, at))
    context = {
        "at": at,
        "voting": _staged(voting, at),
        "coming": _staged(coming, at),
        "page": page,
        "past": _staged(page.object_list, at),
        "asked": asked_words,
        "body": body,
        "bodies": held.distinct(),
        "filtered": bool(asked_words or request.GET.get("body")),
        "may_plan": run_by(request.user, at).exists(),
    }
    return render(request, "governance/elections/list.html", context)


def _staged(elections: Any, at: datetime) -> list[tuple[Election, stages.Stage]]:
    return [(each, stages.stage(each, at)) for each in elections]


@require_safe
def election_detail(request: HttpRequest, name: str) -> HttpResponse:
    at = moment()
    election = visible_election(request, name, at)
    whole.read_people(election)
    whole.read_rulings(election)
    scrutineers, officers = whole.key_holders(election)
    runs = running.runs(request.user, election.body, at)
    lineups = list(lineup.of_election(election, request.user, at))
    context = {
        "election": election,
        "at": at,
        "stage": stages.stage(election, at),
        "calendar": [(each, each.word(at)) for each in stages.calendar(election)],
        "lineups": lineups,
        "level": levels.of(election),
        "fewest_voters": _fewest_voters(election, lineups),
        "steps": list(steps.for_visitor(election, lineups, request.user, at)),
        "standings": _standings(request, election, at),
        "objections": sum(len(each.objections.all()) for each in election.contests.all()),
        "complaints": election.complaints.count(),
        "not_to_complain": complaining.not_to_complain(request.user, election, at),
        "scrutineers": scrutineers if election.is_sealed else [],
        "officers": officers,
        "events": history.events(election),
        "runs": runs,
    }
    if runs:
        user = request.user
        context["not_to_edit"] = running.not_to_edit(user, election, at)
        context["not_to_announce"] = running.not_to_announce(user, election, at)
        context["not_to_cancel"] = running.not_to_cancel(user, election, at)
    return render(request, "governance/elections/election.html", context)


def _fewest_voters(election: Election, lineups: list[lineup.Lineup]) -> int | None:
    """On the smallest roll: among few, a result alone tells much. None before rolls are drawn."""
    if election.roll_drawn_at is None:
        return None
    return min((each.voters for each in lineups), default=None)


def _standings(
    request: HttpRequest, election: Election, at: datetime
) -> list[enfranchised.Standing]:
    """How the visitor's own votes stand; a draft and what was called off have no roll."""
    if not isinstance(request.user, User) or election.state in {State.DRAFT, State.CANCELLED}:
        return []
    return enfranchised.standings(request.user, election, at)


@require_safe
def election_json(request: HttpRequest, name: str) -> HttpResponseBase:
    """An election that was announced, for programs."""
    at = moment()
    election = visible_election(request, name, at)
    if election.announced_at is None:
        raise Http404
    return for_everybody(request, JsonResponse(data.of_election(election, at)))


@require_safe
def election_ics(request: HttpRequest, name: str) -> HttpResponseBase:
    """Its dates for a calendar program to follow."""
    election = visible_election(request, name, moment())
    if election.announced_at is None:
        raise Http404
    answer = HttpResponse(calendars.write(election), content_type=CONTENT_TYPE)
    return for_everybody(request, answer)


@login_required
@require_safe
def election_letters(request: HttpRequest, name: str) -> HttpResponse:
    """Which letters about it left, for whom, and which did not; for who runs it."""
    election = run_election(request, name, moment())
    asked = request.GET.get("q", "")[:80]
    about = readers.about_election(election)
    page = Paginator(deliveries.addresses(about, asked), RECIPIENTS).get_page(
        request.GET.get("page")
    )
    context = {
        "election": election,
        "page": page,
        "asked": asked,
        "recipients": deliveries.recipients(about, list(page.object_list)),
        "rounds": election.rounds.order_by("pk"),
    }
    return render(request, "governance/elections/letters.html", context)
