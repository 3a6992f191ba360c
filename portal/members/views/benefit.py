"""Benefits used and open: the organisation reads, the staff record."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.accounts.access import role_required, signed_in
from portal.accounts.roles import Role
from portal.members.actions.benefit import (
    NothingLeftError,
    TakenBackError,
    TooLateError,
    take_use_back,
    use_benefit,
)
from portal.members.forms.register import BenefitUseForm
from portal.members.models import BenefitUse, Entitlement
from portal.members.rights import Part, own_organisation


@require_safe
@never_cache
@login_required
def benefit_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Of every term: what was bought, what was used and for what, what is left until when."""
    organisation = own_organisation(request, slug, Part.OVERVIEW)
    now = timezone.now()
    terms = [
        (term, term.entitlements.with_used().prefetch_related("uses"))
        for term in organisation.terms.all()
    ]
    context = {
        "organisation": organisation,
        "terms": terms,
        "open_benefits": Entitlement.objects.open_on(now)
        .filter(term__organisation=organisation)
        .order_by("use_by"),
        "now": now,
    }
    return render(request, "members/benefit_list.html", context)


@role_required(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def benefit_use(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One benefit of an organisation, its uses, and a new one."""
    bought = Entitlement.objects.filter(term__organisation__slug=slug).with_used()
    entitlement = get_object_or_404(bought.select_related("term__organisation"), pk=pk)
    form = BenefitUseForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid() and _used(request, entitlement, form):
        return redirect("members:benefit_use", slug, pk)
    context = {
        "organisation": entitlement.term.organisation,
        "benefit": entitlement,
        "form": form,
        "uses": entitlement.uses.select_related("recorded_by", "taken_back_by"),
        "now": timezone.now(),
    }
    return render(request, "members/benefit_use.html", context)


def _used(request: HttpRequest, entitlement: Entitlement, form: BenefitUseForm) -> bool:
    try:
        use_benefit(
            actor=signed_in(request),
            entitlement=entitlement,
            at=timezone.now(),
            **form.cleaned_data,
        )
    except NothingLeftError as error:
        said = ngettext("Only %(left)s is left.", "Only %(left)s are left.", error.left)
        form.add_error("quantity", said % {"left": error.left})
    except TooLateError:
        form.add_error(None, _("Its time is over, or the term has ended."))
    else:
        messages.success(request, _("Recorded. The organisation sees it on its page."))
    return form.is_valid()


@role_required(Role.STAFF)
@require_POST
def benefit_take_back(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    uses = BenefitUse.objects.filter(entitlement__term__organisation__slug=slug)
    use = get_object_or_404(uses, pk=pk)
    try:
        take_use_back(actor=signed_in(request), use=use, at=timezone.now())
        messages.success(request, _("Taken back: it is left again."))
    except TakenBackError:
        messages.info(request, _("It was taken back already."))
    return redirect("members:benefit_use", slug, use.entitlement_id)
