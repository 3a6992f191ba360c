"""Nominating somebody as contributor, and what came of it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.accounts.access import signed_in
from portal.members.actions.nomination import (
    Case,
    NominatedAlreadyError,
    NotWaitingError,
    TooManyNominationsError,
    nominate,
    withdraw_nomination,
)
from portal.members.forms.nomination import NominationForm
from portal.members.models import Nomination


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def nomination_add(request: HttpRequest) -> HttpResponse:
    form = NominationForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        nomination = _nominated(request, form)
        if nomination is not None:
            messages.success(request, _("Thank you. We write to you when it is decided."))
            return redirect(nomination)
    return render(request, "members/nominate.html", {"form": form})


def _nominated(request: HttpRequest, form: NominationForm) -> Nomination | None:
    """The new nomination; None with the reason in the form."""
    try:
        case = Case(**form.cleaned_data)
        return nominate(actor=signed_in(request), case=case, at=timezone.now())
    except NominatedAlreadyError:
        form.add_error("email", _("You nominated this person already; that waits for review."))
    except TooManyNominationsError:
        form.add_error(None, _("Ten nominations a day are enough. Come back tomorrow."))
    return None


@require_safe
@never_cache
@login_required
def nomination_detail(request: HttpRequest, pk: int) -> HttpResponse:
    user = signed_in(request)
    nomination = get_object_or_404(Nomination.objects.visible_to(user), pk=pk)
    context = {"nomination": nomination, "is_own": nomination.nominated_by == user}
    return render(request, "members/nomination.html", context)


@require_POST
@login_required
def nomination_withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    user = signed_in(request)
    nomination = get_object_or_404(Nomination, pk=pk, nominated_by=user)
    try:
        withdraw_nomination(actor=user, nomination=nomination)
        messages.success(request, _("The nomination is taken back."))
    except NotWaitingError:
        messages.info(request, _("It was decided already."))
    return redirect(nomination)
