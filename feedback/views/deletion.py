"""Deleting all that is kept of a server, by a word that the server itself sends."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from feedback import inbox
from feedback.actions.deletion import ASKED_FOR, BURIED_FOR, ask_deletion
from feedback.models import Deletion


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def server_delete(request: HttpRequest) -> HttpResponse:
    """POST makes a code and shows it once."""
    code = ask_deletion(at=timezone.now()) if request.method == "POST" else ""
    context = {"code": code, "asked_for": ASKED_FOR.days, "buried_for": BURIED_FOR.days}
    return render(request, "feedback/server_delete.html", context)


@never_cache
@require_safe
def server_deletion(request: HttpRequest, code: str) -> HttpResponse:
    """Whether a server has sent the code, and what was deleted."""
    digest = inbox.word_digest(f"delete:{code}")
    deletion = Deletion.objects.filter(digest=digest).first()
    if deletion is None:
        raise Http404
    return render(request, "feedback/server_deletion.html", {"deletion": deletion, "code": code})
