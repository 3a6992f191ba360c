"""Staff look at what came without an account, and let it in or not."""

from typing import Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from benchmarks.actions.run import accept_run, reject_run
from benchmarks.models import Run
from portal.accounts.access import role_required, signed_in
from portal.accounts.roles import Role

PER_PAGE: Final = 25
DECISIONS: Final = {"accept": accept_run, "reject": reject_run}


@role_required(Role.STAFF)
@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    runs = Run.objects.waiting().select_related("suite")
    page = Paginator(runs, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "benchmarks/moderation.html", {"page": page})


@role_required(Role.STAFF)
@require_POST
def decide(request: HttpRequest, uid: object) -> HttpResponse:
    run = get_object_or_404(Run, uid=uid)
    decision = DECISIONS.get(request.POST.get("decision", ""))
    if decision is None:
        messages.error(request, _("Choose “Accept” or “Reject”."))
    elif decision(actor=signed_in(request), run=run):
        messages.success(
            request, _("%(run)s: %(state)s.") % {"run": run, "state": run.get_state_display()}
        )
    else:
        messages.info(request, _("Somebody else has decided on this run already."))
    return redirect("benchmarks:moderation")
