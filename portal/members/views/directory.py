"""The member directory: searched, filtered, and the same as JSON."""

from __future__ import annotations

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from portal.lib.open_data import for_everybody
from portal.members.forms.directory import DirectoryForm
from portal.members.models import Organisation

PAGE_SIZE = 100


@require_safe
def member_list(request: HttpRequest) -> HttpResponse:
    """Members that are in term and agreed to be named, longest first."""
    form = _asked(request)
    paginator = Paginator(form.narrowed(), PAGE_SIZE)
    if not form.narrows:
        paginator.count = len(form.found)
    page = paginator.get_page(request.GET.get("page"))
    context = {
        "form": form,
        "page": page,
        "total": len(form.found),
        "query": request.GET.urlencode(),
    }
    return render(request, "members/directory.html", context)


@require_safe
def members_json(request: HttpRequest) -> HttpResponseBase:
    """The same, filtered by the same parameters, whole."""
    found = _asked(request).narrowed().select_related("logo")
    body = {"foundation": settings.FOUNDATION_NAME, "members": [_json(one) for one in found]}
    return for_everybody(request, JsonResponse(body))


def _asked(request: HttpRequest) -> DirectoryForm:
    members = Organisation.objects.directory(timezone.now())
    return DirectoryForm(request.GET or None, members=members)


def _json(member: Organisation) -> dict[str, object]:
    logo = member.logo
    return {
        "name": member.name,
        "url": member.website or None,
        "logo": f"{settings.BASE_URL}{logo.get_absolute_url()}" if logo else None,
        "country": member.country,
        "tier": member.tier,  # type: ignore[attr-defined]  # of `directory`
        "since": member.since.date().isoformat(),  # type: ignore[attr-defined]
    }
