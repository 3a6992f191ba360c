"""What the home page shows, asked from each domain; an empty database answers with empty lists."""

import datetime as dt
from functools import partial
from itertools import groupby
from typing import Any

from django.template.loader import render_to_string

from feedback import statistics
from feedback.views.kept import drawn_before
from governance.models import Motion
from governance.motions import listed
from portal.news.models import Announcement
from portal.sponsors.supporters import supporters
from releases import catalogue, choices

MOTIONS = 3
NEWS = 3


def context(*, at: dt.datetime) -> dict[str, Any]:
    """The latest of every domain at ``at``."""
    return {
        "at": at,
        **_releases(at),
        "offer": choices.choose({}, at=at),
        "motions": _motions(at),
        "in_use": drawn_before("home", partial(_in_use, at), at=at),
        "supporters": supporters(at),
        "announcements": Announcement.objects.published(at).defer("body")[:NEWS],
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
        "live": {row.series.pk for row in rows if row.is_offered},
    }


def _in_use(at: dt.datetime) -> str:
    """What is counted of servers, drawn; it is the same for everybody."""
    found = statistics.context(month=None, at=at)
    return render_to_string("home_in_use.html", {"statistics": found})


def _motions(at: dt.datetime) -> list[Motion]:
    """What is being decided in public, filled up with the newest resolutions."""
    motions = Motion.objects.public()
    found = list(motions.under_decision(at).for_lists()[:MOTIONS])
    found += motions.resolutions(at).for_lists()[: MOTIONS - len(found)]
    return listed.with_numbers(found, at)
