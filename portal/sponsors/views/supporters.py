"""The supporters page and its forms for other sites: JSON and a wall of logos."""

import hashlib

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from portal.sponsors import wall
from portal.sponsors.supporters import Supporter, groups, supporters

WALL_POLICY = "default-src 'none'; img-src data:; frame-ancestors *; sandbox"


@require_safe
def supporter_list(request: HttpRequest) -> HttpResponse:
    found = supporters(timezone.now())
    context = {
        "groups": groups(found),
        "count": len(found),
        "members": [supporter for supporter in found if supporter.takes_part],
        "sponsors": sum(not supporter.takes_part for supporter in found),
    }
    response = render(request, "sponsors/supporters.html", context)
    response["Cache-Control"] = "private, no-cache"
    return response


@require_safe
def supporters_json(request: HttpRequest) -> HttpResponseBase:
    found = supporters(timezone.now())
    body = {"foundation": settings.FOUNDATION_NAME, "supporters": [_json(s) for s in found]}
    return _for_everybody(request, JsonResponse(body))


@require_safe
def wall_svg(request: HttpRequest) -> HttpResponseBase:
    plates = [supporter.plate for supporter in supporters(timezone.now())]
    svg = wall.draw(plates, title=settings.FOUNDATION_NAME)
    response = HttpResponse(svg, content_type="image/svg+xml")
    response["Content-Security-Policy"] = WALL_POLICY
    return _for_everybody(request, response)


def _json(supporter: Supporter) -> dict[str, object]:
    return {
        "name": supporter.name,
        "url": supporter.url,
        "logo": f"{settings.BASE_URL}{supporter.logo_url}" if supporter.logo else None,
        "kind": supporter.kind,
        "tier": supporter.tier,
        "since": supporter.since.date().isoformat(),
    }


def _for_everybody(request: HttpRequest, response: HttpResponse) -> HttpResponseBase:
    """Any site may read it, and asks with the ETag whether it changed."""
    etag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    response["ETag"] = etag
    response["Access-Control-Allow-Origin"] = "*"
    response["Cache-Control"] = "public, no-cache"
    return get_conditional_response(request, etag=etag, response=response) or response
