import datetime as dt
from collections.abc import Callable

import pytest
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.models import AuditEntry
from portal.news import demonstration
from portal.news.actions.announcement import write_announcement
from portal.news.models import Announcement

pytestmark = pytest.mark.django_db
NOW = timezone.now()
HOUR = dt.timedelta(hours=1)


def written(slug: str, published_at: dt.datetime | None, title: str = "") -> Announcement:
    return write_announcement(
        actor=None,
        slug=slug,
        title=title or f"About {slug}",
        summary="In one sentence.",
        body="## Part\n\nThe *text* <script>alert(1)</script>",
        published_at=published_at,
    )


def test_a_draft_and_a_future_announcement_are_nowhere(client: Client) -> None:
    written("draft", None)
    written("tomorrow", timezone.now() + 24 * HOUR)
    for path in ("/news/", "/news/feed.atom", "/sitemap.xml", "/"):
        text = client.get(path).content.decode()
        assert "draft" not in text
        assert "tomorrow" not in text
    assert client.get("/news/draft/").status_code == 404
    assert client.get("/news/tomorrow/").status_code == 404


def test_an_announcement_is_published_when_its_time_comes() -> None:
    waiting = written("soon", NOW)
    assert waiting not in Announcement.objects.published(NOW - HOUR)
    assert waiting in Announcement.objects.published(NOW)


def test_the_newest_stands_first_everywhere(client: Client) -> None:
    written("older", NOW - 2 * HOUR)
    written("newer", NOW - HOUR)
    for path in ("/news/", "/news/feed.atom", "/"):
        text = client.get(path).content.decode()
        assert text.index("About newer") < text.index("About older")


def test_the_page_shows_markdown_and_no_script_of_the_writer(client: Client) -> None:
    written("said", NOW - HOUR)
    text = client.get("/news/said/").content.decode()
    assert "<em>text</em>" in text
    assert "<script>alert" not in text


def test_the_feed_is_atom_with_the_whole_text(client: Client) -> None:
    written("said", NOW - HOUR)
    answer = client.get("/news/feed.atom")
    assert answer["Content-Type"].startswith("application/atom+xml")
    assert b"http://www.w3.org/2005/Atom" in answer.content
    assert b"&lt;em&gt;text&lt;/em&gt;" in answer.content


def test_an_empty_list_says_what_will_be_here(client: Client) -> None:
    assert "Announcements appear here" in client.get("/news/").content.decode()


def test_a_long_list_has_pages(client: Client) -> None:
    for n in range(21):
        written(f"n{n:02}", NOW - n * HOUR - HOUR)
    assert "About n20" not in client.get("/news/").content.decode()
    assert "About n20" in client.get("/news/?page=2").content.decode()
    assert client.get("/news/?page=99").status_code == 200


def test_the_database_refuses_an_announcement_without_words() -> None:
    with pytest.raises(IntegrityError):
        Announcement.objects.create(slug="void", title="", summary="x", body="x")


def test_staff_write_change_and_remove_and_the_log_knows(
    frank: User, client_for: Callable[[User], Client]
) -> None:
    client = client_for(frank)
    sent = {
        "title": "A new mirror",
        "slug": "a-new-mirror",
        "summary": "Nearer.",
        "body": "Text.",
        "published_at_0": "2026-11-01",
        "published_at_1": "10:00:00",
    }
    assert client.post("/staff/news/announcement/add/", sent).status_code == 302
    announcement = Announcement.objects.get(slug="a-new-mirror")
    assert announcement.author == frank
    change = f"/staff/news/announcement/{announcement.pk}/change/"
    assert client.post(change, {**sent, "title": "Two mirrors"}).status_code == 302
    remove = {"action": "delete_selected", "_selected_action": announcement.pk, "post": "yes"}
    assert client.post("/staff/news/announcement/", remove).status_code == 302
    assert not Announcement.objects.exists()
    verbs = AuditEntry.objects.filter(actor_id=frank.pk, subject_kind="news.announcement")
    assert list(verbs.order_by("pk").values_list("verb", flat=True)) == [
        "announcement.written",
        "announcement.changed",
        "announcement.removed",
    ]


def test_the_demonstration_announces_once(frank: User) -> None:
    for _ in range(2):
        demonstration.load(actor=frank, at=NOW)
    assert Announcement.objects.published(NOW).count() == len(demonstration.TEXTS)
