"""The page on which a member says that they want to vote."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from governance.actions.affirmation import affirm_vote
from governance.motions import affirming
from governance.refusals import Refusal
from governance.views.fetch import moment
from portal.accounts.access import signed_in


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def affirmation(request: HttpRequest) -> HttpResponse:
    user, at = signed_in(request), moment()
    if request.method == "POST":
        try:
            said = affirm_vote(actor=user, voter_key=request.POST.get("voter", ""))
        except Refusal as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, _("Noted: %(name)s wants to vote.") % {"name": said.name})
        return redirect("governance:affirmation")
    asking = affirming.asking(timezone.localdate(at))
    context = {"votes": affirming.own_votes(user, asking, at), "asking": asking}
    return render(request, "governance/affirmation.html", context)
