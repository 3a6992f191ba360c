"""Drafts that something made: once, whoever notices it, and never again when thrown away."""

from __future__ import annotations

import datetime as dt

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from portal.lib import audit
from portal.news.actions.announcement import Text, write_announcement
from portal.news.actions.publication import unschedule_announcement
from portal.news.models import Announcement, Occasion, State


def draft_for(*, key: str, text: Text) -> Announcement | None:
    """A draft for what `key` names, or None where there has been one.

    Two that notice at once both try; the unique key lets one of them through.
    """
    if Occasion.objects.filter(key=key).exists():
        return None
    try:
        with transaction.atomic():
            draft = write_announcement(actor=None, text=text)
            Occasion.objects.create(key=key, announcement=draft)
    except (IntegrityError, ValidationError):
        if Occasion.objects.filter(key=key).exists():
            return None
        raise
    return draft


@transaction.atomic
def doubt_draft(*, key: str, doubt: str, at: dt.datetime) -> None:
    """Keep what `key` made from being published, for this reason; none lets it go again.

    What waits for its moment becomes a draft again. What is public stays: withdrawing is for
    people to decide.
    """
    occasion = Occasion.objects.select_for_update().select_related("announcement").get(key=key)
    announcement = occasion.announcement
    if occasion.doubt == doubt or announcement.state(at) not in (State.DRAFT, State.SCHEDULED):
        return
    occasion.doubt = doubt
    occasion.save(update_fields=["doubt"])
    audit.record(actor=None, verb="announcement.doubt", subject=announcement, doubt=doubt)
    if doubt and announcement.state(at) == State.SCHEDULED:
        unschedule_announcement(actor=None, announcement=announcement, at=at, reason=doubt)
