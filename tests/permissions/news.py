from django.utils import timezone

from portal.news.models import Announcement
from portal.news.tests.rows import in_state, report
from tests.permissions import EVERYBODY, STAFF, Cast, Page

EDITORS = STAFF | {"editor"}


def published(cast: Cast) -> str:
    return in_state("published").get_absolute_url()


def figures(cast: Cast) -> str:
    kept = report()
    Announcement.objects.filter(pk=kept.announcement_id).update(published_at=timezone.now())
    return kept.get_absolute_url()


def desk(state: str, step: str = "") -> Page:
    """A page of the desk that shows something, and one that changes it."""
    method = "POST" if step in {"unschedule/", "restore/", "drop/", "take-back/"} else "GET"
    return Page(EDITORS, sample=lambda cast: in_state(state).desk_url + step, method=method)


PAGES = {
    "news:list": Page(EVERYBODY),
    "news:feed": Page(EVERYBODY, sample=lambda cast: "/news/feed.atom"),
    "news:kind_feed": Page(EVERYBODY, sample=lambda cast: "/news/feeds/release.json"),
    "news:reports": Page(EVERYBODY),
    "news:detail": Page(EVERYBODY, sample=published),
    "news:figures": Page(EVERYBODY, sample=figures),
    "news:desk": Page(EDITORS),
    "news:new": Page(EDITORS),
    "news:edit": desk("draft"),
    "news:versions": desk("draft", "versions/"),
    "news:take": Page(
        EDITORS,
        sample=lambda cast: in_state("draft").desk_url + "versions/1/take/",
        method="POST",
    ),
    "news:publish": desk("draft", "publish/"),
    "news:unschedule": desk("scheduled", "unschedule/"),
    "news:withdraw": desk("published", "withdraw/"),
    "news:restore": desk("withdrawn", "restore/"),
    "news:drop": desk("draft", "drop/"),
    "news:take_back": desk("dropped", "take-back/"),
    "newsroom:reports": Page(EDITORS),
    "newsroom:figures": Page(
        EDITORS, sample=lambda cast: report().announcement.desk_url + "figures/"
    ),
    "newsroom:renew": Page(
        EDITORS,
        sample=lambda cast: report().announcement.desk_url + "figures/renew/",
        method="POST",
    ),
}
