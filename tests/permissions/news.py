from django.utils import timezone

from portal.news.models import Announcement
from tests.permissions import EVERYBODY, Cast, Page


def published(cast: Cast) -> str:
    Announcement.objects.create(
        slug="a-mirror", title="A mirror", summary="x", body="x", published_at=timezone.now()
    )
    return "/news/a-mirror/"


PAGES = {
    "news:list": Page(EVERYBODY),
    "news:feed": Page(EVERYBODY),
    "news:detail": Page(EVERYBODY, sample=published),
}
