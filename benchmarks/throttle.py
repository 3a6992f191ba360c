"""How often somebody without an account may upload. Addresses are counted, never stored."""

import hmac
from typing import Final

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

UPLOADS: Final = 20  # of one address
PERIOD: Final = 3600  # seconds


def may_upload(request: HttpRequest) -> bool:
    """Counts this upload; False when the address has had its share of the hour."""
    address = get_adapter(request).get_client_ip(request)
    digest = hmac.digest(settings.SECRET_KEY.encode(), address.encode(), "sha256").hex()
    key = f"benchmarks.upload.{digest}"
    cache.add(key, 0, PERIOD)
    return cache.incr(key) <= UPLOADS
