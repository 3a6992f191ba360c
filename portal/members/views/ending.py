"""The end of a support: what it means, asked once more, and taken back until it takes effect."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from portal.accounts.access import signed_in
from portal.members.actions.cancellation import NothingToEndError, TooLateError
from portal.members.ending import end_support, go_on
from portal.members.forms.ending import EndingForm
from portal.members.models import Cancellation, Organisation, Term
from portal.members.rights import Part, own_organisation
from portal.payments.models import Subscription
from portal.payments.providers import ProviderError


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def ending(request: HttpRequest, slug: str) -> HttpResponse:
    """What ends when, before anything is done."""
    organisation = own_organisation(request, slug, Part.WHOLE)
    form = EndingForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        _end(request, organisation, form.cleaned_data["reason"])
        return redirect("members:ending", slug)
    now = timezone.now()
    terms = Term.objects.filter(organisation=organisation).endable(now)
    last = terms.order_by("ends_at").last()
    context = {
        "organisation": organisation,
        "form": form,
        "cancelled": Cancellation.objects.undoable(now).of(organisation).last_to_end(),
        "terms": terms.order_by("ends_at"),
        "last": last,
        "in_grace": last is not None and last.in_grace(now),
        "renews": Subscription.objects.renewing().filter(orders__term__in=terms).exists(),
    }
    return render(request, "members/ending.html", context)


def _end(request: HttpRequest, organisation: Organisation, reason: str) -> None:
    try:
        last = end_support(
            actor=signed_in(request), organisation=organisation, reason=reason, at=timezone.now()
        )
    except NothingToEndError:
        messages.info(request, _("It was cancelled already, or no term runs."))
        return
    if last.term.ends_at <= last.cancelled_at:
        messages.success(request, _("Ended. A letter says so. Thank you for your support!"))
        return
    day = formats.date_format(last.term.ends_at, "j M Y")
    messages.success(request, _("Cancelled: it ends on %(day)s. A letter says so.") % {"day": day})


@require_POST
@login_required
def ending_undo(request: HttpRequest, slug: str) -> HttpResponse:
    organisation = own_organisation(request, slug, Part.WHOLE)
    try:
        go_on(actor=signed_in(request), organisation=organisation, at=timezone.now())
        messages.success(request, _("Taken back: everything goes on as before."))
    except TooLateError:
        messages.info(request, _("It has ended already, or was taken back before."))
    except ProviderError:
        said = _("The payment provider does not answer now: it is not taken back. Try again soon.")
        messages.error(request, said)
    return redirect("members:organisation", slug)
