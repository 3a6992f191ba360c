"""The advisory list for those who are on it: who else is, and the letters that were sent."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from portal.accounts.access import signed_in
from portal.accounts.models import User
from portal.accounts.roles import Role, has_role
from portal.members.models import Mailing, Organisation, Subscriber

PAGE_SIZE = 50


@require_safe
@never_cache
@login_required
def archive(request: HttpRequest) -> HttpResponse:
    user = _reader(request)
    now = timezone.now()
    page = Paginator(Mailing.objects.sent(), PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "subscribers": Subscriber.objects.seated(now)
        .select_related("organisation")
        .order_by("organisation__name", "since"),
        "own": Organisation.objects.of(user, now),
    }
    return render(request, "members/advisory_list.html", context)


@require_safe
@never_cache
@login_required
def letter(request: HttpRequest, pk: int) -> HttpResponse:
    _reader(request)
    mailing = get_object_or_404(Mailing.objects.sent(), pk=pk)
    return render(request, "members/advisory_letter.html", {"mailing": mailing})


def _reader(request: HttpRequest) -> User:
    """Who has a seat, is a contact of an organisation with seats, or belongs to the staff."""
    user = signed_in(request)
    now = timezone.now()
    own = Organisation.objects.of(user, now)
    if not (
        has_role(user, Role.STAFF)
        or Subscriber.objects.seated(now).of(user).exists()
        or any(organisation.advisory_seats(now) for organisation in own)
    ):
        raise PermissionDenied
    return user
