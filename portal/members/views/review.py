"""The staff's pages of nominations and contributors."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from portal.accounts.access import role_required, signed_in
from portal.accounts.roles import Role
from portal.members.actions.contributor import NotLaterError
from portal.members.actions.nomination import (
    NotWaitingError,
    OwnCaseError,
    approve_nomination,
    reject_nomination,
)
from portal.members.forms.nomination import ApprovalForm, ReasonForm
from portal.members.models import Contributor, Nomination

PAGE_SIZE = 50
STATES = {
    "waiting": gettext_lazy("Waiting"),
    "approved": gettext_lazy("Approved"),
    "rejected": gettext_lazy("Rejected"),
    "withdrawn": gettext_lazy("Withdrawn"),
}


@role_required(Role.STAFF)
@require_safe
@never_cache
def nomination_list(request: HttpRequest) -> HttpResponse:
    """Those that wait, the oldest first; the others on request, the newest first."""
    asked = request.GET.get("state", "")
    state = asked if asked in STATES else "waiting"
    found = Nomination.objects.filter(state=state).select_related("nominated_by", "reviewed_by")
    ordered = found.order_by("created_at" if state == "waiting" else "-reviewed_at", "pk")
    page = Paginator(ordered, PAGE_SIZE).get_page(request.GET.get("page"))
    chips = [
        {
            "label": label,
            "url": f"?state={name}",
            "count": Nomination.objects.filter(state=name).count(),
            "current": name == state,
        }
        for name, label in STATES.items()
    ]
    context = {"page": page, "state": state, "chips": chips}
    return render(request, "members/nomination_list.html", context)


@role_required(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def nomination_review(request: HttpRequest, pk: int) -> HttpResponse:
    """Who is nominated, by whom, with what; and the two answers."""
    nomination = get_object_or_404(Nomination.objects.select_related("nominated_by"), pk=pk)
    answer = request.POST.get("answer", "")
    now = timezone.now()
    approval = ApprovalForm(request.POST if answer == "approve" else None, at=now)
    rejection = ReasonForm(request.POST if answer == "reject" else None, prefix="reject")
    if answer == "approve" and approval.is_valid() and _approved(request, nomination, approval):
        return redirect("members:nominations")
    if answer == "reject" and rejection.is_valid() and _rejected(request, nomination, rejection):
        return redirect("members:nominations")
    contributor = Contributor.objects.filter(email__iexact=nomination.email).first()
    context = {
        "nomination": nomination,
        "approval": approval,
        "rejection": rejection,
        "others": Nomination.objects.of_address(nomination.email).exclude(pk=pk),
        "contributor": contributor,
        "standing": contributor.standing_on(now) if contributor else None,
    }
    return render(request, "members/nomination_review.html", context)


def _approved(request: HttpRequest, nomination: Nomination, form: ApprovalForm) -> bool:
    try:
        approve_nomination(
            actor=signed_in(request),
            nomination=nomination,
            until=form.cleaned_data["until"],
            reason=form.cleaned_data["reason"],
            at=timezone.now(),
        )
    except (NotWaitingError, OwnCaseError, NotLaterError) as error:
        form.add_error("until" if isinstance(error, NotLaterError) else None, words_of(error))
        return False
    messages.success(request, _("Approved. Both get a letter."))
    return True


def _rejected(request: HttpRequest, nomination: Nomination, form: ReasonForm) -> bool:
    try:
        reject_nomination(
            actor=signed_in(request),
            nomination=nomination,
            reason=form.cleaned_data["reason"],
            at=timezone.now(),
        )
    except (NotWaitingError, OwnCaseError) as error:
        form.add_error(None, words_of(error))
        return False
    messages.success(request, _("Rejected. Who nominated gets a letter with the reason."))
    return True


def words_of(error: Exception) -> str:
    """What somebody is told who cannot do that."""
    if isinstance(error, OwnCaseError):
        return _("You wrote this nomination or are the person: somebody else must decide.")
    if isinstance(error, NotLaterError):
        return _("The standing that runs lasts at least as long. Choose a later day.")
    return _("This nomination was decided or taken back meanwhile.")
