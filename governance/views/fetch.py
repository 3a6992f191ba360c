"""Fetching is authorising: nobody gets a draft that is not theirs to read."""

from collections.abc import Callable
from datetime import date, datetime
from functools import wraps
from typing import Any, Final

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from governance import clock
from governance.actions import closing
from governance.actions.motion import rules_for
from governance.models import Body, Election, Motion, RuleSet
from governance.motions.counting import counting_rules
from governance.refusals import Refusal, allowed

YEARS: Final = range(1900, 2200)
NEXT_DEADLINE: Final = "SELECT min(deadline) FROM governance_motion WHERE state = 'open'"
Question = Callable[[RuleSet], Refusal | None]
View = Callable[..., HttpResponseBase]


def posted_from(page: str) -> Callable[[View], View]:
    """For an act that is sent from the page of a motion or proposal: who only asks for its address
    (a reload, or signing in came between) is led to that page.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, reference: str, **more: Any) -> HttpResponseBase:
            if request.method in {"GET", "HEAD"}:
                return redirect(page, reference)
            return view(request, reference, **more)

        return require_http_methods(["GET", "HEAD", "POST"])(guarded)

    return decorate


posted_from_motion = posted_from("governance:motion")
posted_from_proposal = posted_from("governance:proposal")


def moment() -> datetime:
    """The database's time, after counting what is over: a page never shows a stale open vote."""
    at, deadline = clock.now_and(NEXT_DEADLINE)
    if deadline is not None and deadline <= at:
        closing.close_due()
    return at


def visible_motion(
    request: HttpRequest, reference: str, at: datetime, *, with_votes: bool = True
) -> Motion:
    """The motion of this address, if the visitor may read it; else 404."""
    visible = Motion.objects.visible_to(request.user, at).by_reference(reference)
    if not with_votes:
        return get_object_or_404(visible.select_related("body", "rule_set", "consent"))
    whole = visible.with_votes().select_related("consent", "ratification")
    return get_object_or_404(whole.defer("superseded_by__text", "superseded_by__papers"))


def visible_election(request: HttpRequest, name: str, at: datetime) -> Election:
    """The election of this name, if the visitor may read it; else 404."""
    return get_object_or_404(Election.objects.visible_to(request.user, at), name=name)


def counting(motion: Motion, at: datetime) -> RuleSet | None:
    """The rules by which its votes would be counted if it were opened now, or are."""
    if motion.rule_set is not None:
        return motion.rule_set
    in_force = RuleSet.objects.in_force(timezone.localdate(at)).select_related("body")
    own = in_force.filter(body=motion.body, subject=motion.subject).first()
    return own and counting_rules(motion, own, at)


def kept_body(request: HttpRequest, slug: str, at: datetime) -> Body:
    """The body of this address, if the visitor keeps its seats; else 403."""
    body = get_object_or_404(Body, slug=slug)
    if not Body.objects.kept_by(request.user, at).filter(pk=body.pk).exists():
        raise PermissionDenied(_("Its seats are kept by its secretary and by the staff."))
    return body


def asked_day(request: HttpRequest) -> date | None:
    """The day in `?on=`; None if there is none, or none that can be read or ever was or will be of
    use: terms are counted on from it.
    """
    try:
        day = parse_date(request.GET.get("on", ""))
    except ValueError:
        return None
    return day if day and day.year in YEARS else None


def wrong_day(request: HttpRequest) -> HttpResponse | None:
    """What a program is answered that asks for a day which is none."""
    if not request.GET.get("on") or asked_day(request) is not None:
        return None
    words = _("“on” is a day such as 2026-11-20.")
    return HttpResponseBadRequest(f"{words}\n", content_type="text/plain; charset=utf-8")


def deciding_rules(motion: Motion, at: datetime, not_to: Question) -> RuleSet:
    """The rules by which the motion is decided now. Raises the Refusal that `not_to` finds, or that
    there are no rules.
    """
    rules = rules_for(motion, at)
    allowed(not_to(rules))
    return rules


def refused(request: HttpRequest, motion: Motion, refusal: Refusal) -> HttpResponse:
    """Back to the motion, which says in what state it is, with the reason above."""
    messages.error(request, str(refusal))
    return redirect(motion)


def this_year(at: datetime) -> int:
    return timezone.localtime(at).year
