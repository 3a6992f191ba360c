"""What the foundation says: announcements, how they came to be, and the figures of reports."""

from portal.news.models.announcement import RESERVED_SLUGS, Announcement, Kind, State
from portal.news.models.figures import ReportFigures
from portal.news.models.occasion import Occasion
from portal.news.models.version import Version

__all__ = [
    "RESERVED_SLUGS",
    "Announcement",
    "Kind",
    "Occasion",
    "ReportFigures",
    "State",
    "Version",
]
