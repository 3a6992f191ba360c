"""Logos of organisations, under an address made of their content."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_safe

from portal.members.models import Logo

TYPES = {"svg": "image/svg+xml", "png": "image/png"}
POLICY = "default-src 'none'; sandbox"


@require_safe
def logo(request: HttpRequest, digest: str, extension: str) -> HttpResponse:
    """For everyone while the organisation is a supporter, for its own people always."""
    visible = Logo.objects.visible_to(request.user, timezone.now())
    found = get_object_or_404(visible, digest=digest, format=extension)
    return picture_response(found, public=True)


def picture_response(picture: Logo | None, *, public: bool) -> HttpResponse:
    """The file under a policy of its own, so that even a drawing opened alone can do nothing."""
    if picture is None:
        raise Http404
    response = HttpResponse(bytes(picture.content), content_type=TYPES[picture.format])
    response["Content-Security-Policy"] = POLICY
    response["Cache-Control"] = "public, max-age=86400" if public else "private, no-store"
    response["Cross-Origin-Resource-Policy"] = "cross-origin" if public else "same-origin"
    return response
