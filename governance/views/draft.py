"""What happens to a motion before its vote: written, seconded, opened; and taking it back."""

from datetime import date, datetime, timedelta
from typing import TypedDict

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from governance import reasons
from governance.actions import motion as actions
from governance.forms import DeadlineForm, MotionForm
from governance.models import Body, Motion, RuleSet
from governance.motions.counting import counting_rules
from governance.refusals import Refusal
from governance.views.fetch import (
    deciding_rules,
    moment,
    posted_from_motion,
    refused,
    visible_motion,
)
from governance.views.opening_context import opening_context
from portal.accounts.access import signed_in
from portal.accounts.models import User

USUAL_TIME = timedelta(days=7)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def motion_new(request: HttpRequest) -> HttpResponse:
    """Write a motion. Pressing "preview" shows it and keeps nothing."""
    user, at = signed_in(request), moment()
    if not Body.objects.of_voter(user, at).exists():
        raise PermissionDenied(_("Only those who hold a voting seat in a body write motions."))
    form = MotionForm(request.POST or None, user=user, at=at, initial=_first_rules(user, at))
    if request.method == "POST" and form.is_valid() and "preview" not in request.POST:
        try:
            motion = actions.draft_motion(
                actor=user, body=form.cleaned_data["rules"].body, **_words(form)
            )
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The draft is kept. Only the body can read it."))
            return redirect(motion)
    return _form_page(request, form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def motion_edit(request: HttpRequest, reference: str) -> HttpResponse:
    user, at = signed_in(request), moment()
    motion = visible_motion(request, reference, at)
    if hasattr(motion, "proposal"):
        return redirect("governance:proposal_edit", motion.slug)
    refusal = reasons.not_to_edit(user, motion)
    if refusal is not None:
        return refused(request, motion, refusal)
    form = MotionForm(request.POST or None, user=user, at=at, instance=motion)
    if request.method == "POST" and form.is_valid() and "preview" not in request.POST:
        try:
            actions.edit_motion(actor=user, motion=motion, **_words(form))
        except Refusal as problem:
            form.add_error(None, str(problem))
        else:
            messages.success(request, _("The draft was changed."))
            return redirect(motion)
    return _form_page(request, form, motion)


@posted_from_motion
@login_required
def motion_second(request: HttpRequest, reference: str) -> HttpResponse:
    user = signed_in(request)
    motion = visible_motion(request, reference, moment())
    try:
        actions.second_motion(actor=user, motion=motion)
    except Refusal as refusal:
        return refused(request, motion, refusal)
    messages.success(request, _("You seconded the motion. What it needs now stands below."))
    return redirect(motion)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def motion_open(request: HttpRequest, reference: str) -> HttpResponse:
    """A last look at what will be frozen, and the deadline."""
    user, at = signed_in(request), moment()
    motion = visible_motion(request, reference, at)
    try:
        rules = deciding_rules(
            motion, at, lambda rules: reasons.not_to_open(user, motion, rules, at)
        )
    except Refusal as problem:
        return refused(request, motion, problem)
    form = DeadlineForm(
        request.POST or None,
        initial={"deadline": usual_deadline(counting_rules(motion, rules, at), at)},
    )
    if request.method == "POST" and form.is_valid():
        try:
            actions.open_motion(actor=user, motion=motion, deadline=form.cleaned_data["deadline"])
        except Refusal as problem:
            form.add_error("deadline", str(problem))
        else:
            messages.success(request, _("The vote is open. Every voter gets a letter."))
            return redirect(motion)
    context = {"motion": motion, "form": form, **opening_context(motion, rules, at)}
    return render(request, "governance/motion_open.html", context)


@posted_from_motion
@login_required
def motion_withdraw(request: HttpRequest, reference: str) -> HttpResponse:
    user = signed_in(request)
    motion = visible_motion(request, reference, moment())
    try:
        actions.withdraw_motion(actor=user, motion=motion)
    except Refusal as refusal:
        return refused(request, motion, refusal)
    messages.success(request, _("The motion is withdrawn. What was written stays on record."))
    return redirect(motion)


def _form_page(
    request: HttpRequest, form: MotionForm, motion: Motion | None = None
) -> HttpResponse:
    preview = None
    if form.is_bound and form.is_valid() and "preview" in request.POST:
        preview = form.cleaned_data
    status = 422 if form.is_bound and form.errors else 200
    context = {"form": form, "motion": motion, "preview": preview}
    return render(request, "governance/motion_form.html", context, status=status)


class Words(TypedDict):
    """The fields of a draft as the actions take them."""

    subject: str
    title: str
    summary: str
    text: str
    papers: str
    electorate: str
    takes_effect_on: date | None
    supersedes: Motion | None


def _words(form: MotionForm) -> Words:
    sent = form.cleaned_data
    return {
        "subject": sent["rules"].subject,
        "title": sent["title"],
        "summary": sent["summary"],
        "text": sent["text"],
        "papers": sent["papers"],
        "electorate": sent["electorate"],
        "takes_effect_on": sent["takes_effect_on"],
        "supersedes": sent["supersedes"],
    }


def _first_rules(user: User, at: datetime) -> dict[str, RuleSet | None]:
    bodies = Body.objects.of_voter(user, at)
    in_force = RuleSet.objects.in_force(timezone.localdate(at)).filter(body__in=bodies)
    return {"rules": in_force.order_by("body__position", "pk").first()}


def usual_deadline(rules: RuleSet, at: datetime) -> datetime:
    """A week, or what the rules ask for if that is more; on the full hour."""
    later = at + max(USUAL_TIME, timedelta(hours=rules.minimum_hours + 1))
    return later.replace(minute=0, second=0, microsecond=0)
