"""What the home page shows, asked from each domain; an empty database answers with empty lists."""

import datetime as dt
from typing import Any

from feedback import statistics
from governance.models import Motion
from portal.news.models import Announcement
from portal.sponsors.supporters import supporters

MOTIONS = 3
NEWS = 3


def context(*, at: dt.datetime) -> dict[str, Any]:
    """The latest of every domain at ``at``."""
    return {
        "at": at,
        "motions": _motions(at),
        "statistics": statistics.context(month=None, at=at),
        "supporters": supporters(at),
        "announcements": Announcement.objects.published(at)[:NEWS],
    }


def _motions(at: dt.datetime) -> list[Motion]:
    """Votes that are open, filled up with the newest resolutions."""
    motions = Motion.objects.with_votes()
    found = list(motions.being_decided(at)[:MOTIONS])
    return found + list(motions.resolutions(at)[: MOTIONS - len(found)])
