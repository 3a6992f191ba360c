"""/.well-known/security.txt (RFC 9116): whom to tell of a weakness, and where advisories are."""

from __future__ import annotations

import datetime as dt
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from releases.views.public import public_answer

GOOD_FOR: Final = dt.timedelta(days=90)  # who keeps a copy asks again after that


@require_safe
def security_txt(request: HttpRequest) -> HttpResponseBase:
    """The same bytes for a whole day."""
    today = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    fields = {
        "Contact": contact(settings.SECURITY_CONTACT),
        "Expires": (today + GOOD_FOR).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "Preferred-Languages": "en",
        "Canonical": settings.BASE_URL + reverse("releases:security_txt"),
        "CSAF": settings.BASE_URL + reverse("releases:csaf_provider"),
    }
    lines = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return public_answer(request, lines, "text/plain; charset=utf-8")


def contact(words: str) -> str:
    """As an address of the web: a mailbox gets `mailto:`."""
    return words if words.startswith("https://") else f"mailto:{words}"
