"""Fetching is authorising: an election that the visitor may read, or run."""

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from governance.elections import running
from governance.models import Candidacy, Contest, Election
from governance.refusals import Refusal
from governance.views.fetch import visible_election

View = Callable[..., HttpResponseBase]


def run_election(request: HttpRequest, name: str, at: datetime) -> Election:
    """The election, if the visitor runs it; others get 403."""
    election = visible_election(request, name, at)
    if not running.runs(request.user, election.body, at):
        raise PermissionDenied(
            _("Elections are run by election officers, the secretary of the body and the staff.")
        )
    return election


def contest_of(election: Election, constituency: str) -> Contest:
    """The contest of a constituency, or 404."""
    contest = get_object_or_404(election.contests.all(), constituency=constituency)
    contest.election = election
    return contest


def candidacy_of(election: Election, pk: int) -> Candidacy:
    """Somebody who was nominated in it, or 404."""
    found = Candidacy.objects.filter(contest__election=election)
    candidacy = get_object_or_404(found.select_related("contest", "user", "nominated_by"), pk=pk)
    candidacy.contest.election = election
    return candidacy


def posted_from_election(view: View) -> View:
    """For an act that is sent from a page of an election: who only asks for its address (a reload,
    or signing in came between) is led to the page of the election.
    """

    @wraps(view)
    def guarded(request: HttpRequest, name: str, **more: Any) -> HttpResponseBase:
        if request.method in {"GET", "HEAD"}:
            return redirect("governance:election", name)
        return view(request, name, **more)

    return require_http_methods(["GET", "HEAD", "POST"])(guarded)


def acted(request: HttpRequest, act: Callable[[], object], said: str, back: str) -> HttpResponse:
    """Do it and say so, or say why not; then to the page at `back`."""
    try:
        act()
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, said)
    return redirect(back)
