"""Proposals to change bylaws: written with a redline as preview, discussed clause by clause."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from governance import reasons
from governance.actions import proposal as actions
from governance.bylaws import page as bylaws_page
from governance.bylaws import reasons as bylaws_reasons
from governance.bylaws.text import write
from governance.forms.bylaws import ClauseCommentForm
from governance.models import Body, Bylaws, Proposal
from governance.refusals import Refusal
from governance.views.fetch import moment
from governance.views.proposal_writing import form_of, form_page, is_sent, refuse, words_of
from portal.accounts.access import signed_in


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def proposal_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Write a proposal. "Preview" shows what would change and keeps nothing."""
    user, at = signed_in(request), moment()
    bylaws = get_object_or_404(Bylaws.objects.select_related("body"), slug=slug)
    if not Body.objects.of_voter(user, at).filter(pk=bylaws.body_id).exists():
        raise PermissionDenied(
            _("Only those who hold a voting seat in the body (%(body)s) propose changes.")
            % {"body": bylaws.body}
        )
    try:
        base = actions.newest(bylaws)
    except Refusal as refusal:
        messages.error(request, str(refusal))
        return redirect(bylaws)
    form = form_of(request, base, {"text": write(base.items())})
    if is_sent(request, form):
        try:
            proposal = actions.draft_proposal(actor=user, bylaws=bylaws, **words_of(form))
        except Refusal as refusal:
            refuse(form, refusal)
        else:
            messages.success(request, _("The draft is kept. Only the body can read it."))
            return redirect(proposal)
    return form_page(request, form, bylaws, base)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def proposal_edit(request: HttpRequest, reference: str) -> HttpResponse:
    user, at = signed_in(request), moment()
    proposal = visible_proposal(request, reference, at)
    refusal = reasons.not_to_edit(user, proposal.motion)
    if refusal is not None:
        return _refused(request, proposal, refusal)
    base = actions.newest(proposal.bylaws)
    form = form_of(request, base, _written(proposal))
    if is_sent(request, form):
        try:
            actions.edit_proposal(actor=user, proposal=proposal, **words_of(form))
        except Refusal as problem:
            refuse(form, problem)
        else:
            messages.success(request, _("The draft was changed."))
            return redirect(proposal)
    return form_page(request, form, proposal.bylaws, base, proposal)


@require_safe
def proposal_detail(request: HttpRequest, reference: str) -> HttpResponse:
    at = moment()
    return page(request, visible_proposal(request, reference, at), at)


def visible_proposal(request: HttpRequest, reference: str, at: datetime) -> Proposal:
    """The proposal of this address, if the visitor may read it; else 404."""
    visible = Proposal.objects.visible_to(request.user, at).whole()
    return get_object_or_404(visible.by_reference(reference))


def page(
    request: HttpRequest,
    proposal: Proposal,
    at: datetime,
    *,
    form: ClauseCommentForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The redline with what was said; `form` is a comment that was refused."""
    motion = proposal.motion
    comments = list(proposal.comments.in_order())
    redline = bylaws_page.of_proposal(proposal, comments)
    newest = proposal.bylaws.versions.first()
    context = {
        "proposal": proposal,
        "motion": motion,
        "bylaws": proposal.bylaws,
        "redline": redline,
        "articles": _articles(request, redline),
        "show_all": "all" in request.GET,
        "comments": sum(not comment.is_hidden for comment in comments),
        "form": form or ClauseCommentForm(),
        "open_clause": _open_clause(form, redline),
        "open_reply": _reply(form),
        "not_to_comment": bylaws_reasons.not_to_comment(request.user, proposal, at),
        "moderates": bylaws_reasons.moderates(request.user, proposal.bylaws.body, at),
        "may_edit": reasons.not_to_edit(request.user, motion) is None,
        "may_rebase": bylaws_reasons.not_to_rebase(request.user, proposal, at) is None,
        "newer": newest if newest and newest.pk != proposal.base_id else None,
        "adopted": getattr(motion, "version", None),
        "at": at,
    }
    return render(request, "governance/proposal.html", context, status=status)


def _open_clause(form: ClauseCommentForm | None, redline: bylaws_page.Redline | None) -> str | None:
    """Where a refused comment comes back: at its clause, or at the whole if that is gone."""
    if form is None or redline is None:
        return None
    anchor = str(form["clause"].value() or "")
    return anchor if anchor in redline.anchors else ""


def _articles(request: HttpRequest, redline: bylaws_page.Redline | None) -> Any:
    if redline is None:
        return []
    return redline.articles if "all" in request.GET else redline.only_changed


def _reply(form: ClauseCommentForm | None) -> int | None:
    value = form["reply_to"].value() if form else ""
    return int(value) if str(value or "").isdecimal() else None


def _written(proposal: Proposal) -> dict[str, object]:
    """What the form begins with."""
    motion = proposal.motion
    return {
        "title": motion.title,
        "summary": motion.summary,
        "text": motion.text,
        "effective_on": motion.takes_effect_on,
    }


def _refused(request: HttpRequest, proposal: Proposal, refusal: Refusal) -> HttpResponse:
    messages.error(request, str(refusal))
    return redirect(proposal)
