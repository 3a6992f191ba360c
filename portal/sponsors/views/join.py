"""The steps of the sign-up: tier, organisation, logo, agreement. `payment.py` has the rest."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from portal.accounts.models import User
from portal.lib import ratelimit
from portal.members.actions.logo import keep_logo
from portal.members.forms import LogoForm
from portal.members.models import Tier
from portal.members.views.logo import picture_response, tell_what_was_left_out
from portal.payments.actions.coupon import CouponError
from portal.sponsors import catalogue
from portal.sponsors.actions.application import (
    TooManyAddressesError,
    accept_agreement,
    choose_tier,
    save_organisation,
    set_logo,
)
from portal.sponsors.drafts import account, draft_or_404, mine, remember, resumed
from portal.sponsors.forms import AgreementForm, OrganisationForm, TierForm
from portal.sponsors.models import Agreement, Application
from portal.sponsors.quote import Quote, quote
from portal.sponsors.upgrades import extra_days

DRAFTS_AN_HOUR = 30
ADDRESSES_AN_HOUR = 10  # other addresses of owners, each gets a letter
LOGOS_AN_HOUR = 30
SHORT_STEPS = {1: 1, 4: 2, 5: 3}  # of an organisation that is known: tier, agreement, payment


@require_safe
def tier_list(request: HttpRequest) -> HttpResponse:
    """The offer, in the currency of choice."""
    offer = catalogue.offer(request.GET.get("currency", ""))
    unfinished = mine(request).unfinished()
    agreement = Agreement.objects.current(timezone.now())
    context = {"offer": offer, "unfinished": unfinished, "agreement": agreement}
    return render(request, "sponsors/join/tiers.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def organisation_new(request: HttpRequest, tier_key: str) -> HttpResponse:
    """The first step that is kept: who applies. A valid post makes the draft."""
    offer = catalogue.offer(request.GET.get("currency", ""))
    tier = get_object_or_404(Tier.objects.offered(), pk=catalogue.tier_pk(tier_key))
    price = tier.price(offer.currency)
    if price is None:
        return redirect("sponsors:join")
    form = OrganisationForm(request.POST or None, initial=_own_address(request))
    if request.method == "POST" and form.is_valid():
        if ratelimit.allowed(request, action="join", limit=DRAFTS_AN_HOUR, seconds=3600):
            draft = save_organisation(
                actor=account(request),
                application=None,
                tier=tier,
                currency=offer.currency,
                values=form.cleaned_data,
            )
            remember(request, draft)
            return redirect("sponsors:logo", draft.reference)
        form.add_error(None, _("Too many applications came from here. Try again in an hour."))
    context = {"form": form, "tier": tier, "price": price, "step": 2}
    context["charges_vat"] = bool(settings.SELLER_COUNTRY)
    return render(request, "sponsors/join/organisation.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def organisation(request: HttpRequest, reference: UUID) -> HttpResponse:
    """Who applies; what is known of an organisation is changed on its own pages."""
    draft = draft_or_404(request, reference)
    if draft.organisation is not None:
        return redirect("sponsors:payment", reference)
    owner = draft.owner_email.lower()
    form = OrganisationForm(request.POST or None, instance=draft)
    if request.method == "POST" and form.is_valid():
        if form.cleaned_data["owner_email"].lower() == owner or ratelimit.allowed(
            request, action="join-letter", limit=ADDRESSES_AN_HOUR, seconds=3600
        ):
            try:
                save_organisation(
                    actor=account(request),
                    application=draft,
                    tier=draft.tier,
                    currency=draft.currency,
                    values=form.cleaned_data,
                )
            except TooManyAddressesError as error:
                form.add_error("owner_email", str(error))
            else:
                return redirect("sponsors:logo", reference)
        else:
            form.add_error("owner_email", _("The address was changed too often. Wait an hour."))
    return step_page(request, "organisation", 2, draft, form=form)


@require_http_methods(["GET", "HEAD", "POST"])
def tier(request: HttpRequest, reference: UUID) -> HttpResponse:
    """Choose again: the draft keeps everything else. What an organisation holds already decides
    what it may choose, so it does that on its own page.
    """
    draft = draft_or_404(request, reference)
    if draft.organisation is not None and draft.renews is None:
        return redirect("sponsors:another_tier", draft.organisation.slug)
    offer = catalogue.offer(request.GET.get("currency", draft.currency), line=draft.line)
    form = TierForm(request.POST or None, offer=offer, initial={"tier": draft.tier.key})
    if request.method == "POST" and form.is_valid():
        choose_tier(
            actor=account(request),
            application=draft,
            tier=form.chosen(),
            currency=offer.currency,
        )
        return redirect("sponsors:organisation", reference)
    return step_page(request, "tier", 1, draft, form=form, offer=offer)


@require_http_methods(["GET", "HEAD", "POST"])
def logo(request: HttpRequest, reference: UUID) -> HttpResponse:
    """A logo may wait; one that was accepted stays when a later choice is refused."""
    draft = draft_or_404(request, reference)
    if draft.organisation is not None:
        return redirect("sponsors:payment", reference)
    form = LogoForm(request.POST, request.FILES) if request.method == "POST" else LogoForm()
    if request.method == "POST" and form.is_valid():
        if form.picture is None:
            return redirect("sponsors:agreement", reference)
        if not ratelimit.allowed(request, action="join-logo", limit=LOGOS_AN_HOUR, seconds=3600):
            form.add_error(None, _("Too many logos came from here. Try again in an hour."))
            return step_page(request, "logo", 3, draft, form=form)
        set_logo(application=draft, logo=keep_logo(picture=form.picture))
        tell_what_was_left_out(request, form.picture)
        return redirect("sponsors:logo", reference)
    return step_page(request, "logo", 3, draft, form=form)


@require_safe
def logo_file(request: HttpRequest, reference: UUID) -> HttpResponse:
    """The logo of an application, for those who may see the application."""
    application = get_object_or_404(mine(request), reference=reference, logo__isnull=False)
    return picture_response(application.logo, public=False)


@require_http_methods(["GET", "HEAD", "POST"])
def agreement(request: HttpRequest, reference: UUID) -> HttpResponse:
    draft = draft_or_404(request, reference)
    now = timezone.now()
    current = Agreement.objects.current(now)
    if current is None:
        messages.error(request, _("No agreement is in force yet. Come back when one is published."))
        return redirect("sponsors:join")
    accepted = draft.agreement_id == current.pk
    initial = {"accepted_by": draft.accepted_by or draft.owner_name, "accepted": accepted}
    form = AgreementForm(request.POST or None, agreement=current, initial=initial)
    if request.method == "POST" and form.is_valid():
        accept_agreement(
            actor=account(request),
            application=draft,
            agreement=current,
            accepted_by=form.cleaned_data["accepted_by"],
            at=now,
        )
        return redirect("sponsors:payment", reference)
    return step_page(request, "agreement", 4, draft, form=form, agreement=current)


@require_safe
def agreement_text(request: HttpRequest) -> HttpResponse:
    """The agreement in force, for everyone."""
    current = Agreement.objects.current(timezone.now())
    return render(request, "sponsors/agreement.html", {"agreement": current})


@require_safe
def resume(request: HttpRequest, token: str) -> HttpResponse:
    """The link in our letters: this browser may go on with the application."""
    application = resumed(token)
    if application is None:
        return render(request, "sponsors/join/link_expired.html", status=404)
    remember(request, application)
    return redirect(application)


def step_page(
    request: HttpRequest, name: str, step: int, draft: Application, **context: object
) -> HttpResponse:
    """A page of the sign-up: the order stands beside the form."""
    if draft.organisation is not None:  # what is known is not asked for
        step = SHORT_STEPS[step]
    cost = _quote(draft)
    context |= {"application": draft, "step": step, "tier": draft.tier, "quote": cost}
    context["extra_days"] = extra_days(draft, cost.net, timezone.now())
    return render(request, f"sponsors/join/{name}.html", context)


def _quote(draft: Application) -> Quote:
    """What it costs now, without a coupon that has ended since; sending it says why."""
    now = timezone.now()
    try:
        return quote(draft, now)
    except CouponError:
        draft.coupon_code = ""
        return quote(draft, now)


def _own_address(request: HttpRequest) -> dict[str, str]:
    user = account(request)
    return {"owner_name": user.name, "owner_email": user.email} if isinstance(user, User) else {}
