"""How often somebody without an account may ask for work."""

from typing import Final

from django.http import HttpRequest

from portal.lib import ratelimit

UPLOADS: Final = 20  # of one address
PREVIEWS: Final = 30
COMPARISONS: Final = 60  # that nobody asked for before
PERIOD: Final = 3600  # seconds


def may_upload(request: HttpRequest) -> bool:
    """Counts this upload; False when the address has had its share of the hour."""
    return _has_share(request, "upload", UPLOADS)


def may_preview(request: HttpRequest) -> bool:
    """The same for reading a file that is not kept yet."""
    return _has_share(request, "preview", PREVIEWS)


def may_ask(request: HttpRequest) -> bool:
    """The same for a comparison that has to be computed."""
    return _has_share(request, "comparison", COMPARISONS)


def _has_share(request: HttpRequest, what: str, most: int) -> bool:
    return ratelimit.allowed(request, action=f"benchmarks-{what}", limit=most, seconds=PERIOD)
