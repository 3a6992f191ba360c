"""What renews by itself: seen, stopped and taken up again by owner and billing contact."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from portal.accounts.access import signed_in
from portal.members.actions.renewal_stop import (
    NothingToResumeError,
    NothingToStopError,
    check_resumable,
    terms_of,
)
from portal.members.forms.renewing import RenewingForm
from portal.members.models import Organisation, RenewalStop
from portal.members.renewing import resume, stop, subscriptions_of
from portal.members.rights import Part, own_organisation
from portal.payments.asking import may_be_taken
from portal.payments.models import Subscription
from portal.payments.providers import ProviderError


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def renewing(request: HttpRequest, slug: str) -> HttpResponse:
    """What is taken when, before it is changed."""
    organisation = own_organisation(request, slug, Part.MONEY)
    if request.method == "POST":
        _change(request, organisation, RenewingForm(request.POST))
        return redirect("members:renewing", slug)
    found = subscriptions_of(organisation).order_by("current_period_end", "pk")
    rows = [_row(subscription, organisation) for subscription in found]
    context = {
        "organisation": organisation,
        "rows": rows,
        "confirming": any(row["is_confirming"] for row in rows),
        "troubled": any(row["is_troubled"] for row in rows),
    }
    return render(request, "members/renewing.html", context)


def _row(subscription: Subscription, organisation: Organisation) -> dict[str, object]:
    stops = RenewalStop.objects.standing().filter(subscription=subscription)
    return {
        "subscription": subscription,
        "term": terms_of(subscription, organisation)[0],
        "renews_at": subscription.renews_at(),
        "is_troubled": subscription.is_troubled,
        "is_confirming": may_be_taken(subscription),
        "is_asked": stops.untold().exists(),
        "resumable": _is_resumable(subscription, organisation),
    }


def _is_resumable(subscription: Subscription, organisation: Organisation) -> bool:
    try:
        check_resumable(subscription=subscription, organisation=organisation)
    except NothingToResumeError:
        return False
    return subscription.cancel_at_period_end


def _change(request: HttpRequest, organisation: Organisation, form: RenewingForm) -> None:
    if not form.is_valid():
        messages.error(request, _("Nothing was changed: press the button on this page once more."))
        return
    subscription = get_object_or_404(
        subscriptions_of(organisation), reference=form.cleaned_data["subscription"]
    )
    verbs = {"stop": _stop, "resume": _resume}
    verbs[form.cleaned_data["what"]](request, organisation, subscription)


def _stop(request: HttpRequest, organisation: Organisation, subscription: Subscription) -> None:
    actor, now = signed_in(request), timezone.now()
    try:
        stop(actor=actor, organisation=organisation, subscription=subscription, at=now)
    except NothingToStopError:
        messages.info(request, _("It does not renew by itself any more."))
        return
    words = _("Ended: no more money is taken by itself. The support goes on to its last day.")
    messages.success(request, words)


def _resume(request: HttpRequest, organisation: Organisation, subscription: Subscription) -> None:
    actor, now = signed_in(request), timezone.now()
    try:
        resume(actor=actor, organisation=organisation, subscription=subscription, at=now)
    except NothingToResumeError:
        messages.error(request, _("It cannot be taken up again. Renew the support by hand."))
        return
    except ProviderError:
        said = _("The payment provider does not answer now. Nothing was changed: try again soon.")
        messages.error(request, said)
        return
    subscription.refresh_from_db()
    day = subscription.current_period_end
    words = _("It renews by itself again: %(price)s will be charged on %(day)s.")
    told = {"price": subscription.price, "day": formats.date_format(day, "j M Y") if day else "—"}
    messages.success(request, words % told)
