"""The Atom feed of advisories, for people."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _

from portal.lib import markdown
from releases.models import Advisory


class AdvisoryFeed(Feed[Advisory, None]):
    """The newest advisories, withdrawn ones marked."""

    feed_type = Atom1Feed
    link = "/advisories/"

    def title(self) -> str:
        return _("Security advisories of the %(name)s") % {"name": settings.FOUNDATION_NAME}

    def items(self) -> Any:
        found = Advisory.objects.published(timezone.now()).select_related("product")
        return found.order_by("-modified_at", "-pk")[:30]

    def item_title(self, item: Advisory) -> str:
        prefix = _("Withdrawn: ") if item.withdrawn_at else ""
        return f"{prefix}{item.identifier}: {item.summary}"

    def item_description(self, item: Advisory) -> str:
        return str(markdown.render(item.details))

    def item_pubdate(self, item: Advisory) -> dt.datetime | None:
        return item.published_at

    def item_updateddate(self, item: Advisory) -> dt.datetime:
        return item.modified_at

    def item_categories(self, item: Advisory) -> list[str]:
        return [item.product.slug, item.severity, *item.cve_ids]
