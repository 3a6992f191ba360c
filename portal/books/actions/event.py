"""Handling a stored event again, and fetching those that never came, by hand."""

from datetime import datetime

from portal.accounts.models import User
from portal.inbox import fetch_missed_events, process_event
from portal.lib import audit
from portal.payments.actions.event import reopen_event
from portal.payments.models import ProviderEvent


def replay_event(*, actor: User | None, event: ProviderEvent, at: datetime) -> ProviderEvent:
    """Handle it as if it had just come. Booking twice is harmless, so is this."""
    reopen_event(event_pk=event.pk, at=at)
    process_event(event.pk, at=at)
    event.refresh_from_db()
    audit.record(actor=actor, verb="event.replay", subject=event, outcome=event.outcome)
    return event


def fetch_events(*, actor: User, at: datetime) -> int:
    """Ask for what the provider tells of and never delivered; how many events came.

    Raises ProviderError.
    """
    fetched = fetch_missed_events(at=at)
    audit.record(actor=actor, verb="event.fetch", subject=actor, fetched=fetched)
    return fetched
