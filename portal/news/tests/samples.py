"""Where a page of each view stands, with the demonstration data loaded."""

from django.utils import timezone

from portal.news.models import Announcement


def announcement() -> str:
    return Announcement.objects.published(timezone.now())[0].get_absolute_url()


SAMPLES = {"news:detail": announcement}
