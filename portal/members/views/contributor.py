"""Contributors: the public list, the person's own page, and the staff's page of one."""

from __future__ import annotations

from contextlib import suppress

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portal.accounts.access import signed_in
from portal.members.actions.contributor import (
    NotOfferedError,
    accept_standing,
    change_contributor,
    decline_standing,
    end_standing,
)
from portal.members.forms.contributor import ContributorForm
from portal.members.models import Contributor, Nomination

PAGE_SIZE = 100


@require_safe
def contributor_list(request: HttpRequest) -> HttpResponse:
    """Contributors in standing who agreed to be named."""
    found = Contributor.objects.listed(timezone.now())
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    return render(request, "members/contributors.html", {"page": page})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def contributor_own(request: HttpRequest) -> HttpResponse:
    """One's own standing, what is said in public, what is offered, whom one nominated."""
    user = signed_in(request)
    now = timezone.now()
    contributor = Contributor.objects.filter(user=user).first()
    form = ContributorForm(request.POST or None, instance=contributor) if contributor else None
    if request.method == "POST" and form is not None and form.is_valid():
        change_contributor(actor=user, contributor=form.instance)
        messages.success(request, _("Saved."))
        return redirect("members:contributor_own")
    context = {
        "contributor": contributor,
        "form": form,
        "standing": contributor.standing_on(now) if contributor else None,
        "standings": contributor.standings.all() if contributor else [],
        "offered": [
            (found, standing)
            for found in Contributor.objects.offered_to(user).active_on(now)
            if (standing := found.standing_on(now))
        ],
        "nominations": Nomination.objects.filter(nominated_by=user),
    }
    return render(request, "members/contributor_own.html", context)


@require_POST
@login_required
def contributor_accept(request: HttpRequest, pk: int) -> HttpResponse:
    """ "This is me": accept, with or without being named in public."""
    user = signed_in(request)
    contributor = get_object_or_404(Contributor.objects.offered_to(user), pk=pk)
    is_listed = request.POST.get("listed") == "yes"
    try:
        accept_standing(user=user, contributor=contributor, is_listed=is_listed, at=timezone.now())
        messages.success(request, _("Welcome. You are a contributor from now on."))
    except NotOfferedError:
        messages.error(request, _("Your account is another contributor already. Write to us."))
    return redirect("members:contributor_own")


@require_POST
@login_required
def contributor_decline(request: HttpRequest, pk: int) -> HttpResponse:
    user = signed_in(request)
    contributor = get_object_or_404(Contributor.objects.offered_to(user), pk=pk)
    with suppress(NotOfferedError):  # answered in another window meanwhile
        decline_standing(user=user, contributor=contributor, at=timezone.now())
        messages.success(request, _("Declined. Nothing about you is shown."))
    return redirect("members:contributor_own")


@require_POST
@login_required
def contributor_leave(request: HttpRequest) -> HttpResponse:
    """The person ends their own standing."""
    user = signed_in(request)
    contributor = get_object_or_404(Contributor, user=user)
    end_standing(actor=user, contributor=contributor, at=timezone.now(), reason="left")
    messages.success(request, _("You are no contributor any more. Thank you for what you did."))
    return redirect("members:contributor_own")
