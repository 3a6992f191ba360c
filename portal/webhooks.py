"""Provider callback -> payments -> members and sponsors.

The event is stored before anything else and answered 200 once it is: what fails afterwards is
tried again by the sweep, never lost (`portal/sponsors/inbox.py`).
"""

import logging

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from portal.payments.actions.event import store_event
from portal.payments.providers import SignatureError, provider
from portal.sponsors.inbox import process_event

logger = logging.getLogger(__name__)

LARGEST = 1_000_000  # bytes; an event of Stripe has some thousand


@csrf_exempt  # the provider signs its requests
@require_POST
def stripe(request: HttpRequest) -> HttpResponse:
    """The inbox of the payment provider."""
    if int(request.headers.get("Content-Length") or 0) > LARGEST:
        return HttpResponse("too large\n", status=413, content_type="text/plain")
    source = provider()
    try:
        event = source.verified_event(request.body, request.headers.get("Stripe-Signature", ""))
    except SignatureError:
        logger.warning("a webhook without a valid signature was refused")
        return HttpResponse("signature refused\n", status=400, content_type="text/plain")
    stored = store_event(provider=source.name, event=event)
    process_event(stored.pk, at=timezone.now())
    return HttpResponse("stored\n", content_type="text/plain")
