"""The pages of meetings: read by everybody, planned and announced by the chair."""

import json

import pytest
from django.test import Client

from governance.actions.agenda import Point, add_item
from governance.actions.meeting import cancel_meeting, plan_meeting
from governance.models import Body, Meeting, Motion
from governance.tests.conftest import DAY, HOUR, START
from governance.tests.meeting_cast import BEGINS, PLAN, approve, hold, make_meeting, submit
from portal.accounts.models import User
from tests.cast import sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db
ALL = "/governance/meetings/"


@pytest.fixture
def chair(directors: list[User]) -> Client:
    return sign_in(directors[0])


@pytest.fixture
def bea(directors: list[User]) -> Client:
    return sign_in(directors[1])


@shared
def coming(board: Body, directors: list[User]) -> Meeting:
    return make_meeting(directors[0], board, link="https://meet.example.org/board")


@shared
def held(board: Body, directors: list[User]) -> Meeting:
    return make_meeting(directors[0], board, days=-20)


def text(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status
    return answer.content.decode()


def test_an_empty_list_says_what_will_be_here(client: Client, board: Body, chair: Client) -> None:
    assert "No meetings yet" in text(client, ALL)
    assert "Plan the first" not in text(client, ALL)
    assert "Plan the first" in text(chair, ALL)
    assert "No meeting matches" in text(client, f"{ALL}?q=nothing")


def test_the_list_has_what_comes_and_what_was(
    client: Client, coming: Meeting, held: Meeting, directors: list[User]
) -> None:
    hold(held, directors)
    page = text(client, ALL)
    assert page.index("Coming") < page.index("Held")
    assert "not approved yet" in page
    approve(submit(held, directors[0]), directors)
    assert f"{held.get_absolute_url()}minutes/1.pdf" in text(client, ALL)
    assert "2 meetings" not in text(client, f"{ALL}?body=board&year={held.begins_at.year}")
    assert "board/meetings.ics" in text(client, f"{ALL}?body=board")
    assert coming.get_absolute_url() in text(client, f"{ALL}?q=any+other")


def test_the_link_to_take_part_is_for_those_who_hold_a_seat(
    client: Client, bea: Client, coming: Meeting
) -> None:
    page = coming.get_absolute_url()
    assert "meet.example.org" not in text(client, page)
    assert "meet.example.org" in text(bea, page)
    ics = f"/governance/meetings/{coming.slug}.ics"
    assert "meet.example.org" not in text(client, ics)
    assert "meet.example.org" in text(bea, ics)
    data = json.loads(text(bea, f"/governance/meetings/{coming.slug}.json"))
    assert data["link"] is None
    Meeting.objects.update(is_open=True)
    assert "meet.example.org" in text(client, page)
    assert "meet.example.org" in text(client, "/governance/meetings.ics")


def test_the_agenda_shows_motions_to_who_may_read_them(
    client: Client,
    bea: Client,
    coming: Meeting,
    motion: Motion,
    draft: Motion,
    directors: list[User],
) -> None:
    for each in (motion, draft):
        add_item(
            actor=directors[0], meeting=coming, point=Point(f"On {each.pk}", motion=each), at=START
        )
    anybody, director = (
        text(client, coming.get_absolute_url()),
        text(bea, coming.get_absolute_url()),
    )
    assert motion.get_absolute_url() in anybody
    assert draft.get_absolute_url() not in anybody
    assert f"On {draft.pk}" in anybody
    assert draft.get_absolute_url() in director
    data = json.loads(text(client, f"/governance/meetings/{coming.slug}.json"))
    assert [item["motion"] for item in data["agenda"]][-2:] == [motion.slug, None]


def test_a_plan_is_the_bodys_own(
    client: Client, bea: Client, board: Body, directors: list[User]
) -> None:
    plan = plan_meeting(actor=directors[0], body=board, plan=PLAN, at=START)
    for path in ("/", ".ics", ".json"):
        assert client.get(f"/governance/meetings/{plan.slug}{path}").status_code == 404
    assert "Being planned" in text(bea, plan.get_absolute_url())
    assert plan.slug not in text(client, "/governance/meetings.ics")


def test_the_chair_plans_arranges_and_announces(chair: Client, board: Body, motion: Motion) -> None:
    assert "Plan a meeting" in text(chair, f"{ALL}new/")
    sent = {
        "body": board.pk,
        "title": "Board meeting",
        "begins_at": BEGINS.strftime("%Y-%m-%dT%H:%M"),
        "ends_at": BEGINS.strftime("%Y-%m-%dT%H:%M"),
        "place": "Online",
        "link": "meet.example.org/board",
    }
    refused = chair.post(f"{ALL}new/", sent)
    assert refused.status_code == 422
    assert "ends after it begins" in refused.content.decode()
    sent["ends_at"] = (BEGINS + HOUR).strftime("%Y-%m-%dT%H:%M")
    arranged = chair.post(f"{ALL}new/", sent, follow=True).content.decode()
    assert motion.title in arranged
    meeting = Meeting.objects.get()
    assert meeting.link == "https://meet.example.org/board"
    here = meeting.get_absolute_url()
    assert chair.post(f"{here}agenda/", {"title": ""}).status_code == 422
    chair.post(f"{here}agenda/", {"title": "Budget", "minutes": 20})
    twice = {"title": "B", "motion": motion.pk}
    assert "already" in chair.post(f"{here}agenda/", twice).content.decode()
    budget = meeting.agenda.get(title="Budget")
    edit = f"{here}agenda/{budget.position}/"
    assert "Budget" in text(chair, edit)
    assert chair.post(edit, {"title": ""}).status_code == 422
    assert "already" in chair.post(edit, twice).content.decode()
    chair.post(edit, {"title": "Budget of 2027"})
    chair.post(f"{edit}move/", {"to": "up"})
    budget.refresh_from_db()
    assert (budget.title, budget.position) == ("Budget of 2027", 3)
    chair.post(f"{here}agenda/3/move/", {"to": "off"})
    assert not meeting.agenda.filter(title="Budget of 2027").exists()
    chair.post(f"{here}agenda/2/move/", {"to": "off"})
    assert (
        "1 motion was added"
        in chair.post(f"{here}agenda/", {"gather": "yes"}, follow=True).content.decode()
    )
    assert "is announced" in chair.post(f"{here}announce/", follow=True).content.decode()
    edited = chair.post(f"{here}edit/", {**sent, "place": "Hall 2"}, follow=True).content.decode()
    assert "Hall 2" in edited
    assert chair.post(f"{here}edit/", {**sent, "title": ""}).status_code == 422
    assert "Say why" in chair.post(f"{here}cancel/", follow=True).content.decode()
    gone = chair.post(f"{here}cancel/", {"reason": "No quorum."}, follow=True).content.decode()
    assert "Cancelled" in gone
    assert "No quorum." in gone
    assert "another one" in chair.post(f"{here}edit/", {**sent, "place": "x"}).content.decode()


def test_others_do_not_plan(bea: Client, client: Client, coming: Meeting) -> None:
    assert bea.get(f"{ALL}new/").status_code == 403
    assert bea.get(f"{ALL}import/").status_code == 404
    assert bea.get(f"{coming.get_absolute_url()}agenda/").status_code == 403
    assert client.get(f"{ALL}new/")["Location"].startswith("/accounts/login/")
    assert "Keeping this meeting" not in text(bea, coming.get_absolute_url())


def unfolded(calendar: str) -> list[str]:
    assert all(len(line.encode()) <= 75 for line in calendar.split("\r\n"))
    return calendar.replace("\r\n ", "").split("\r\n")


def test_calendars_have_each_meeting_with_its_changes(
    client: Client, coming: Meeting, directors: list[User]
) -> None:
    lines = unfolded(text(client, "/governance/meetings.ics"))
    assert lines[0] == "BEGIN:VCALENDAR"
    assert f"DTSTART:{coming.begins_at:%Y%m%dT%H%M%SZ}" in lines
    assert "SEQUENCE:0" in lines
    assert "STATUS:CONFIRMED" in lines
    uid = next(line for line in lines if line.startswith("UID:"))
    cancel_meeting(actor=directors[0], meeting=coming, reason="Ill; sorry.", at=START)
    after = unfolded(text(client, "/governance/bodies/board/meetings.ics"))
    assert uid in after
    assert {"STATUS:CANCELLED", "SEQUENCE:1"} <= set(after)
    assert any("Ill\\; sorry." in line for line in after)
    assert client.get("/governance/bodies/senate/meetings.ics").status_code == 404
    answer = client.get("/governance/meetings.ics")
    again = client.get("/governance/meetings.ics", headers={"if-none-match": answer["ETag"]})
    assert (answer["Content-Type"], again.status_code) == ("text/calendar; charset=utf-8", 304)


def test_the_feed_tells_of_announcements_and_of_approved_minutes(
    client: Client, coming: Meeting, held: Meeting, directors: list[User]
) -> None:
    hold(held, directors, text="Some <b>words</b>.")
    approve(submit(held, directors[0]), directors)
    entries = json.loads(text(client, "/governance/meetings/feed.json?body=board"))["items"]
    assert {entry["id"].rpartition("/governance/")[2] for entry in entries} == {
        f"meetings/{coming.slug}/#announced",
        f"meetings/{held.slug}/#announced",
        f"meetings/{held.slug}/minutes/1/",
    }
    minutes = next(entry for entry in entries if "minutes" in entry["tags"])
    assert "&lt;b&gt;words" in minutes["content_html"]
    assert "<feed" in text(client, "/governance/meetings/feed.atom")
    cancel_meeting(actor=directors[0], meeting=coming, reason="Ill.", at=START)
    assert "Cancelled: Ill." in text(client, "/governance/meetings/feed.atom")
    assert client.get("/governance/meetings/feed.rss").status_code == 404
    assert client.get("/governance/meetings/feed.atom?body=senate").status_code == 404


def test_past_meetings_are_paged_and_dated(client: Client, held: Meeting) -> None:
    assert held.begins_at < START - 10 * DAY
    assert f"{held.begins_at.year}" in text(client, f"{ALL}?page=9")
