"""Deleting all that is kept of a server, by a word that the server itself sends."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from feedback import inbox
from feedback.actions.deletion import ASKED_FOR, BURIED_FOR, ask_deletion
from feedback.models import Deletion
from portal.lib import ratelimit

AN_HOUR: Final = 20  # codes for one address; each is a row until it ends


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def server_delete(request: HttpRequest) -> HttpResponse:
    """POST makes a code and shows it once."""
    code, status = "", 200
    if request.method == "POST":
        if ratelimit.allowed(request, action="server-delete", limit=AN_HOUR, seconds=3600):
            code = ask_deletion(at=timezone.now())
        else:
            messages.error(request, _("Too many codes were asked for here. Try again in an hour."))
            status = 429
    context = {"code": code, "asked_for": ASKED_FOR.days, "buried_for": BURIED_FOR.days}
    return render(request, "feedback/server_delete.html", context, status=status)


@never_cache
@require_safe
def server_deletion(request: HttpRequest, code: str) -> HttpResponse:
    """Whether a server has sent the code, and what was deleted."""
    digest = inbox.word_digest(f"delete:{code}")
    deletion = Deletion.objects.filter(digest=digest).first()
    if deletion is None:
        raise Http404
    return render(request, "feedback/server_deletion.html", {"deletion": deletion, "code": code})
