"""What readers see of announcements, and when."""

import datetime as dt

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.news import demonstration
from portal.news.actions.announcement import free_slug
from portal.news.actions.publication import restore_announcement, withdraw_announcement
from portal.news.demonstration_texts import PUBLISHED
from portal.news.models import Announcement, Kind, State, Version
from portal.news.tests.rows import HOUR, in_state, written

pytestmark = pytest.mark.django_db
NOW = timezone.now()
EVERYWHERE = ("/news/", "/news/feed.atom", "/news/feed.json", "/sitemap.xml", "/")


@pytest.mark.parametrize("state", ["draft", "scheduled", "dropped"])
def test_what_is_not_public_is_nowhere(client: Client, state: str) -> None:
    hidden = in_state(state, "unheard")
    for path in EVERYWHERE:
        assert "unheard" not in client.get(path).content.decode()
    assert client.get("/news/unheard/").status_code == 404
    assert hidden.state(timezone.now()) == state


def test_an_announcement_is_published_when_its_time_comes() -> None:
    waiting = written("soon", NOW)
    assert waiting not in Announcement.objects.published(NOW - HOUR)
    assert waiting in Announcement.objects.published(NOW)


def test_each_state_is_asked_by_its_own_question() -> None:
    made = {state: in_state(state) for state in State}
    now = timezone.now()
    for state, announcement in made.items():
        assert announcement.state(now) == state
        assert list(Announcement.objects.in_state(state, now)) == [announcement]


def test_the_newest_stands_first_everywhere(client: Client) -> None:
    written("older", NOW - 2 * HOUR)
    written("newer", NOW - HOUR)
    for path in ("/news/", "/news/feed.atom", "/"):
        text = client.get(path).content.decode()
        assert text.index("About newer") < text.index("About older")


def test_the_page_shows_markdown_and_no_script_of_the_writer(client: Client) -> None:
    written("said", NOW - HOUR, byline="The board")
    text = client.get("/news/said/").content.decode()
    assert "<em>text</em>" in text
    assert "The board" in text
    assert "<script>alert" not in text


def test_pictures_are_those_of_this_site(client: Client) -> None:
    body = "![Ours](/static/a.svg) ![Theirs](https://spy.example/a.png) ![Odd](//spy.example/b)"
    written("pictures", NOW - HOUR, body=body)
    text = client.get("/news/pictures/").content.decode()
    assert '<img src="/static/a.svg" alt="Ours">' in text
    assert "spy.example" not in text


def test_other_sites_are_told_what_the_page_is(client: Client) -> None:
    written("said", NOW - HOUR, summary='Both "this" & that.')
    text = client.get("/news/said/").content.decode()
    assert '<link rel="canonical" href="http://localhost:8000/news/said/">' in text
    assert '<meta property="og:description" content="Both &quot;this&quot; &amp; that.">' in text
    assert '<meta property="og:url" content="http://localhost:8000/news/said/">' in text


def test_the_page_leads_to_its_neighbours(client: Client) -> None:
    for hours in (3, 2, 1):
        written(f"n{hours}", NOW - hours * HOUR)
    in_state("withdrawn", "gone")
    text = client.get("/news/n2/").content.decode()
    assert '<a rel="next" href="/news/n1/">About n1</a>' in text
    assert '<a rel="prev" href="/news/n3/">About n3</a>' in text
    assert "More news" not in client.get("/news/gone/").content.decode()


def test_neighbours_of_one_moment_are_told_apart() -> None:
    first, second = written("a", NOW), written("b", NOW)
    published = Announcement.objects.published(NOW)
    assert published.after(first).first() == second
    assert published.before(second).first() == first
    assert published.after(second).first() is None


def test_a_withdrawn_one_says_why_and_is_on_no_list(client: Client) -> None:
    in_state("withdrawn", "wrong")
    answer = client.get("/news/wrong/")
    assert answer.status_code == 410
    text = answer.content.decode()
    assert "A wrong date." in text
    assert "About wrong" not in text
    for path in EVERYWHERE:
        assert "/news/wrong/" not in client.get(path).content.decode()


def test_a_withdrawn_one_can_come_back(frank: User, client: Client) -> None:
    announcement = in_state("withdrawn", "back")
    restore_announcement(actor=frank, announcement=announcement, at=timezone.now())
    assert client.get("/news/back/").status_code == 200
    withdraw_announcement(
        actor=frank, announcement=announcement, reason="Again.", at=timezone.now()
    )
    assert client.get("/news/back/").status_code == 410


def test_an_empty_list_says_what_will_be_here(client: Client) -> None:
    assert "Announcements appear here" in client.get("/news/").content.decode()
    assert "appears here when it is published" in client.get("/news/reports/").content.decode()


def test_a_long_list_has_pages(client: Client) -> None:
    for n in range(21):
        written(f"n{n:02}", NOW - n * HOUR - HOUR)
    assert "About n20" not in client.get("/news/").content.decode()
    assert "About n20" in client.get("/news/?page=2").content.decode()
    assert client.get("/news/?page=99").status_code == 200


def test_readers_search_by_kind_year_and_words(client: Client) -> None:
    written("one", dt.datetime(2024, 5, 1, tzinfo=dt.UTC), kind=Kind.RELEASE, body="Vectors, fast")
    written("two", dt.datetime(2025, 5, 1, tzinfo=dt.UTC), summary="About vectors too.")

    def shown(query: str) -> set[str]:
        text = client.get(f"/news/?{query}").content.decode()
        return {slug for slug in ("one", "two") if f'href="/news/{slug}/"' in text}

    assert shown("") == shown("q=vectors") == {"one", "two"}
    assert shown("kind=release") == shown("year=2024") == shown("q=fast+VECTORS") == {"one"}
    assert shown("kind=release&year=2025") == set()
    assert shown("kind=nothing&year=x") == {"one", "two"}
    text = client.get("/news/?kind=release&q=nowhere").content.decode()
    assert "Nothing like this" in text


@pytest.mark.parametrize(
    "broken",
    [
        {"title": ""},
        {"slug": "reports"},
        {"withdrawn_at": NOW},
        {"withdraw_reason": "Why not."},
        {"withdrawn_at": NOW - HOUR, "withdraw_reason": "Early.", "published_at": NOW},
        {"published_at": NOW, "dropped_at": NOW},
    ],
)
def test_the_database_refuses_what_cannot_be(broken: dict[str, object]) -> None:
    values = {"slug": "void", "title": "x", "summary": "x", "body": "x"}
    with pytest.raises(IntegrityError):
        Announcement.objects.create(**{**values, **broken})


def test_the_same_address_twice_is_refused_with_words() -> None:
    written("once")
    with pytest.raises(ValidationError, match="already exists"):
        written("once")


def test_an_address_is_made_from_the_title() -> None:
    found = []
    for title in ("Été à Paris!", "Été à Paris!", "Reports", "日本"):
        slug = free_slug(title)
        found.append(slug)
        written(slug)
    assert found[:3] == ["ete-a-paris", "ete-a-paris-2", "reports-2"]
    assert found[3].startswith("news-")


def test_the_demonstration_announces_once(frank: User) -> None:
    for _ in range(2):
        demonstration.load(actor=frank, at=NOW)
    states = [one.state(NOW) for one in Announcement.objects.all()]
    assert {state: states.count(state) for state in set(states)} == {
        State.PUBLISHED: len(PUBLISHED),
        State.DRAFT: 1,
        State.SCHEDULED: 1,
        State.WITHDRAWN: 1,
    }
    assert Version.objects.filter(number=2).count() == 1


def test_the_demonstration_adds_what_an_earlier_portal_had_not(frank: User) -> None:
    written(PUBLISHED[0][1].slug, NOW)
    demonstration.load(actor=frank, at=NOW)
    assert Announcement.objects.count() == len(PUBLISHED) + 3
