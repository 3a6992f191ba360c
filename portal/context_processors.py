"""What every template knows."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from portal import navigation


def site(request: HttpRequest) -> dict[str, Any]:
    """The frame of a page: names, theme and navigation. It asks no database."""
    theme = request.COOKIES.get("theme")
    return {
        "foundation_name": settings.FOUNDATION_NAME,
        "base_url": settings.BASE_URL,
        "demonstration": settings.DEMONSTRATION,
        "payments_simulated": settings.PAYMENT_PROVIDER == "twin",
        "languages": settings.LANGUAGES,
        "theme": theme if theme in {"light", "dark"} else "system",
        "main_navigation": navigation.main_links(request.path),
        "foot_navigation": navigation.foot_groups(),
        "search_path": navigation.search_path(),
    }
