"""The organisation's own pages. Each contact sees and changes only its part."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from portal.accounts.access import signed_in
from portal.members.actions.contact import take_contact
from portal.members.actions.organisation import change_listing
from portal.members.models import (
    Cancellation,
    Contact,
    Entitlement,
    Organisation,
    RenewalStop,
    Transfer,
)
from portal.members.rights import Part, own_organisation, rights_of


@require_safe
@never_cache
@login_required
def organisation_list(request: HttpRequest) -> HttpResponse:
    """Where a login leads: the only organisation, or the choice, or how to get one."""
    user = signed_in(request)
    now = timezone.now()
    own = Organisation.objects.of(user, now)
    offered = Contact.objects.offered_to(user).select_related("organisation")
    transfers = Transfer.objects.offered_to(user, now).select_related("organisation", "offered_by")
    if len(own) == 1 and not offered and not transfers:
        return redirect("members:organisation", own[0].slug)
    context = {"own": own, "offered": offered, "transfers": transfers}
    return render(request, "members/organisations.html", context)


@require_safe
@never_cache
@login_required
def organisation_detail(request: HttpRequest, slug: str) -> HttpResponse:
    user = signed_in(request)
    now = timezone.now()
    organisation = own_organisation(request, slug, Part.OVERVIEW)
    terms = organisation.terms.select_related("order__subscription")
    term = terms.active_on(now).best_first().first()
    subscription = term.order.subscription if term else None
    is_stopped = RenewalStop.objects.in_force().filter(subscription=subscription).exists()
    context = {
        "organisation": organisation,
        "term": term,
        "subscription": subscription,
        "renews_at": subscription.renews_at() if subscription and not is_stopped else None,
        "is_stopped": is_stopped,
        "cancelled": Cancellation.objects.undoable(now).of(organisation).last_to_end(),
        "past": terms.exclude(pk=term.pk) if term else terms,
        "benefits": term.entitlements.with_used().prefetch_related("uses") if term else [],
        "open_benefits": Entitlement.objects.open_on(now).filter(term=term).order_by("use_by"),
        "now": now,
        "in_grace": term.in_grace(now) if term else False,
        "renewed": term.renewed_by.filter(ended_at=None).first() if term else None,
        "renewable": set(terms.renewable().values_list("pk", flat=True)),
        "lapsed": terms.lapsed(now).order_by("-ends_at").first(),
        "may": rights_of(user, organisation),
        "contacts": organisation.contacts.select_related("user"),
        "own_roles": [contact.role for contact in organisation.contacts.filter(user=user)],
    }
    return render(request, "members/organisation.html", context)


@require_POST
@login_required
def organisation_listing(request: HttpRequest, slug: str) -> HttpResponse:
    """Owner and marketing contact say whether the organisation is named in public."""
    user = signed_in(request)
    organisation = own_organisation(request, slug, Part.PROFILE)
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
