"""What the home page shows, asked from each domain; an empty database answers with empty lists."""

import datetime as dt
from typing import Any

from portal.news.models import Announcement

NEWS = 3


def context(*, at: dt.datetime) -> dict[str, Any]:
    """The latest of every domain at ``at``."""
    return {
        "announcements": Announcement.objects.published(at)[:NEWS],
    }
