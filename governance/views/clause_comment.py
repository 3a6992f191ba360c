"""Comments on the clauses of a proposal: written, hidden with a reason, shown again."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from governance.actions import clause_comment as actions
from governance.bylaws import page as bylaws_page
from governance.forms.bylaws import ClauseCommentForm
from governance.models import ClauseComment, Proposal
from governance.refusals import NotAllowed, Refusal
from governance.views.fetch import moment, posted_from_proposal
from governance.views.proposal import page, visible_proposal
from portal.accounts.access import signed_in


@posted_from_proposal
@login_required
def comment_new(request: HttpRequest, reference: str) -> HttpResponse:
    """Publish; what is refused comes back in its form, with nothing lost."""
    user, at = signed_in(request), moment()
    proposal = visible_proposal(request, reference, at)
    form = ClauseCommentForm(request.POST)
    status = 422
    if form.is_valid():
        try:
            comment = actions.comment_on_clause(
                actor=user,
                proposal=proposal,
                clause=_clause(proposal, form.cleaned_data["clause"]),
                text=form.cleaned_data["text"],
                reply_to=_answered(proposal, form.cleaned_data["reply_to"]),
            )
        except Refusal as refusal:
            form.add_error("text", str(refusal))
            status = 403 if isinstance(refusal, NotAllowed) else 409
        else:
            messages.success(request, _("Your comment is public."))
            return _to(comment)
    return page(request, proposal, at, form=form, status=status)


@posted_from_proposal
@login_required
def comment_hide(request: HttpRequest, reference: str, pk: int) -> HttpResponse:
    comment = _comment(request, reference, pk)
    because = request.POST.get("because", "")[:300]
    try:
        actions.hide_clause_comment(actor=signed_in(request), comment=comment, because=because)
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("The comment is hidden; readers see the reason."))
    return _to(comment)


@posted_from_proposal
@login_required
def comment_show(request: HttpRequest, reference: str, pk: int) -> HttpResponse:
    comment = _comment(request, reference, pk)
    try:
        actions.show_clause_comment(actor=signed_in(request), comment=comment)
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, _("The comment is shown again."))
    return _to(comment)


def _comment(request: HttpRequest, reference: str, pk: int) -> ClauseComment:
    proposal = visible_proposal(request, reference, moment())
    return get_object_or_404(proposal.comments.select_related("proposal__bylaws__body"), pk=pk)


def _clause(proposal: Proposal, anchor: str) -> str:
    """An anchor that stands in the proposal now."""
    redline = bylaws_page.of_proposal(proposal)
    if anchor and (redline is None or anchor not in redline.anchors):
        raise Refusal(_("This clause is not in the proposal any more. Comment on the whole of it."))
    return anchor


def _answered(proposal: Proposal, pk: int | None) -> ClauseComment | None:
    if pk is None:
        return None
    found = proposal.comments.filter(pk=pk).first()
    if found is None:
        raise Refusal(_("What you answer is not there any more."))
    return found


def _to(comment: ClauseComment) -> HttpResponse:
    return redirect(f"{comment.proposal.get_absolute_url()}#comment-{comment.pk}")
