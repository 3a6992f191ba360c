"""Filing written consents with the minutes of the meeting that comes after them."""

from datetime import datetime

from governance.models import Consent, Filing, Meeting
from portal.lib import audit


def file_consents(meeting: Meeting, at: datetime) -> list[Filing]:
    """All that the minutes of the meeting name and that is filed nowhere yet; the caller has
    locked the body, so that no other meeting files them too.
    """
    waiting = Consent.objects.of_minutes(meeting).filter(filing=None).select_related("motion")
    filed = [Filing(consent=each, meeting=meeting, filed_at=at) for each in waiting]
    for each in Filing.objects.bulk_create(filed):
        audit.record(
            actor=None, verb="consent.filed", subject=each.consent.motion, meeting=meeting.slug
        )
    return filed
