"""The member directory."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from portal.members.models import Organisation, Term


@require_safe
def member_list(request: HttpRequest) -> HttpResponse:
    """Members that are in term and agreed to be named, longest first."""
    now = timezone.now()
    shown = Organisation.objects.supported(now)
    terms = Term.objects.active_on(now).filter(takes_part=True, organisation__in=shown)
    members = terms.select_related("organisation").order_by("starts_at", "organisation__name")
    return render(request, "members/directory.html", {"members": members})
