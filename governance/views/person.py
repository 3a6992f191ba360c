"""A person's page: seats, affiliations and interests; and one's own."""

from datetime import date
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from governance import people
from governance.actions.silence import choose_letters
from governance.models import Affiliation, Interest, SeatTerm, Silence
from governance.views.fetch import moment
from governance.waiting.everything import waiting_for
from portal.accounts.access import signed_in
from portal.accounts.models import User


@require_safe
def person(request: HttpRequest, pk: int) -> HttpResponse:
    """Whoever ever held a seat has one; it stays when the last term is over."""
    held = SeatTerm.objects.filter(user=OuterRef("pk"))
    found = get_object_or_404(User.objects.filter(Exists(held)), pk=pk)
    at = moment()
    context = _record(request, found, timezone.localdate(at))
    context["may_declare"] = people.may_declare_for(request.user, found, at)
    return render(request, "governance/person.html", context)


@login_required
@require_safe
@never_cache
def own(request: HttpRequest) -> HttpResponse:
    """My seats, my affiliations, my interests; and what waits for me."""
    user, at = signed_in(request), moment()
    context = _record(request, user, timezone.localdate(at))
    context["waiting"] = waiting_for(user, at)
    context["is_told"] = not Silence.objects.filter(user=user).exists()
    context["at"] = at
    return render(request, "governance/own.html", context)


@login_required
@require_POST
def own_letters(request: HttpRequest) -> HttpResponse:
    """Whether one is told of answers to one's comments."""
    wanted = request.POST.get("wanted") == "yes"
    choose_letters(actor=signed_in(request), wanted=wanted)
    told = (
        _("You get a letter when somebody answers you.")
        if wanted
        else _("You get no letters about answers any more.")
    )
    messages.success(request, told)
    return redirect(f"{reverse('governance:own')}#letters")


def _record(request: HttpRequest, user: User, today: date) -> dict[str, Any]:
    terms = SeatTerm.objects.of(user).select_related("seat__body", "decided_by", "user")
    affiliations = Affiliation.objects.of(user).standing().select_related("organisation")
    return {
        "person": user,
        "today": today,
        "is_own": request.user.pk == user.pk,
        "seated": terms.seated_on(today).order_by("seat__body__position", "seat__number"),
        "coming": terms.filter(since__gt=today).order_by("since"),
        "past": terms.filter(until__lte=today).order_by("-until"),
        "affiliations": affiliations,
        "interests": Interest.objects.visible_to(request.user, today).of(user).standing(),
    }
