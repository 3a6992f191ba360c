"""The channel for slips of spelling: reported by anybody with an account, decided by officers."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from governance.actions import typo as actions
from governance.forms.bylaws import TypoForm
from governance.models import Typo, Version
from governance.refusals import Refusal
from governance.views.fetch import moment
from portal.accounts.access import signed_in


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def typo_new(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    user = signed_in(request)
    moment()
    version = get_object_or_404(Version.objects.whole(), bylaws__slug=slug, number=number)
    asked = request.POST.get("clause") or request.GET.get("clause", "")
    clause = next((item for item in version.items() if item.anchor == asked), None)
    form = TypoForm(request.POST or None, version=version, initial={"clause": asked})
    if request.method == "POST" and form.is_valid():
        try:
            actions.report_typo(actor=user, version=version, **form.cleaned_data)
        except Refusal as refusal:
            form.add_error("wrong", str(refusal))
        else:
            messages.success(request, _("Thank you. An officer decides, and it is listed here."))
            return redirect(f"{version.get_absolute_url()}#typos")
    status = 422 if form.is_bound and form.errors else 200
    context = {"form": form, "version": version, "bylaws": version.bylaws, "clause": clause}
    return render(request, "governance/typo_form.html", context, status=status)


@login_required
@require_POST
def typo_decide(request: HttpRequest, pk: int) -> HttpResponse:
    user = signed_in(request)
    typo = get_object_or_404(Typo.objects.select_related("version__bylaws__body"), pk=pk)
    accept = request.POST.get("decision") == "accept"
    try:
        actions.decide_typo(
            actor=user, typo=typo, accept=accept, reason=request.POST.get("reason", "")[:300]
        )
    except Refusal as refusal:
        messages.error(request, str(refusal))
    else:
        done = _("Corrected from now on.") if accept else _("Declined, with your reason.")
        messages.success(request, done)
    return redirect(f"{typo.version.get_absolute_url()}#typos")
