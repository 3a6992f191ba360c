"""What search engines are told of: public pages only, each asked from the app that owns them."""

import datetime as dt
from typing import Any

from django.contrib.sitemaps import Sitemap
from django.db.models import QuerySet
from django.urls import is_valid_path
from django.utils import timezone

from benchmarks.models import Suite
from governance.models import Motion
from portal.news.models import Announcement
from releases.models import Product, Release

STATIC_PATHS = [
    "/",
    "/releases/",
    "/repositories/",
    "/governance/",
    "/governance/board/",
    "/governance/bodies/",
    "/governance/bylaws/",
    "/governance/motions/",
    "/governance/meetings/",
    "/governance/actions/",
    "/governance/decisions/",
    "/governance/resolutions/",
    "/governance/rules/",
    "/governance/interests/",
    "/supporters/",
    "/join/",
    "/donate/",
    "/donate/donors/",
    "/members/",
    "/contributors/",
    "/statistics/",
    "/benchmarks/",
    "/news/",
    "/news/reports/",
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


class Products(Sitemap[Product]):
    def items(self) -> QuerySet[Product]:
        return Product.objects.shown(timezone.now()).order_by("pk")


class Releases(Sitemap[Release]):
    def items(self) -> QuerySet[Release]:
        published = Release.objects.published(timezone.now())
        return published.with_names().order_by("-published_at")

    def lastmod(self, item: Release) -> dt.datetime | None:
        return item.published_at


class Suites(Sitemap[Suite]):
    def items(self) -> QuerySet[Suite]:
        return Suite.objects.order_by("pk")


SITEMAPS: dict[str, type[Sitemap[Any]]] = {
    "pages": Pages,
    "news": News,
    "products": Products,
    "releases": Releases,
    "motions": Motions,
    "suites": Suites,
}
