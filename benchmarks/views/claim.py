"""A run that came without an account: its sender signs for it, or takes it away."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from benchmarks import keys
from benchmarks.actions.decision import claim_run, delete_run
from benchmarks.models import Run, State
from portal.accounts.access import signed_in


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def claim(request: HttpRequest, uid: object) -> HttpResponse:
    """Asks first: a link that is only looked at, by a mail scanner for one, claims nothing."""
    run = get_object_or_404(Run.objects.select_related("suite"), uid=uid)
    token = request.GET.get("token", "")
    if not keys.fits(token, run.claim_hash):
        raise Http404
    if request.method != "POST":
        return render(request, "benchmarks/claim.html", {"run": run})
    if claim_run(actor=signed_in(request), run=run, token=token):
        messages.success(request, _("The run is yours now, and everybody can see it."))
    else:
        messages.error(request, _("This run cannot be claimed any more."))
        return redirect("benchmarks:list")
    return redirect(run)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, uid: object) -> HttpResponse:
    if keys.deleted_by(request.GET.get("key", "")) != str(uid):
        raise Http404
    run = get_object_or_404(Run.objects.select_related("suite"), uid=uid, uploader__isnull=True)
    if request.method != "POST":
        context = {"run": run, "is_public": run.state == State.PUBLISHED}
        return render(request, "benchmarks/delete.html", context)
    if delete_run(run=run):
        messages.success(request, _("Done. The run is taken away."))
    else:
        messages.info(request, _("There was nothing left to take away."))
    return redirect("benchmarks:list")
