"""Fetching is authorising: nobody gets a draft that is not theirs to read."""

from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone

from governance import clock
from governance.actions import closing
from governance.models import Motion
from governance.refusals import Refusal


def moment() -> datetime:
    """The database's time, after counting what is over: a page never shows a stale open vote."""
    at = clock.now()
    if Motion.objects.overdue(at).exists():
        closing.close_due()
    return at


def visible_motion(request: HttpRequest, reference: str, at: datetime) -> Motion:
    """The motion of this address, if the visitor may read it; else 404."""
    visible = Motion.objects.visible_to(request.user, at).with_votes()
    return get_object_or_404(visible.by_reference(reference))


def refused(request: HttpRequest, motion: Motion, refusal: Refusal) -> HttpResponse:
    """Back to the motion, which says in what state it is, with the reason above."""
    messages.error(request, str(refusal))
    return redirect(motion)


def this_year(at: datetime) -> int:
    return timezone.localtime(at).year
