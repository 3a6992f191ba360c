"""What search engines are told of: public pages only, each asked from the app that owns them."""

import datetime as dt

from django.contrib.sitemaps import Sitemap
from django.db.models import QuerySet
from django.urls import is_valid_path
from django.utils import timezone

from governance.models import Motion
from portal.news.models import Announcement

STATIC_PATHS = [
    "/",
    "/releases/",
    "/repositories/",
    "/governance/",
    "/governance/board/",
    "/governance/motions/",
    "/supporters/",
    "/join/",
    "/members/",
    "/statistics/",
    "/benchmarks/",
    "/news/",
    "/privacy/",
    "/mirrors/",
    "/advisories/",
]


class Pages(Sitemap[str]):
    """The pages that stand whether or not there is data."""

    def items(self) -> list[str]:
        return [path for path in STATIC_PATHS if is_valid_path(path)]

    def location(self, item: str) -> str:
        return item


class News(Sitemap[Announcement]):
    def items(self) -> QuerySet[Announcement]:
        return Announcement.objects.published(timezone.now())

    def lastmod(self, item: Announcement) -> dt.datetime:
        return item.updated_at


class Motions(Sitemap[Motion]):
    """What was put to a vote, under the number or name it has now."""

    def items(self) -> QuerySet[Motion]:
        return Motion.objects.public().newest_first()

    def lastmod(self, item: Motion) -> dt.datetime | None:
        return item.decided_at or item.opened_at


SITEMAPS: dict[str, type[Sitemap[str]] | type[Sitemap[Announcement]] | type[Sitemap[Motion]]] = {
    "pages": Pages,
    "news": News,
    "motions": Motions,
}
