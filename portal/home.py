"""What the home page shows, asked from each domain; an empty database answers with empty lists."""

import datetime as dt
from itertools import groupby
from typing import Any

from feedback import statistics
from governance.models import Motion
from portal.news.models import Announcement
from portal.sponsors.supporters import supporters
from releases import catalogue, choices
from releases.models import Repository

MOTIONS = 3
NEWS = 3


def context(*, at: dt.datetime) -> dict[str, Any]:
    """The latest of every domain at ``at``."""
    return {
        "at": at,
        **_releases(at),
        "offer": choices.choose({}, at=at),
        "motions": _motions(at),
        "statistics": statistics.context(month=None, at=at),
        "supporters": supporters(at),
        "announcements": Announcement.objects.published(at)[:NEWS],
    }


def _releases(at: dt.datetime) -> dict[str, Any]:
    """The supported series of the first product, and how long each is supported."""
    supported = [row for row in catalogue.rows(at=at) if not row.is_ended]
    by_product = groupby(supported, key=lambda row: row.series.product)
    product, rows = next(((p, list(found)) for p, found in by_product), (None, []))
    return {
        "product": product,
        "rows": rows,
        "roadmap": catalogue.roadmap(rows, at=at),
        "live": set(Repository.objects.live().values_list("series_id", flat=True)),
    }


def _motions(at: dt.datetime) -> list[Motion]:
    """What is being decided in public, filled up with the newest resolutions."""
    motions = Motion.objects.public().with_votes()
    found = list(motions.under_decision(at)[:MOTIONS])
    return found + list(motions.resolutions(at)[: MOTIONS - len(found)])
