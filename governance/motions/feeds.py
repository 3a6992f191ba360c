"""The Atom feed of the resolutions."""

from datetime import datetime

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _

from governance import words
from governance.models import Motion
from governance.motions import results
from governance.views.fetch import moment
from portal.lib import markdown


class ResolutionFeed(Feed[Motion, None]):
    """The twenty newest resolutions, with their text and how they were carried."""

    feed_type = Atom1Feed
    link = "/governance/motions/?state=adopted"

    def title(self) -> str:
        return _("Resolutions of the %(name)s") % {"name": settings.FOUNDATION_NAME}

    def subtitle(self) -> str:
        return _("What was decided, with the arithmetic.")

    def items(self) -> list[Motion]:
        return list(Motion.objects.resolutions(moment()).with_votes()[:20])

    def item_title(self, item: Motion) -> str:
        return f"{item.resolution}: {item.title}"

    def item_description(self, item: Motion) -> str:
        is_counted = item.is_counted
        answer = words.answer(results.report(item)) if is_counted else words.without_a_vote(item)
        return f"<p>{answer}</p>{markdown.render(item.public_text)}"

    def item_pubdate(self, item: Motion) -> datetime | None:
        return item.decided_at

    def item_updateddate(self, item: Motion) -> datetime | None:
        return item.decided_at
