"""Consensus in the browser: call it, and say what one thinks."""

from datetime import timedelta

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from governance.actions import consensus as actions
from governance.consensus import questions as asked
from governance.forms.consensus import CallForm, PositionForm
from governance.models import Consensus, Position
from governance.refusals import Refusal
from governance.views.fetch import (
    deciding_rules,
    moment,
    posted_from_motion,
    refused,
    visible_motion,
)
from governance.views.motion import page
from portal.accounts.access import signed_in

USUAL_DAYS = 5


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def consensus_call(request: HttpRequest, reference: str) -> HttpResponse:
    """How long everybody is asked, and what follows if somebody objects."""
    user, at = signed_in(request), moment()
    motion = visible_motion(request, reference, at)
    try:
        rules = deciding_rules(motion, at, lambda rules: asked.not_to_call(user, motion, rules, at))
    except Refusal as problem:
        return refused(request, motion, problem)
    usual = (at + timedelta(days=USUAL_DAYS)).replace(minute=0, second=0, microsecond=0)
    form = CallForm(request.POST or None, initial={"ends_at": usual})
    if request.method == "POST" and form.is_valid():
        try:
            actions.call_consensus(actor=user, motion=motion, **form.cleaned_data)
        except Refusal as problem:
            form.add_error("ends_at", str(problem))
        else:
            messages.success(request, _("Everybody who sits in the body gets a letter."))
            return redirect(motion)
    context = {"motion": motion, "form": form, "rules": rules}
    return render(request, "governance/consensus_call.html", context)


@posted_from_motion
@login_required
def consensus_speak(request: HttpRequest, reference: str) -> HttpResponse:
    user, at = signed_in(request), moment()
    motion = visible_motion(request, reference, at)
    consensus = get_object_or_404(Consensus.objects.running(), motion=motion)
    form = PositionForm(request.POST)
    if not form.is_valid():
        return page(request, motion, at, position_form=form, status=422)
    stance, reason = Position.Stance(form.cleaned_data["stance"]), form.cleaned_data["reason"]
    try:
        actions.take_position(actor=user, consensus=consensus, stance=stance, reason=reason)
    except Refusal as refusal:
        return refused(request, motion, refusal)
    told = (
        _("Everybody reads what you said: %(what)s.")
        if motion.is_public
        else _("The body reads what you said: %(what)s. Everybody does when the motion is public.")
    )
    messages.success(request, told % {"what": stance.label})
    return redirect("governance:motion", motion.slug)
