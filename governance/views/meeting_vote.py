"""The secretary writes down how a meeting voted: who said what, one look more, counted."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from governance.actions.meeting_vote import not_to_record, record_meeting_vote, too_early
from governance.actions.motion import rules_for
from governance.forms.meeting_vote import MeetingVoteForm, OccasionForm
from governance.meetings.room import Room, meetings_of, not_to_vote_in, room
from governance.models import Amendment, Meeting, Motion
from governance.refusals import Refusal, allowed
from governance.views.fetch import moment, refused, visible_motion
from portal.accounts.access import signed_in


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def meeting_vote(request: HttpRequest, reference: str) -> HttpResponse:
    """GET says in which meeting and when, so that the roll tells who was there. The first POST
    shows what would be counted, the confirmed one counts it.
    """
    user, at = signed_in(request), moment()
    motion = visible_motion(request, reference, at)
    refusal = not_to_record(user, motion, at)
    if refusal is not None:
        return refused(request, motion, refusal)
    occasion = _occasion(request, motion, at)
    context: dict[str, Any] = {"motion": motion, "occasion": occasion}
    if not occasion.is_valid():
        status = 422 if request.method == "POST" else 200
        return render(request, "governance/meeting_vote.html", context, status=status)
    try:
        context |= _votes(request, motion, occasion)
    except Refusal as refusal:
        occasion.add_error(None, str(refusal))
        status = 422 if request.method == "POST" else 200
        return render(request, "governance/meeting_vote.html", context, status=status)
    form: MeetingVoteForm = context["form"]
    if request.method == "POST" and form.is_valid():
        if "confirmed" in request.POST:
            decided = _record(request, motion, occasion, form)
            if decided is not None:
                return redirect(decided)
        else:
            context["review"] = "change" not in request.POST
    status = 422 if form.errors else 200
    return render(request, "governance/meeting_vote.html", context, status=status)


def _occasion(request: HttpRequest, motion: Motion, at: datetime) -> OccasionForm:
    """What was asked, or the meeting that goes on or was held last."""
    meetings = meetings_of(motion.body, at)
    asked = request.POST or request.GET
    if "voted_at" in asked:
        return OccasionForm(asked, meetings=meetings)
    slug = request.GET.get("meeting", "")
    named = (meeting for meeting in meetings if meeting.slug == slug or not slug)
    return OccasionForm(_usual(next(named, None), at), meetings=meetings)


def _usual(meeting: Meeting | None, at: datetime) -> dict[str, Any]:
    ended = (meeting.closed_at or meeting.ends_at) if meeting else at
    voted_at = timezone.localtime(min(ended, at)).replace(second=0, microsecond=0)
    return {"meeting": meeting.slug if meeting else "", "voted_at": voted_at.replace(tzinfo=None)}


def _votes(request: HttpRequest, motion: Motion, occasion: OccasionForm) -> dict[str, Any]:
    """The seats of that day, and who of them was in the room. Raises what stands against it."""
    voted_at = occasion.voted
    rules = rules_for(motion, voted_at)
    allowed(too_early(motion, rules, voted_at))
    there = _room(occasion.cleaned_data["meeting"], voted_at)
    form = MeetingVoteForm(
        request.POST or None,
        places=motion.body.seats.voting().places(timezone.localdate(voted_at)),
        room=there,
        rules=rules,
        all_say=request.GET.get("all", ""),
    )
    amendments = motion.amendments.in_order()
    return {
        "form": form,
        "rules": rules,
        "room": there,
        "later": list(amendments.filter(state=Amendment.State.ACCEPTED, decided_at__gt=voted_at)),
        "unanswered": list(amendments.filter(state=Amendment.State.OPEN)),
    }


def _room(meeting: Meeting | None, voted_at: datetime) -> Room | None:
    if meeting is None:
        return None
    allowed(not_to_vote_in(meeting, voted_at))
    return room(meeting, voted_at)


def _record(
    request: HttpRequest, motion: Motion, occasion: OccasionForm, form: MeetingVoteForm
) -> Motion | None:
    try:
        decided = record_meeting_vote(
            actor=signed_in(request),
            motion=motion,
            voices=form.voices,
            voted_at=occasion.voted,
            meeting=occasion.cleaned_data["meeting"],
        )
    except Refusal as refusal:
        form.add_error(None, str(refusal))
        return None
    messages.success(request, _("The vote of the meeting is recorded and counted."))
    return decided
