"""Taking an application back: what that means, asked once more."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from portal.members.forms.ending import EndingForm
from portal.payments.providers import ProviderError
from portal.sponsors.actions.ordering import NotPossibleError
from portal.sponsors.actions.withdrawal import SENT
from portal.sponsors.drafts import account, mine
from portal.sponsors.models import Application
from portal.sponsors.models.application import ApplicationState
from portal.sponsors.withdrawing import withdraw

OPEN = [ApplicationState.DRAFT, *SENT]


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def withdrawal(request: HttpRequest, reference: UUID) -> HttpResponse:
    """For a draft, and for what was sent and is not paid."""
    application = get_object_or_404(mine(request), reference=reference)
    if application.state not in OPEN:
        messages.info(request, _("It is not open any more. This is how it stands."))
        return redirect(application)
    form = EndingForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        return _withdrawn(request, application, form.cleaned_data["reason"])
    context = {"application": application, "form": form, "is_draft": application.state == "draft"}
    return render(request, "sponsors/join/withdraw.html", context)


def _withdrawn(request: HttpRequest, application: Application, reason: str) -> HttpResponse:
    try:
        stays = withdraw(
            actor=account(request), application=application, reason=reason, at=timezone.now()
        )
    except ProviderError:
        said = _("The payment provider does not answer now: it is not withdrawn. Try again soon.")
        messages.error(request, said)
        return redirect("sponsors:withdraw", application.reference)
    except NotPossibleError as error:
        messages.error(request, str(error))
        return redirect(application)
    if stays:
        messages.success(request, _("Withdrawn. Nothing is to be paid; a letter says so."))
        return redirect(application)
    messages.success(request, _("The draft is deleted."))
    return redirect("sponsors:join")
