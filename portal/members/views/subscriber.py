"""Seats of an organisation on the advisory list, and the link that ends the letters."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from portal.accounts.access import signed_in
from portal.accounts.models import User
from portal.accounts.roles import Role, Scope, has_role
from portal.lib import links
from portal.members import advisory_letters as letters
from portal.members.actions.subscriber import (
    NoSeatError,
    SeatedAlreadyError,
    end_subscriber,
    name_subscriber,
    resubscribe,
    unsubscribe,
)
from portal.members.forms.advisory_list import SubscriberForm
from portal.members.models import Organisation, Subscriber

ONE_CLICK = "One-Click"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def seats(request: HttpRequest, slug: str) -> HttpResponse:
    """Every contact sees the seats and may take a free one; the owner names others."""
    user = signed_in(request)
    now = timezone.now()
    organisation = get_object_or_404(Organisation.objects.of(user, now), slug=slug)
    owns = _owns(user, organisation)
    form = _asked(request, user, owns=owns)
    if form.is_bound and form.is_valid() and _named(user, organisation, form):
        messages.success(request, _("The seat is taken. A letter is on its way."))
        return redirect("members:seats", slug)
    held = organisation.subscribers.kept(now).with_failures()
    total = organisation.advisory_seats(now)
    context = {
        "organisation": organisation,
        "owns": owns,
        "form": form,
        "subscribers": held,
        "own": set(held.of(user).values_list("pk", flat=True)),
        "seated": set(held.seated(now).values_list("pk", flat=True)),
        "total": total,
        "free": max(0, total - len(held)),
    }
    return render(request, "members/seats.html", context)


def _asked(request: HttpRequest, user: User, *, owns: bool) -> SubscriberForm:
    """For oneself, or, by the owner, for somebody else."""
    if request.method != "POST":
        return SubscriberForm()
    if request.POST.get("act") == "take":
        return SubscriberForm({"name": str(user)[:120], "email": user.email})
    if not owns:
        raise PermissionDenied
    return SubscriberForm(request.POST)


def _named(user: User, organisation: Organisation, form: SubscriberForm) -> bool:
    try:
        name_subscriber(
            actor=user, organisation=organisation, at=timezone.now(), **form.cleaned_data
        )
    except NoSeatError:
        form.add_error(None, _("Every seat is taken. Free one first, or choose a larger tier."))
    except SeatedAlreadyError:
        form.add_error("email", _("This address has a seat of yours already."))
    return form.is_valid()


def _owns(user: User, organisation: Organisation) -> bool:
    return has_role(user, Role.OWNER, scope_kind=Scope.ORGANISATION, scope_slug=organisation.slug)


@require_POST
@login_required
def seat_end(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The owner frees any seat of the organisation, a contact their own."""
    user = signed_in(request)
    now = timezone.now()
    organisation = get_object_or_404(Organisation.objects.of(user, now), slug=slug)
    held = organisation.subscribers.kept(now)
    allowed = held if _owns(user, organisation) else held.of(user)
    end_subscriber(actor=user, subscriber=get_object_or_404(allowed, pk=pk), at=now)
    messages.success(request, _("The seat is free."))
    return redirect("members:seats", slug)


@csrf_exempt  # mail programs post without a page before (RFC 8058); the signed link is the right
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def unsubscribe_page(request: HttpRequest, token: str) -> HttpResponse:
    """Look (GET changes nothing: programs open links), leave by one click, come back."""
    pk = links.unsign(token, purpose=letters.UNSUBSCRIBE, max_age=letters.FOR_EVER)
    known = Subscriber.objects.select_related("organisation")
    subscriber = known.filter(pk=pk).first() if pk else None
    if subscriber is None:
        raise Http404
    if request.method == "POST" and request.POST.get("act") == "back":
        resubscribe(subscriber=subscriber)
    elif request.method == "POST":
        unsubscribe(subscriber=subscriber, at=timezone.now())
    if request.POST.get("List-Unsubscribe") == ONE_CLICK:
        return HttpResponse(_("You get no more letters."), content_type="text/plain; charset=utf-8")
    if request.method == "POST":
        return redirect("members:unsubscribe", token)
    return render(request, "members/unsubscribe.html", {"subscriber": subscriber})
