"""The history of letters to an organisation."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from portal.accounts.access import signed_in
from portal.members.correspondence import letters_shown_to, text_for
from portal.members.rights import Part, own_organisation

PAGE_SIZE = 30


@require_safe
@never_cache
@login_required
def letter_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Newest first, with what became of each."""
    organisation = own_organisation(request, slug, Part.LETTERS)
    letters = letters_shown_to(signed_in(request), organisation, timezone.now())
    page = Paginator(letters.defer("text", "html"), PAGE_SIZE).get_page(request.GET.get("page"))
    context = {"organisation": organisation, "page": page}
    return render(request, "members/letters.html", context)


@require_safe
@never_cache
@login_required
def letter_detail(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What one said."""
    user = signed_in(request)
    organisation = own_organisation(request, slug, Part.LETTERS)
    letter = get_object_or_404(letters_shown_to(user, organisation, timezone.now()), pk=pk)
    text = text_for(user, letter)
    context = {
        "organisation": organisation,
        "letter": letter,
        "text": text,
        "is_shortened": text != letter.text,
    }
    return render(request, "members/letter.html", context)
