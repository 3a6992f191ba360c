"""Amendments in the browser: propose one, answer it, put it to the vote."""

import re

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from governance.actions import amendment as actions
from governance.actions.amendment_vote import put_amendment
from governance.discussion import amending, discussing
from governance.discussion.amendments import Change
from governance.discussion.finding import places
from governance.forms import DeadlineForm
from governance.forms.discussion import AmendmentForm
from governance.models import Amendment, Motion
from governance.refusals import Refusal
from governance.views.draft import usual_deadline
from governance.views.fetch import (
    deciding_rules,
    moment,
    posted_from_motion,
    refused,
    visible_motion,
)
from portal.accounts.access import signed_in
from portal.accounts.models import User


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def amendment_new(request: HttpRequest, reference: str) -> HttpResponse:
    """Write another text. Pressing "preview" shows the change and keeps nothing."""
    user, at = signed_in(request), moment()
    motion = visible_motion(request, reference, at)
    refusal = discussing.not_to_amend(user, motion, at)
    if refusal is not None:
        return refused(request, motion, refusal)
    parent = _parent(request, motion)
    chosen = _chosen(request, _base(motion, parent))
    form = AmendmentForm(
        request.POST or None,
        instance=Amendment(motion=motion, parent=parent),
        initial={"passage": chosen, "replacement": chosen},
    )
    if request.method == "POST" and form.is_valid() and "preview" not in request.POST:
        try:
            amendment = actions.propose_amendment(
                actor=user, motion=motion, parent=parent, **form.cleaned_data
            )
        except Refusal as problem:
            form.add_error(None, str(problem))
        else:
            messages.success(request, _("Your amendment stands below."))
            return redirect(f"{motion.get_absolute_url()}#amendment-{amendment.number}")
    return _form_page(request, form, motion, parent)


@posted_from_motion
@login_required
def amendment_answer(request: HttpRequest, reference: str, number: int) -> HttpResponse:
    """Accept, reject with a reason, or withdraw, as the button says."""
    user = signed_in(request)
    motion = visible_motion(request, reference, moment())
    amendment = get_object_or_404(motion.amendments, number=number)
    try:
        told = _answer(user, amendment, request)
    except Refusal as refusal:
        return refused(request, motion, refusal)
    messages.success(request, told)
    return redirect(f"{motion.get_absolute_url()}#amendment-{number}")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def amendment_vote(request: HttpRequest, reference: str, number: int) -> HttpResponse:
    """A last look at the change, and the deadline."""
    user, at = signed_in(request), moment()
    motion = visible_motion(request, reference, at)
    amendment = get_object_or_404(motion.amendments, number=number)
    try:
        rules = deciding_rules(
            motion, at, lambda rules: discussing.not_to_put(user, amendment, rules, at)
        )
    except Refusal as problem:
        return refused(request, motion, problem)
    form = DeadlineForm(request.POST or None, initial={"deadline": usual_deadline(rules, at)})
    if request.method == "POST" and form.is_valid():
        deadline = form.cleaned_data["deadline"]
        try:
            vote = put_amendment(actor=user, amendment=amendment, deadline=deadline)
        except Refusal as problem:
            form.add_error("deadline", str(problem))
        else:
            messages.success(request, _("The vote on the amendment is open."))
            return redirect(vote)
    context = {
        "motion": motion,
        "amendment": amendment,
        "change": Change.of(amendment, motion.as_public),
        "form": form,
        "rules": rules,
    }
    status = 422 if form.errors else 200
    return render(request, "governance/amendment_vote.html", context, status=status)


def _answer(user: User, amendment: Amendment, request: HttpRequest) -> str:
    act = request.POST.get("act")
    if act == "accept":
        actions.accept_amendment(actor=user, amendment=amendment)
        return _("The amendment is part of the text now.")
    if act == "reject":
        because = request.POST.get("because", "")[:500]
        actions.reject_amendment(actor=user, amendment=amendment, because=because)
        return _("The amendment is rejected; your reason stands beside it.")
    if act == "withdraw":
        actions.withdraw_amendment(actor=user, amendment=amendment)
        return _("Your amendment is withdrawn.")
    raise Refusal(_("Choose whether to accept it, reject it or withdraw it."))


def _parent(request: HttpRequest, motion: Motion) -> Amendment | None:
    number = request.GET.get("to", "")
    if not number:
        return None
    if not number.isdecimal():
        raise Http404
    return get_object_or_404(motion.amendments, number=int(number[:4]), parent=None)


def _base(motion: Motion, parent: Amendment | None) -> str:
    """The text that is amended, as who amends it may read it."""
    return parent.replacement if parent else motion.public_text


def _chosen(request: HttpRequest, base: str) -> str:
    """The paragraph of the text that `?at=3` names; without one the person says which."""
    asked = request.GET.get("at", "")
    found = amending.passages(base)
    place = int(asked) if re.fullmatch(r"[1-9]\d{0,3}", asked) else 0
    return found[place - 1] if 0 < place <= len(found) else ""


def _form_page(
    request: HttpRequest, form: AmendmentForm, motion: Motion, parent: Amendment | None
) -> HttpResponse:
    preview = None
    if form.is_bound and form.is_valid() and "preview" in request.POST:
        try:
            preview = Change.of(form.instance, motion.as_public)
        except amending.NotFoundOnceError as error:
            form.add_error("passage", actions.where(error.times))
    status = 422 if form.is_bound and form.errors else 200
    base = _base(motion, parent)
    context = {
        "form": form,
        "motion": motion,
        "parent": parent,
        "preview": preview,
        "passages": [(each, len(places(base, each)) == 1) for each in amending.passages(base)],
        "is_begun": form.is_bound or bool(form.initial["passage"]),
    }
    return render(request, "governance/amendment_form.html", context, status=status)
