"""What was fixed of an election, for people to read; programs read the JSON that was signed."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from governance.elections import manifest_page
from governance.models import Election

PER_PAGE = 100  # names of the rolls


@require_safe
def election_manifest_page(request: HttpRequest, name: str) -> HttpResponse:
    """For everybody, from the moment on in which officers have to sign it."""
    election = get_object_or_404(Election.objects.exclude(manifest=""), name=name)
    found = manifest_page.of(election)
    context = {
        "election": election,
        "found": found,
        "page": Paginator(found.roll, PER_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "governance/elections/manifest.html", context)
