"""The picture of a page. Its address never has another one, so everybody may keep it."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from portal.cards import card as cards
from portal.cards import drawing
from portal.lib import kept

FOR_EVER: Final = "public, max-age=31536000, immutable"


@require_safe
def picture(request: HttpRequest, token: str) -> HttpResponse:
    found = kept.SHELF.get(("card", token), "")
    if found is None:
        card = cards.read(token)
        if card is None:
            raise Http404
        found = kept.Kept("", drawing.png(card), {})
        kept.SHELF.put(("card", token), found)
    answer = HttpResponse(found.body, content_type="image/png")
    answer["Cache-Control"] = FOR_EVER
    answer["Access-Control-Allow-Origin"] = "*"
    return answer
