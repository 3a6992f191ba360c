"""Bringing a proposal up to a newer version: what both change, side by side, and what is meant."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from governance.actions import rebase as actions
from governance.actions.proposal import newest
from governance.bylaws import reasons as bylaws_reasons
from governance.bylaws import rebase
from governance.bylaws.page import Redline
from governance.forms.rebase import RebaseForm
from governance.models import Proposal, Version
from governance.refusals import Refusal, allowed
from governance.views.fetch import moment
from governance.views.proposal import visible_proposal
from portal.accounts.access import signed_in


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def proposal_rebase(request: HttpRequest, reference: str) -> HttpResponse:
    user, at = signed_in(request), moment()
    proposal = visible_proposal(request, reference, at)
    try:
        allowed(bylaws_reasons.not_to_rebase(user, proposal, at))
        base = newest(proposal.bylaws)
        parts = rebase.parts(proposal, base)
    except Refusal as refusal:
        messages.error(request, str(refusal))
        return redirect(proposal)
    form = RebaseForm(
        request.POST or None, clashes=rebase.clashes(parts), initial={"version": base.number}
    )
    if request.method == "POST" and "preview" not in request.POST and _is_up_to(form, base):
        try:
            actions.rebase_proposal(actor=user, proposal=proposal, written=form.written)
        except Refusal as refusal:
            form.add_error(None, str(refusal))
        else:
            told = _("The proposal changes version %(number)s now.") % {"number": base.number}
            messages.success(request, told)
            return redirect(proposal)
    typed = [str(field.value() or "") for _clash, field in form.pairs]
    preview = rebase.preview(base, rebase.text_of(parts, typed))
    return _page(request, proposal, base, form, preview)


def _is_up_to(form: RebaseForm, base: Version) -> bool:
    """Whether the writer has seen the version that is the newest now."""
    if not form.is_valid():
        return False
    if form.cleaned_data["version"] == base.number:
        return True
    form.add_error(None, _("Another version was adopted while you wrote. Look at it first."))
    return False


def _page(
    request: HttpRequest,
    proposal: Proposal,
    base: Version,
    form: RebaseForm,
    preview: Redline | None,
) -> HttpResponse:
    context = {
        "proposal": proposal,
        "motion": proposal.motion,
        "bylaws": proposal.bylaws,
        "base": base,
        "form": form,
        "preview": preview,
        "asked": "preview" in request.POST,
    }
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "governance/proposal_rebase.html", context, status=status)
