"""What the newsroom looks for every minute: what happened, what to doubt, whom to tell.

It asks the apps below; none of them knows of the news. It may run twice and at any time: drafts
have keys, letters have keys, and what a stopped worker missed is found for two weeks.
"""

from __future__ import annotations

import datetime as dt
import logging
from typing import Final

from django.core.exceptions import ValidationError
from django.db import DatabaseError

from portal.members.models import Organisation, Term
from portal.news import letters
from portal.news.actions.announcement import Text
from portal.news.actions.occasion import doubt_draft, draft_for
from portal.news.models import Occasion
from portal.newsroom import release_draft, supporter_draft
from releases.models import Release

logger = logging.getLogger(__name__)

LOOKS_BACK: Final = dt.timedelta(days=14)


def run(*, at: dt.datetime) -> None:
    draft_releases(at=at)
    draft_supporters(at=at)
    doubt_drafts(at=at)
    letters.tell_of_drafts(at=at)
    letters.tell_of_published(at=at)


def draft_releases(*, at: dt.datetime) -> None:
    """Nothing before its moment: what is under embargo is on no list that is asked here."""
    found = Release.objects.to_announce(at - LOOKS_BACK, at).order_by("published_at")
    keys = {release_draft.key(release): release for release in found}
    for key in Occasion.objects.unknown(keys):
        _draft(key, release_draft.text(keys[key]))


def draft_supporters(*, at: dt.datetime) -> None:
    """First terms of those who agreed to be named and are supporters now."""
    recent = Term.objects.active_on(at).filter(starts_at__gte=at - LOOKS_BACK).first_ones()
    shown = recent.filter(organisation__in=Organisation.objects.supported(at))
    found = shown.select_related("organisation__logo").order_by("starts_at")
    keys = {supporter_draft.key(term.organisation): term for term in found}
    for key in Occasion.objects.unknown(keys):
        _draft(key, supporter_draft.text(keys[key]))


def doubt_drafts(*, at: dt.datetime) -> None:
    """What is no longer true of a draft keeps it from being published."""
    waiting = Occasion.objects.waiting(at).values_list("key", "doubt")
    for key, known in waiting:
        found = _doubt(key, at)
        if found is not None and found != known:
            doubt_draft(key=key, doubt=found, at=at)


def _doubt(key: str, at: dt.datetime) -> str | None:
    kind, _colon, number = key.partition(":")
    if kind == "release":
        return release_draft.doubt(Release.objects.filter(pk=int(number)).first(), at)
    if kind == "supporter":
        return supporter_draft.doubt(Organisation.objects.filter(pk=int(number)).first(), at)
    return None


def _draft(key: str, text: Text) -> None:
    """One that cannot be written keeps no other from being written."""
    try:
        draft_for(key=key, text=text)
    except (ValidationError, DatabaseError):
        logger.exception("no draft for %s", key)
