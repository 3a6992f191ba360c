"""Where an event of the provider becomes a supporter: payments and sponsors in one transaction."""

import logging
from datetime import datetime

from django.db import transaction

from portal.payments.actions.event import handle_event, note_failure
from portal.sponsors.actions.settlement import settle_order

logger = logging.getLogger(__name__)


def process_event(event_pk: int, *, at: datetime) -> bool:
    """Handle a stored event in one transaction; a failure is noted and tried again later."""
    try:
        with transaction.atomic():
            for order in handle_event(event_pk=event_pk, at=at):
                settle_order(order=order)
    except Exception as error:  # whatever it is, the event stays and is tried again
        logger.exception("event %s failed", event_pk)
        note_failure(event_pk=event_pk, error=error, at=at)
        return False
    return True
