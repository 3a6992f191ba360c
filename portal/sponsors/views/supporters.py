"""The supporters page and its forms for other sites: JSON and a wall of logos."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from portal.lib.open_data import for_everybody
from portal.sponsors import badge, wall
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
    return for_everybody(request, JsonResponse(body))


@require_safe
def wall_svg(request: HttpRequest) -> HttpResponseBase:
    found = supporters(timezone.now(), with_pictures=True)
    plates = [supporter.plate for supporter in found]
    svg = wall.draw(plates, title=settings.FOUNDATION_NAME)
    response = HttpResponse(svg, content_type="image/svg+xml")
    response["Content-Security-Policy"] = WALL_POLICY
    return for_everybody(request, response)


@require_safe
def badge_svg(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The badge of one supporter; nothing for who is none (any more)."""
    found = next((s for s in supporters(timezone.now()) if s.slug == slug), None)
    if found is None:
        missing = HttpResponse(
            "no supporter of this name\n", status=404, content_type="text/plain; charset=utf-8"
        )
        missing["Cache-Control"] = "no-cache"
        return missing
    words = _("%(tier)s %(kind)s") % {"tier": found.tier, "kind": found.kind}
    svg = badge.draw(supporter=found.name, tier=words, foundation=settings.FOUNDATION_NAME)
    response = HttpResponse(svg, content_type="image/svg+xml")
    response["Content-Security-Policy"] = WALL_POLICY
    return for_everybody(request, response)


def _json(supporter: Supporter) -> dict[str, object]:
    return {
        "name": supporter.name,
        "url": supporter.url,
        "logo": f"{settings.BASE_URL}{supporter.logo_url}" if supporter.logo else None,
        "kind": supporter.kind,
        "tier": supporter.tier,
        "badge": f"{settings.BASE_URL}{reverse('sponsors:badge', args=[supporter.slug])}",
        "since": supporter.since.date().isoformat(),
    }
