"""How often one address may do a thing, counted in the cache all web processes share.

Of IPv6 a whole /64 is one address. What stands in the cache is a keyed hash of it.
"""

import hmac
from typing import Final

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

WAIT: Final = "portal.wait"  # in the META of a request that was stopped: seconds


def allowed(request: HttpRequest, *, action: str, limit: int, seconds: int) -> bool:
    """Count one use; False when this visitor's address used `action` more than `limit` times."""
    address = get_adapter(request).get_client_ip(request)
    visitor = hmac.digest(settings.SECRET_KEY.encode(), address.encode(), "sha256").hex()
    key = f"ratelimit:{action}:{visitor}"
    if cache.add(key, 1, timeout=seconds):
        return True
    try:
        within = bool(cache.incr(key) <= limit)
    except ValueError:  # it expired between the two calls
        return True
    if not within:
        stop(request, seconds)
    return within


def stop(request: HttpRequest, seconds: int) -> None:
    """The answer, if it is 429, tells to wait so long: by then the limit has surely ended."""
    request.META[WAIT] = seconds
