"""The feeds as programs read them."""

import json
from xml.etree import ElementTree

import feedparser
import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.news.actions.announcement import Text, change_announcement
from portal.news.actions.publication import withdraw_announcement
from portal.news.models import Kind
from portal.news.tests.rows import HOUR, in_state, words, written

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"
XML = "{http://www.w3.org/XML/1998/namespace}"
NOW = timezone.now()


def atom(client: Client, path: str = "/news/feed.atom") -> ElementTree.Element:
    answer = client.get(path)
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    return ElementTree.fromstring(answer.content)  # noqa: S314 - ours


def test_the_feed_has_what_atom_asks_for(client: Client) -> None:
    body = "See [the list](/releases/) & [below](#part), or [elsewhere](https://a.example/)."
    said = written("said", NOW - HOUR, body=body, byline="The board")
    root = atom(client)
    base = "http://localhost:8000"
    assert root.attrib[f"{XML}lang"] == "en"
    assert root.findtext(f"{ATOM}id") == f"{base}/news/feed.atom"
    links = {link.get("rel"): link.get("href") for link in root.findall(f"{ATOM}link")}
    assert links == {"alternate": f"{base}/news/", "self": f"{base}/news/feed.atom"}
    (entry,) = root.findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}id") == f"{base}/news/said/"
    assert entry.findtext(f"{ATOM}author/{ATOM}name") == "The board"
    assert entry.findtext(f"{ATOM}summary") == "In one sentence."
    content = entry.find(f"{ATOM}content")
    assert content is not None
    assert content.get("type") == "html"
    html = content.text or ""
    for address in ("/releases/", "/news/said/#part"):
        assert f'href="{base}{address}"' in html
    assert 'href="https://a.example/"' in html
    assert said.published_at is not None
    stamp = said.published_at.isoformat(timespec="seconds")
    assert (entry.findtext(f"{ATOM}published") or "").startswith(stamp[:19])
    assert entry.findtext(f"{ATOM}updated") == root.findtext(f"{ATOM}updated")


def test_a_change_and_a_withdrawal_move_the_date_and_keep_the_id(
    client: Client, frank: User
) -> None:
    one, two = written("one", NOW - 3 * HOUR), written("two", NOW - 2 * HOUR)
    before = atom(client)
    text = words("one", body="Other words.")
    change_announcement(actor=frank, announcement=one, text=text, seen=1, at=NOW - HOUR)
    changed = atom(client)
    dates = [root.findtext(f"{ATOM}updated") or "" for root in (before, changed)]
    ids = [
        [e.findtext(f"{ATOM}id") for e in root.findall(f"{ATOM}entry")]
        for root in (before, changed)
    ]
    assert dates[0] < dates[1]
    assert ids[0] == ids[1]
    withdraw_announcement(actor=frank, announcement=two, reason="Wrong.", at=NOW)
    gone = atom(client)
    assert len(gone.findall(f"{ATOM}entry")) == 1
    assert (gone.findtext(f"{ATOM}updated") or "") > dates[1]
    assert Text.of(one)


def test_who_has_the_feed_gets_304(client: Client) -> None:
    for path in ("/news/feed.atom", "/news/feed.json"):
        etags = {client.get(path)["ETag"] for _ in range(2)}  # of an empty one too
        assert len(etags) == 1
    written("said", NOW - HOUR)
    for path in ("/news/feed.atom", "/news/feed.json", "/news/feeds/news.atom"):
        first = client.get(path)
        again = client.get(path, headers={"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert again["Access-Control-Allow-Origin"] == "*"
        assert "Cookie" not in first.get("Vary", "")


def test_each_kind_has_a_feed(client: Client) -> None:
    written("told", NOW - HOUR)
    written("built", NOW - HOUR, kind=Kind.RELEASE)
    root = atom(client, "/news/feeds/release.atom")
    assert [e.findtext(f"{ATOM}title") for e in root.findall(f"{ATOM}entry")] == ["About built"]
    assert (root.findtext(f"{ATOM}title") or "").endswith(": Release")
    document = json.loads(client.get("/news/feeds/release.json").content)
    assert [item["id"] for item in document["items"]] == ["http://localhost:8000/news/built/"]
    assert document["home_page_url"] == "http://localhost:8000/news/?kind=release"
    for path in ("/news/feeds/other.atom", "/news/feed.rss", "/news/feeds/release.rss"):
        assert client.get(path).status_code == 404


def test_the_json_feed_says_the_same(client: Client) -> None:
    written("said", NOW - HOUR, byline="The board")
    in_state("withdrawn")
    document = json.loads(client.get("/news/feed.json").content)
    assert document["version"] == "https://jsonfeed.org/version/1.1"
    (item,) = document["items"]
    assert item["authors"] == [{"name": "The board"}]
    assert item["tags"] == ["news"]
    assert "<em>text</em>" in item["content_html"]


def test_a_reader_of_feeds_finds_nothing_to_complain_about(client: Client) -> None:
    """As many use it: lenient where it may be, and it says what it had to forgive."""
    body = "Tom & Jerry say **hello** <b>loudly</b> at [the list](/releases/)."
    written("first", NOW - 2 * HOUR, title="Fish & <chips>", body=body, byline="The board")
    written("second", NOW - HOUR)
    answer = client.get("/news/feed.atom")
    read = feedparser.parse(
        answer.content, response_headers={"content-type": answer["Content-Type"]}
    )
    assert not read.bozo, read.get("bozo_exception")
    assert read.version == "atom10"
    assert read.encoding == "utf-8"
    assert [entry.link for entry in read.entries] == [
        "http://localhost:8000/news/second/",
        "http://localhost:8000/news/first/",
    ]
    first = read.entries[1]
    assert first.id == first.link, "it stays the same for ever"
    assert first.author == "The board"
    assert first.title in {"Fish & <chips>", "Fish &amp; &lt;chips&gt;"}
    assert first.title_detail.type == "text/plain"
    assert first.content[0].type == "text/html"
    assert '<a href="http://localhost:8000/releases/"' in first.content[0].value
    assert first.updated_parsed >= first.published_parsed
    assert read.feed.updated_parsed == max(entry.updated_parsed for entry in read.entries)
