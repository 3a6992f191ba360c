"""The staff's pages of contributors: who, until when, renewed or ended."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from portal.accounts.access import role_required, signed_in
from portal.accounts.roles import Role
from portal.members.actions.contributor import NotLaterError, end_standing, renew_standing
from portal.members.forms.nomination import ReasonForm, RenewalForm
from portal.members.models import Contributor
from portal.members.views.review import PAGE_SIZE, words_of


@role_required(Role.STAFF)
@require_safe
@never_cache
def contributor_records(request: HttpRequest) -> HttpResponse:
    """Everybody who is or was one, by part of the name or address."""
    now = timezone.now()
    query = request.GET.get("q", "").strip()
    found = Contributor.objects.with_end(now).named_like(query)
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {"page": page, "query": query, "now": now}
    return render(request, "members/contributor_records.html", context)


@role_required(Role.STAFF)
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def contributor_record(request: HttpRequest, pk: int) -> HttpResponse:
    contributor = get_object_or_404(Contributor.objects.select_related("user"), pk=pk)
    now = timezone.now()
    act = request.POST.get("act", "")
    renewal = RenewalForm(request.POST if act == "renew" else None, at=now)
    ending = ReasonForm(request.POST if act == "end" else None, prefix="end")
    if act == "renew" and renewal.is_valid() and _renewed(request, contributor, renewal):
        return redirect("members:contributor_record", pk)
    if act == "end" and ending.is_valid():
        end_standing(
            actor=signed_in(request),
            contributor=contributor,
            at=now,
            reason=ending.cleaned_data["reason"],
        )
        messages.success(request, _("Ended. The person gets a letter with the reason."))
        return redirect("members:contributor_record", pk)
    context = {
        "contributor": contributor,
        "standing": contributor.standing_on(now),
        "standings": contributor.standings.select_related("granted_by", "nomination"),
        "renewal": renewal,
        "ending": ending,
        "now": now,
    }
    return render(request, "members/contributor_record.html", context)


def _renewed(request: HttpRequest, contributor: Contributor, form: RenewalForm) -> bool:
    try:
        renew_standing(
            actor=signed_in(request),
            contributor=contributor,
            until=form.cleaned_data["until"],
            reason=form.cleaned_data["reason"],
            at=timezone.now(),
        )
    except NotLaterError as error:
        form.add_error("until", words_of(error))
        return False
    messages.success(request, _("Renewed. The person gets a letter."))
    return True
