"""The Atom feed of the announcements."""

import datetime as dt

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _

from portal.lib import markdown
from portal.news.models import Announcement


class NewsFeed(Feed[Announcement, None]):
    """The twenty newest announcements with their whole text."""

    feed_type = Atom1Feed
    link = "/news/"

    def title(self) -> str:
        return _("News of the %(name)s") % {"name": settings.FOUNDATION_NAME}

    def subtitle(self) -> str:
        return _("Announcements, releases and reports.")

    def items(self) -> QuerySet[Announcement]:
        return Announcement.objects.published(timezone.now())[:20]

    def item_title(self, item: Announcement) -> str:
        return item.title

    def item_description(self, item: Announcement) -> str:
        return markdown.render(item.body)

    def item_pubdate(self, item: Announcement) -> dt.datetime | None:
        return item.published_at

    def item_updateddate(self, item: Announcement) -> dt.datetime:
        return item.updated_at
