"""The discussion of a motion in the browser: open it, speak, hold it, hide a comment."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from governance.actions import discussion as actions
from governance.actions.motion_comment import comment_on_motion, hide_motion_comment
from governance.forms.discussion import CommentForm, ReasonForm
from governance.models import Motion, MotionComment
from governance.refusals import Refusal
from governance.views.fetch import moment, posted_from_motion, refused, visible_motion
from governance.views.motion import page
from portal.accounts.access import signed_in


@posted_from_motion
@login_required
def motion_discuss(request: HttpRequest, reference: str) -> HttpResponse:
    told = _("The discussion is open. Everybody can read the motion now.")
    return _act(request, reference, actions.open_discussion, told)


@posted_from_motion
@login_required
def motion_hold(request: HttpRequest, reference: str) -> HttpResponse:
    because = request.POST.get("because", "")[:300]
    told = _("The motion is on hold.")
    return _act(request, reference, actions.hold_motion, told, because=because)


@posted_from_motion
@login_required
def motion_resume(request: HttpRequest, reference: str) -> HttpResponse:
    told = _("The motion is taken up again where it was.")
    return _act(request, reference, actions.resume_motion, told)


@posted_from_motion
@login_required
def motion_comment(request: HttpRequest, reference: str) -> HttpResponse:
    """What was typed stays in the form when it cannot be kept."""
    user, at = signed_in(request), moment()
    motion = visible_motion(request, reference, at)
    form = CommentForm(request.POST)
    answered = _answered(request, motion)
    if form.is_valid():
        text = form.cleaned_data["text"]
        try:
            comment = comment_on_motion(actor=user, motion=motion, text=text, reply_to=answered)
        except Refusal as refusal:
            form.add_error("text", str(refusal))
        else:
            messages.success(request, _("Your comment stands below."))
            return redirect(f"{motion.get_absolute_url()}#comment-{comment.pk}")
    return page(request, motion, at, comment_form=form, answered=answered, status=422)


@posted_from_motion
@login_required
def comment_hide(request: HttpRequest, reference: str, pk: int) -> HttpResponse:
    user = signed_in(request)
    motion = visible_motion(request, reference, moment())
    comment = get_object_or_404(motion.comments, pk=pk)
    form = ReasonForm(request.POST)
    because = form.cleaned_data["because"] if form.is_valid() else ""
    try:
        hide_motion_comment(actor=user, comment=comment, because=because)
    except Refusal as refusal:
        return refused(request, motion, refusal)
    messages.success(request, _("The comment is hidden; your reason stands in its place."))
    return redirect(f"{motion.get_absolute_url()}#comment-{comment.pk}")


def _act(
    request: HttpRequest, reference: str, action: Callable[..., Motion], told: str, **sent: Any
) -> HttpResponse:
    user = signed_in(request)
    motion = visible_motion(request, reference, moment())
    try:
        action(actor=user, motion=motion, **sent)
    except Refusal as refusal:
        return refused(request, motion, refusal)
    messages.success(request, told)
    return redirect(motion)


def _answered(request: HttpRequest, motion: Motion) -> MotionComment | None:
    number = request.POST.get("reply_to", "")
    return motion.comments.filter(pk=int(number)).first() if number.isdecimal() else None
