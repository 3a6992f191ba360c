"""The staff's pages of applications: who wants to be a supporter, and the two answers."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from portal.accounts.access import role_required, signed_in
from portal.accounts.roles import Role
from portal.members.views.logo import picture_response
from portal.sponsors.actions.application import (
    approve_application,
    reject_application,
)
from portal.sponsors.actions.ordering import NotPossibleError
from portal.sponsors.forms import ApprovalForm, RejectionForm
from portal.sponsors.models import Application
from portal.sponsors.models.application import ApplicationState
from portal.sponsors.places import places_left
from portal.sponsors.quote import of_order

PAGE_SIZE = 50
WAITING = ApplicationState.REVIEW.value


@role_required(Role.STAFF)
@require_safe
@never_cache
def application_list(request: HttpRequest) -> HttpResponse:
    """Those that wait for an answer, the oldest first; the others on request, the newest first."""
    asked = request.GET.get("state", "")
    state = asked if asked in ApplicationState.values else WAITING
    found = Application.objects.filter(state=state).select_related("tier__kind", "order")
    ordered = found.order_by("submitted_at" if state == WAITING else "-changed_at", "pk")
    page = Paginator(ordered, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {"page": page, "state": state, "chips": _chips(state)}
    return render(request, "sponsors/application_list.html", context)


def _chips(current: str) -> list[dict[str, object]]:
    """The states, with how many applications are in each; what waits stands first."""
    counted = Application.objects.order_by().values_list("state").annotate(Count("pk"))
    numbers: dict[str, int] = dict(counted)
    choices = sorted(ApplicationState.choices, key=lambda choice: choice[0] != WAITING)
    return [
        {
            "label": label,
            "url": f"?state={name}",
            "count": numbers.get(name, 0),
            "current": name == current,
        }
        for name, label in choices
    ]


@role_required(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def application_review(request: HttpRequest, reference: UUID) -> HttpResponse:
    """What the company said of itself; approve or reject it while it waits."""
    application = get_object_or_404(_whole(), reference=reference)
    answer = request.POST.get("answer", "")
    approval = ApprovalForm(request.POST if answer == "approve" else None, prefix="approve")
    rejection = RejectionForm(request.POST if answer == "reject" else None, prefix="reject")
    if answer == "approve" and approval.is_valid() and _approved(request, application, approval):
        return redirect("sponsors:applications")
    if answer == "reject" and rejection.is_valid() and _rejected(request, application, rejection):
        return redirect("sponsors:applications")
    context = {
        "application": application,
        "approval": approval,
        "rejection": rejection,
        "is_waiting": application.state == WAITING,
        "left": places_left(application.tier),
        "quote": of_order(application.order) if application.order else None,
    }
    return render(request, "sponsors/application_review.html", context)


@role_required(Role.STAFF)
@require_safe
def application_logo(request: HttpRequest, reference: UUID) -> HttpResponse:
    """The logo that it brings, which is nowhere public yet."""
    found = get_object_or_404(_whole(), reference=reference, logo__isnull=False)
    return picture_response(found.logo, public=False)


def _whole() -> QuerySet[Application]:
    related = ("tier__kind", "order", "logo", "agreement", "organisation")
    return Application.objects.select_related(*related)


def _approved(request: HttpRequest, application: Application, form: ApprovalForm) -> bool:
    try:
        approve_application(
            actor=signed_in(request),
            application=application,
            reason=form.cleaned_data["words"],
            at=timezone.now(),
        )
    except NotPossibleError as error:
        form.add_error(None, str(error))
        return False
    messages.success(request, _("Approved. The owner gets a letter with the link to pay."))
    return True


def _rejected(request: HttpRequest, application: Application, form: RejectionForm) -> bool:
    try:
        reject_application(
            actor=signed_in(request), application=application, reason=form.cleaned_data["reason"]
        )
    except NotPossibleError as error:
        form.add_error(None, str(error))
        return False
    messages.success(request, _("Rejected. The owner gets a letter with your reason."))
    return True
