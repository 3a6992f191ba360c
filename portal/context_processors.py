"""What every template knows."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, Any]:
    theme = request.COOKIES.get("theme")
    return {
        "foundation_name": settings.FOUNDATION_NAME,
        "base_url": settings.BASE_URL,
        "demonstration": settings.DEMONSTRATION,
        "theme": theme if theme in {"light", "dark"} else "system",
    }
