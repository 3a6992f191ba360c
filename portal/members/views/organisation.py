"""The organisation's own pages. Each contact sees and changes only its part."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.accounts.access import signed_in
from portal.accounts.models import User
from portal.accounts.roles import Role, Scope, has_role
from portal.members.actions.contact import take_contact
from portal.members.actions.logo import keep_logo
from portal.members.actions.organisation import change_listing, change_logo
from portal.members.forms import LogoForm
from portal.members.models import Contact, Organisation
from portal.payments import receipt_pdf
from portal.payments.models import Order


@require_safe
@never_cache
@login_required
def organisation_list(request: HttpRequest) -> HttpResponse:
    """Where a login leads: the only organisation, or the choice, or how to get one."""
    user = signed_in(request)
    own = Organisation.objects.of(user, timezone.now())
    offered = Contact.objects.offered_to(user).select_related("organisation")
    if len(own) == 1 and not offered:
        return redirect("members:organisation", own[0].slug)
    return render(request, "members/organisations.html", {"own": own, "offered": offered})


@require_safe
@never_cache
@login_required
def organisation_detail(request: HttpRequest, slug: str) -> HttpResponse:
    user = signed_in(request)
    now = timezone.now()
    organisation = get_object_or_404(Organisation.objects.of(user, now), slug=slug)
    terms = organisation.terms.select_related("order")
    may = _may(user, organisation)
    context = {
        "organisation": organisation,
        "term": terms.active_on(now).best_first().first(),
        "terms": terms,
        "may": may,
        "orders": _receipts(organisation) if may["billing"] else None,
        "contacts": organisation.contacts.select_related("user"),
        "own_roles": [contact.role for contact in organisation.contacts.filter(user=user)],
    }
    return render(request, "members/organisation.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def organisation_logo(request: HttpRequest, slug: str) -> HttpResponse:
    """Owner and marketing contact change the picture."""
    user = signed_in(request)
    allowed = Organisation.objects.of(user, timezone.now(), Role.OWNER, Role.MARKETING)
    organisation = get_object_or_404(allowed, slug=slug)
    form = LogoForm(request.POST, request.FILES) if request.method == "POST" else LogoForm()
    if request.method == "POST" and form.is_valid():
        if form.picture is not None:
            logo = keep_logo(picture=form.picture)
            change_logo(actor=user, organisation=organisation, logo=logo)
            messages.success(request, _("The new logo is shown from now on."))
        return redirect("members:organisation", slug)
    context = {"form": form, "organisation": organisation}
    return render(request, "members/logo.html", context)


@require_POST
@login_required
def organisation_listing(request: HttpRequest, slug: str) -> HttpResponse:
    """Owner and marketing contact say whether the organisation is named in public."""
    user = signed_in(request)
    allowed = Organisation.objects.of(user, timezone.now(), Role.OWNER, Role.MARKETING)
    organisation = get_object_or_404(allowed, slug=slug)
    change_listing(
        actor=user, organisation=organisation, is_listed=request.POST.get("listed") == "yes"
    )
    return redirect("members:organisation", slug)


@require_POST
@login_required
def contact_take(request: HttpRequest, pk: int) -> HttpResponse:
    """ "This is me": the signed-in account takes a contact that names its address."""
    user = signed_in(request)
    contact = get_object_or_404(Contact.objects.offered_to(user), pk=pk)
    take_contact(user=user, contact=contact)
    return redirect("members:organisation", contact.organisation.slug)


@require_safe
@login_required
def receipt(request: HttpRequest, slug: str, number: str) -> HttpResponse:
    """A receipt as PDF, for owner and billing contact."""
    allowed = Organisation.objects.of(signed_in(request), timezone.now(), Role.OWNER, Role.BILLING)
    organisation = get_object_or_404(allowed, slug=slug)
    order = get_object_or_404(_receipts(organisation), receipt_number=number)
    response = HttpResponse(receipt_pdf.write(order), content_type="application/pdf")
    response["Content-Disposition"] = f'attachment; filename="receipt-{number}.pdf"'
    response["Cache-Control"] = "private, no-store"
    return response


def _receipts(organisation: Organisation) -> QuerySet[Order]:
    return Order.objects.filter(term__organisation=organisation).order_by("-paid_at")


def _may(user: User, organisation: Organisation) -> dict[str, bool]:
    def holds(*roles: Role) -> bool:
        return has_role(user, *roles, scope_kind=Scope.ORGANISATION, scope_slug=organisation.slug)

    return {
        "billing": holds(Role.OWNER, Role.BILLING),
        "profile": holds(Role.OWNER, Role.MARKETING),
    }
