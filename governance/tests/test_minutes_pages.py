"""The secretary through a whole meeting, and what others see of it."""

import hashlib
import io
from datetime import timedelta

import pytest
from django.test import Client

from governance.actions.agenda import Point, add_item
from governance.actions.attendance import add_guest
from governance.meetings import compose
from governance.meetings.writing import write
from governance.models import Attendance, Body, Meeting, Minutes
from governance.tests.conftest import HOUR, START
from governance.tests.meeting_cast import approve, hold, make_meeting, submit
from portal.accounts.models import User
from tests.cast import sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db


@pytest.fixture
def chair(directors: list[User]) -> Client:
    return sign_in(directors[0])


@shared
def meeting(board: Body, directors: list[User]) -> Meeting:
    return make_meeting(directors[0], board, days=-20)


@pytest.fixture
def here(meeting: Meeting) -> str:
    return meeting.get_absolute_url()


def text(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def said(
    client: Client, path: str, data: dict[str, object] | None = None, status: int = 200
) -> str:
    answer = client.post(path, data or {}, follow=True)
    assert answer.status_code == status
    return answer.content.decode()


def marks(rows: list[Attendance], kind: str, **more: str) -> dict[str, object]:
    sent: dict[str, object] = {f"{row.pk}-kind": kind for row in rows}
    return sent | {f"{rows[1].pk}-{name}": value for name, value in more.items()}


def test_the_roll_is_called_marked_and_corrected(
    chair: Client, meeting: Meeting, here: str
) -> None:
    assert "Call the roll" in text(chair, f"{here}attendance/")
    assert "Keep the roll" in said(chair, f"{here}attendance/", {"call": "yes"})
    rows = list(meeting.attendance.all())
    late = (meeting.begins_at + timedelta(minutes=10)).strftime("%H:%M")
    early = (meeting.begins_at + HOUR).strftime("%H:%M")
    wrong = said(chair, f"{here}attendance/", marks(rows, "present", arrived=early, left=late), 422)
    assert "Before the arrival" in wrong
    assert f'value="{early}"' in wrong
    sent = marks(rows, "present", arrived=late, left=early) | {"name": "Noor", "seat": "Auditor"}
    assert "the guest is on it" in said(chair, f"{here}attendance/", sent)
    assert meeting.attendance.get(name="Bea").arrived_at == meeting.begins_at + timedelta(
        minutes=10
    )
    page = text(chair, f"{here}attendance/")
    assert "5 of 7 voting seats were there, 4 are needed" in page
    rows = list(meeting.attendance.all())
    twice = said(chair, f"{here}attendance/", marks(rows, "present") | {"name": "Noor"})
    assert "on the roll already" in twice
    assert said(chair, f"{here}attendance/", marks(rows, "present") | {"name": "x" * 200}, 422)
    guest = rows[-1]
    said(chair, f"{here}attendance/{guest.pk}/remove/")
    assert "stays on the roll" in said(chair, f"{here}attendance/{rows[0].pk}/remove/")
    assert "The roll is kept" in said(
        chair, f"{here}attendance/", marks(rows[:2], "present") | marks(rows[2:-1], "absent")
    )
    assert "No quorum" in text(chair, f"{here}attendance/")


def record(meeting: Meeting, words: str, **more: object) -> dict[str, object]:
    items = {f"item_{item.pk}": "" for item in meeting.agenda.all()}
    first = meeting.agenda.earliest("position")
    opened = meeting.begins_at.strftime("%H:%M")
    times = {"opened": opened, "closed": meeting.ends_at.strftime("%H:%M")}
    seen = Meeting.objects.get(pk=meeting.pk).record_version
    return {"seen": seen, **items, **times, f"item_{first.pk}": words, **more}


def test_the_record_is_kept_and_nobody_overwrites_it(
    chair: Client, meeting: Meeting, here: str
) -> None:
    assert "headings begin with ###" in text(chair, f"{here}record/")
    assert "The record is saved." in said(chair, f"{here}record/", record(meeting, "First."))
    stale = said(chair, f"{here}record/", record(meeting, "Second.", seen=0), 409)
    assert "Somebody saved the record meanwhile" in stale
    assert "<pre>First.</pre>" in stale
    assert "Second." in stale
    assert 'name="seen" value="1"' in stale
    said(chair, f"{here}record/", record(meeting, "Both."))
    assert meeting.agenda.earliest("position").record == "Both."
    broken = said(chair, f"{here}record/", record(meeting, "# Heading"), 422)
    assert "within an item headings begin with ###" in broken
    assert "# Heading</textarea>" in broken
    late = record(meeting, "Both.", opened="", closed="15:00")
    assert "adjourned after it was called" in said(chair, f"{here}record/", late, 422)


def test_minutes_are_drafted_submitted_moved_and_published(
    chair: Client, client: Client, meeting: Meeting, here: str, directors: list[User]
) -> None:
    assert "Nobody is on the roll" in text(chair, f"{here}minutes/")
    assert "Nobody is on the roll" in said(chair, f"{here}minutes/", status=422)
    hold(meeting, directors, text="We **agreed**.")
    draft = text(chair, f"{here}minutes/")
    assert "<strong>agreed</strong>" in draft
    assert "Adjourned at" in draft
    submitted = said(chair, f"{here}minutes/")
    assert "The minutes are before the body" in submitted
    assert "Move the approval" in submitted
    assert client.get(f"{here}minutes/1/").status_code == 404
    assert "We <strong>agreed" not in text(client, here)
    bea = sign_in(directors[1])
    moved = said(bea, f"{here}minutes/1/move/")
    assert "Approve the minutes of" in moved
    assert "moved already" in said(bea, f"{here}minutes/1/move/")
    assert "Approval moved" in text(bea, here)


def test_everybody_reads_what_was_approved_and_its_corrections(
    chair: Client, client: Client, meeting: Meeting, here: str, directors: list[User]
) -> None:
    hold(meeting, directors, text="We agreed.")
    approve(submit(meeting, directors[0]), directors)
    page = text(client, here)
    assert "Its minutes were approved on" in page
    assert "We agreed." in page
    assert text(client, f"{here}minutes/1.md").startswith("# Board meeting\n")
    pdf = client.get(f"{here}minutes/1.pdf")
    assert pdf.content.startswith(b"%PDF-")
    assert pdf["Content-Disposition"].endswith('minutes-1.pdf"')
    said(chair, f"{here}record/", record(meeting, "We agreed at last."))
    assert "<ins>" in text(chair, f"{here}minutes/")
    assert "Tell what changed" in said(chair, f"{here}minutes/", status=422)
    submit(meeting, directors[0], note="How long it took.")
    assert client.get(f"{here}minutes/2/").status_code == 404
    approve(Minutes.objects.get(number=2), directors)
    corrected = text(client, f"{here}minutes/2/")
    assert "<ins> at last</ins>" in corrected
    assert "How long it took." in corrected
    assert "There is a newer version" in text(client, f"{here}minutes/1/")
    assert "We agreed at last." in text(client, here)


def test_closed_sessions_stay_with_the_body(
    client: Client, meeting: Meeting, here: str, directors: list[User]
) -> None:
    add_item(actor=directors[0], meeting=meeting, point=Point("Staff", is_closed=True), at=START)
    meeting.agenda.filter(title="Staff").update(record="Salaries rise.")
    hold(meeting, directors)
    add_guest(actor=directors[0], meeting=meeting, name="Noor", at=START)
    approve(submit(meeting, directors[0]), directors)
    bea = sign_in(directors[1])
    for path in ("", "minutes/1/", "minutes/1.md"):
        assert "Salaries rise." in text(bea, f"{here}{path}")
        assert "Salaries rise." not in text(client, f"{here}{path}")
        assert "Staff" in text(client, f"{here}{path}")
    minutes, published = Minutes.objects.get(), text(client, f"{here}minutes/1.md")
    assert hashlib.sha256(published.encode()).hexdigest() == minutes.text_sha256
    assert text(bea, f"{here}minutes/1.md?as=published") == published
    assert "Markdown as published" in text(bea, here)
    assert "Markdown as published" not in text(client, here)
    assert "Anybody can check it" in text(client, here)
    assert "Salaries" not in text(client, f"/governance/meetings/{meeting.slug}.json")
    assert "Salaries" not in text(client, "/governance/meetings/feed.atom")
    assert client.get(f"{here}minutes/1.pdf").content != bea.get(f"{here}minutes/1.pdf").content


def test_a_refused_version_can_be_read_by_the_body(
    chair: Client, client: Client, meeting: Meeting, here: str, directors: list[User]
) -> None:
    hold(meeting, directors)
    approve(submit(meeting, directors[0]), directors, choice="no")
    assert "Not approved" in text(chair, f"{here}minutes/1/")
    assert "Its minutes appear here when" in text(client, here)


def test_the_record_is_exported_changed_and_taken_back(
    chair: Client, meeting: Meeting, here: str, directors: list[User]
) -> None:
    hold(meeting, directors, text="We agreed.")
    exported = text(chair, f"{here}record.md")
    assert exported == write(compose.document_of(Meeting.objects.get()))
    assert "The record as Markdown" in text(chair, f"{here}record/text/")
    seen = Meeting.objects.get().record_version
    changed = exported.replace("We agreed.", "We agreed at once.")
    said(chair, f"{here}record/text/", {"text": changed, "seen": seen})
    assert text(chair, f"{here}record.md") == changed
    stale = said(chair, f"{here}record/text/", {"text": exported, "seen": seen}, 422)
    assert "Somebody saved the record meanwhile" in stale


def test_a_file_with_faults_is_told_line_by_line_and_kept(
    chair: Client, meeting: Meeting, directors: list[User]
) -> None:
    there = "/governance/meetings/import/"
    wrong = "# Board\n\n- Body: board\n- Begins: noon\n- Ends: 2026-11-20 15:00 UTC\n"
    refused = said(chair, there, {"text": wrong}, 422)
    assert "Line 4: “noon” is no moment; write 2026-11-20 14:00 UTC." in refused
    assert "- Begins: noon" in refused
    named = wrong.replace("noon", "2026-11-20 14:00 UTC")
    file = io.BytesIO(named.encode())
    file.name = "minutes.md"
    assert "Board, 20 November 2026" in said(chair, there, {"text": wrong, "file": file})
    assert Meeting.objects.filter(begins_at__year=2026, announced_at=None).count() == 1
    for content, words in ((b"\xff\xfe", "no UTF-8 text"), (b"x" * 600_000, "larger than")):
        file = io.BytesIO(content)
        file.name = "minutes.md"
        assert words in said(chair, there, {"file": file}, 422)
    assert "There is no body" in said(
        chair, there, {"text": named.replace("Body: board", "Body: x")}, 422
    )
