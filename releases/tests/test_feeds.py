"""What programs and calendars read of the catalogue."""

from __future__ import annotations

import datetime as dt
import json
import re
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from releases import icalendar
from releases.actions.yank import yank_release
from releases.models import Product, Release, Series

ATOM = "{http://www.w3.org/2005/Atom}"
LISTS = ["feed.atom", "feed.json", "calendar.ics", "endoflife.json", "roadmap.svg"]


def yank(dana: User, release: Release) -> None:
    yank_release(actor=dana, release=release, reason="It loses <rows>.", at=timezone.now())


def test_the_feeds_tell_a_release_and_its_withdrawal(
    dana: User, release: Release, client: Client
) -> None:
    yank(dana, release)
    for base in ("/releases/", "/releases/exampledb/"):
        root = ElementTree.fromstring(client.get(f"{base}feed.atom").content)  # noqa: S314 - ours
        entries = root.findall(f"{ATOM}entry")
        titles = ["Withdrawn: ExampleDB 12.3.0", "ExampleDB 12.3.0, Alpha (withdrawn)"]
        assert [entry.findtext(f"{ATOM}title") for entry in entries] == titles
        assert len({entry.findtext(f"{ATOM}id") for entry in entries}) == 2
        assert "It loses &lt;rows&gt;." in (entries[0].findtext(f"{ATOM}content") or "")
        document = json.loads(client.get(f"{base}feed.json").content)
        assert document["version"] == "https://jsonfeed.org/version/1.1"
        assert document["feed_url"].endswith(f"{base}feed.json")
        assert [item["title"] for item in document["items"]] == titles
        assert "Vectors" in document["items"][1]["content_html"]


def test_a_release_that_replaces_it_is_named(dana: User, release: Release, client: Client) -> None:
    yank(dana, release)
    other = Release.objects.create(
        series=release.series, version="12.3.1", maturity="alpha", published_at=timezone.now()
    )
    Release.objects.filter(pk=release.pk).update(use_instead=other)
    text = client.get("/releases/feed.json").content.decode()
    assert "Use ExampleDB 12.3.1 instead." in text
    assert client.get("/releases/exampledb/").content.count(b"withdrawn") == 1


def test_dates_are_answered_as_other_sites_know_them(
    dana: User, release: Release, client: Client
) -> None:
    path = "/releases/exampledb/endoflife.json"
    (cycle,) = json.loads(client.get(path).content)
    assert (cycle["cycle"], cycle["eol"], cycle["latest"]) == ("12.3", "2040-06-01", "12.3.0")
    assert (cycle["lts"], cycle["isEol"]) == (True, False)
    Series.objects.update(eol_on=None)
    yank(dana, release)
    (cycle,) = json.loads(client.get(path).content)
    assert (cycle["eol"], cycle["latest"]) == (False, None)
    assert json.loads(client.get("/releases/endoflife.json").content) == ["exampledb"]


@pytest.mark.parametrize("name", LISTS)
def test_what_did_not_change_is_not_sent_again(release: Release, client: Client, name: str) -> None:
    path = f"/releases/exampledb/{name}"
    first = client.get(path)
    assert first["Access-Control-Allow-Origin"] == "*"
    again = client.get(path, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again["Access-Control-Allow-Origin"] == "*"
    Product.objects.update(name="Renamed, & more")
    Series.objects.update(eol_on=dt.date(2041, 1, 1), edited_at=timezone.now())
    Release.objects.update(summary="Other words.")
    assert client.get(path, headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_pages_name_their_feeds_and_calendar(release: Release, client: Client) -> None:
    for path in ("/releases/", "/releases/exampledb/", "/releases/exampledb/series/12.3/"):
        page = client.get(path).content.decode()
        found = re.findall(r'<link rel="alternate" type="([^"]+)"[^>]* href="([^"]+)"', page)
        types = {kind: href for kind, href in found if href.startswith("/releases/")}
        assert set(types) == {"application/atom+xml", "application/feed+json", "text/calendar"}
        for kind, href in types.items():
            assert client.get(href)["Content-Type"].startswith(kind)


def test_the_roadmap_is_a_picture_of_its_own(release: Release, client: Client) -> None:
    answer = client.get("/releases/exampledb/roadmap.svg")
    root = ElementTree.fromstring(answer.content)  # noqa: S314 - ours
    svg = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{svg}svg"
    assert root.findtext(f"{svg}title") == "Support periods by series"
    assert "until June 2040" in (root.findtext(f"{svg}desc") or "")
    assert b"class=" not in answer.content
    assert b"style" not in answer.content
    Series.objects.update(eol_on=None)
    assert client.get("/releases/exampledb/roadmap.svg").status_code == 404


# --- the calendar ---------------------------------------------------------------------------------


def unfolded(data: bytes) -> list[str]:
    """The content lines, after a look at their form."""
    assert data.endswith(b"\r\n")
    assert b"\n" not in data.replace(b"\r\n", b"")
    assert all(len(line) <= 75 for line in data.split(b"\r\n"))
    return data.decode().replace("\r\n ", "").splitlines()


def test_the_calendar_holds_both_days_of_a_series(release: Release, client: Client) -> None:
    Series.objects.update(released_on=dt.date(2027, 2, 1))
    lines = unfolded(client.get("/releases/calendar.ics").content)
    assert (lines[0], lines[-1]) == ("BEGIN:VCALENDAR", "END:VCALENDAR")
    assert "UID:eol-exampledb-12.3@localhost" in lines
    assert "DTSTART;VALUE=DATE:20400601" in lines
    assert "DTEND;VALUE=DATE:20400602" in lines
    assert "SUMMARY:ExampleDB 12.3: first stable release" in lines
    assert lines.count("BEGIN:VEVENT") == lines.count("END:VEVENT") == 2
    Series.objects.update(eol_on=dt.date(2041, 1, 1))
    moved = unfolded(client.get("/releases/exampledb/calendar.ics").content)
    assert [line for line in lines if line.startswith("UID")] == [
        line for line in moved if line.startswith("UID")
    ]


@pytest.mark.parametrize("length", [1, 74, 75, 76, 149, 150, 400])
@pytest.mark.parametrize("sign", ["a", "ü", "語", "🐬"])
def test_a_line_of_any_signs_is_folded_between_them(sign: str, length: int) -> None:
    folded = icalendar.fold(sign * length)
    assert unfolded(folded) == [sign * length]


def test_what_has_a_meaning_in_a_calendar_is_escaped() -> None:
    assert icalendar.text("a;b,c\\d\ne\r\x07f") == "a\\;b\\,c\\\\d\\nef"
