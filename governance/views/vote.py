"""Voting in the browser: choose, look at it once more, cast."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from governance import reasons
from governance.actions.vote import cast_vote
from governance.forms import VoteForm
from governance.models import Vote
from governance.refusals import NotAllowed, Refusal
from governance.views.fetch import moment, posted_from_motion, visible_motion
from governance.views.motion import page
from portal.accounts.access import signed_in


@posted_from_motion
@login_required
def motion_vote(request: HttpRequest, reference: str) -> HttpResponse:
    """The first POST shows what would be cast, the confirmed one casts it."""
    user, at = signed_in(request), moment()
    motion = visible_motion(request, reference, at)
    refusal = reasons.not_to_vote(user, motion, at)
    if refusal is not None:
        return _refused(request, motion.reference, refusal)
    form, number = VoteForm(request.POST), _number(request)
    if not form.is_valid():
        return page(request, motion, at, form=form, status=422)
    choice, reason = Vote.Choice(form.cleaned_data["choice"]), form.cleaned_data["reason"]
    if "confirmed" not in request.POST:
        mine = motion.roster.filter(user=user).order_by("number")
        voter = get_object_or_404(mine.filter(number=number)) if number else mine[0]
        context = {
            "motion": motion,
            "voter": voter,
            "choice": choice,
            "reason": reason,
            "before": voter.votes.standing().first(),
        }
        return render(request, "governance/vote_review.html", context)
    try:
        vote = cast_vote(actor=user, motion=motion, choice=choice, reason=reason, number=number)
    except Refusal as problem:
        return _refused(request, motion.reference, problem)
    words = {"choice": choice.label, "when": reasons.in_words(vote.cast_at)}
    messages.success(request, _("Your vote counts: %(choice)s, %(when)s.") % words)
    return redirect("governance:motion", motion.reference)


def _number(request: HttpRequest) -> int | None:
    """For which place on the roster, where somebody has several."""
    sent = request.POST.get("number", "")
    return int(sent[:9]) if sent.isdecimal() else None


def _refused(request: HttpRequest, reference: str, refusal: Refusal) -> HttpResponse:
    """The page of the motion, with the reason and a status that programs understand."""
    messages.error(request, _("Your vote was not counted. %(reason)s") % {"reason": refusal})
    at = moment()
    status = 403 if isinstance(refusal, NotAllowed) else 409
    return page(request, visible_motion(request, reference, at), at, status=status)
