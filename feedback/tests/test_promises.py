"""The sentences of the privacy page and the forms of people who send by hand."""

import ast
import html
import re
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, connection
from django.http import HttpResponse
from django.test import Client

from feedback import inbox
from feedback.actions.drain import drain_inbox
from feedback.actions.intake import receive_reports
from feedback.models import Incoming, Intake, Report, ServerWeek
from feedback.parser import SENSITIVE
from feedback.promises import PROMISES
from feedback.tests.clients import lines, multipart
from feedback.tests.fleets import DEBIAN, arrive, fleet, row

pytestmark = pytest.mark.django_db

UID = "noXlLLa2od3mQW8oOulZC8ESuAY="


def upload(client: Client, content: bytes) -> HttpResponse:
    file = SimpleUploadedFile("report.txt", content)
    return client.post("/statistics/report/", {"report": file})  # type: ignore[return-value]


def manual(shared_data: Path) -> bytes:
    return (shared_data / "feedback" / "manual_report.txt").read_bytes()


def hidden_field(page: str) -> str:
    found = re.search(r'name="report" value="([^"]+)"', page)
    assert found
    return html.unescape(found[1])


@pytest.mark.parametrize("path", ["/rest/v1/post", "/rest/v1/post/", "/feedback_plugin/post"])
def test_the_address_of_the_servers_shows_people_a_form(client: Client, path: str) -> None:
    page = client.get(path).content.decode()
    assert 'action="/statistics/report/"' in page
    assert 'type="file"' in page


def test_people_see_what_is_kept_before_it_is_kept_and_can_delete_it(
    client: Client, shared_data: Path
) -> None:
    page = upload(client, manual(shared_data)).content.decode()
    assert "Nothing is kept yet" in page
    assert "10.11.19" in page
    assert "Debian 12" in page
    assert UID not in page
    assert not Incoming.objects.exists()
    kept = client.post("/statistics/report/keep/", {"report": hidden_field(page)})
    code = re.search(r"[A-Z2-7]{6}(?:-[A-Z2-7]{6}){3}", kept.content.decode())
    assert code
    drain_inbox()
    assert ServerWeek.objects.get().version == "10.11.19"
    gone = client.post("/privacy/", {"code": code[0].lower()}, follow=True)
    assert "The report is deleted" in gone.content.decode()
    assert not ServerWeek.objects.exists()
    assert not Report.objects.exists()
    again = client.post("/privacy/", {"code": code[0]})
    assert again.status_code == 422
    assert "No report is kept under this code" in again.content.decode()


def test_whoever_has_the_code_gets_all_that_is_kept_of_the_report(client: Client) -> None:
    codes = [inbox.new_code() for _ in range(3)]
    receive_reports(rows=[row("a", code=codes[0]), row("b", {}, code=codes[1]), row("other")])
    drain_inbox()
    receive_reports(rows=[row("c", code=codes[2])])
    for code, state in zip(codes, ("counted", "set aside", "waits to be read"), strict=True):
        answer = client.post("/privacy/", {"code": f" {code.lower()}", "give": "file"})
        assert answer["Content-Disposition"] == 'attachment; filename="my-report.json"'
        assert answer["Cache-Control"] == "no-store"
        [report] = answer.json()["reports"]
        assert report["state"] == state
        assert report["values"].get("VERSION", "") == (
            "" if code == codes[1] else DEBIAN["VERSION"]
        )
    assert client.post("/privacy/", {"code": codes[0]}).status_code == 302
    gone = client.post("/privacy/", {"code": codes[0], "give": "file"})
    assert gone.status_code == 422
    assert "No report is kept under this code" in gone.content.decode()


def test_a_file_written_by_hand_is_shown_kept_and_deleted_by_its_code(client: Client) -> None:
    page = upload(client, lines(DEBIAN)).content.decode()
    assert "Nothing is kept yet" in page
    assert "Debian 12" in page
    assert UID not in page
    assert not Incoming.objects.exists()
    kept = client.post("/statistics/report/keep/", {"report": hidden_field(page)})
    code = re.search(r"[A-Z2-7]{6}(?:-[A-Z2-7]{6}){3}", kept.content.decode())
    assert code
    drain_inbox()
    assert ServerWeek.objects.get().version == "10.11.19"
    assert client.post("/privacy/", {"code": code[0]}).status_code == 302
    assert not Report.objects.exists()
    again = client.post("/privacy/", {"code": code[0]})
    assert again.status_code == 422
    assert "No report is kept under this code" in again.content.decode()


def test_a_preview_is_kept_within_the_hour_only(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = upload(client, lines(DEBIAN)).content.decode()
    monkeypatch.setattr("feedback.views.report.PREVIEW_SECONDS", -1)
    answer = client.post("/statistics/report/keep/", {"report": hidden_field(page)}, follow=True)
    assert "older than an hour" in answer.content.decode()
    assert not Incoming.objects.exists()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"nothing", "No version of a server is in it"),
        (lines(DEBIAN, uid="unknown"), "does not say who it is"),
        (b"VERSION\t" + b"x" * 300_000, "larger than 256"),
    ],
)
def test_a_file_that_is_no_report_is_refused_with_the_reason(
    client: Client, content: bytes, told: str
) -> None:
    answer = upload(client, content)
    assert answer.status_code == 422
    assert told in answer.content.decode()


def test_a_changed_or_old_preview_is_not_kept(client: Client) -> None:
    answer = client.post("/statistics/report/keep/", {"report": "made:up:text"}, follow=True)
    assert "older than an hour" in answer.content.decode()
    assert not Incoming.objects.exists()


def test_a_report_that_reached_the_web_process_is_kept_like_any_other(client: Client) -> None:
    body = multipart(lines(DEBIAN))
    answer = client.post("/rest/v1/post", body, content_type="application/octet-stream")
    assert answer.content.startswith(b"<h1>ok, deletion code ")
    assert drain_inbox() == 1
    too_large = client.post("/rest/v1/post", b"x" * 270_000, content_type="text/plain")
    assert too_large.status_code == 413
    assert dict(Intake.objects.values_list("outcome", "reports")) == {"counted": 1, "too_large": 1}


def test_a_report_that_cannot_be_stored_is_never_answered_with_ok(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(**_: object) -> int:
        raise DatabaseError

    monkeypatch.setattr("feedback.views.report.receive_reports", away)
    answer = client.post("/rest/v1/post", b"x", content_type="text/plain")
    assert answer.status_code == 503
    assert b"ok" not in answer.content


def test_no_table_has_a_place_for_an_address_or_a_name(db: None) -> None:
    arrive(*fleet(3))
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name, data_type FROM information_schema.columns"
            " WHERE table_name LIKE 'feedback_%%'"
        )
        columns = cursor.fetchall()
        assert not [row for row in columns if row[2] in {"inet", "cidr"}]
        for table in {row[0] for row in columns}:
            cursor.execute(f"SELECT t::text FROM {table} t")  # noqa: S608 - names of our tables
            assert not [row for row in cursor.fetchall() if "fleet-" in row[0]]


def test_the_promises_are_on_the_page_with_what_keeps_them(client: Client) -> None:
    page = html.unescape(client.get("/privacy/").content.decode())
    for promise in PROMISES:
        assert str(promise.sentence) in page
        assert str(promise.kept_by) in page
    assert "Deletion code" in page


def test_each_promise_has_a_test() -> None:
    here = Path(__file__).parent
    names = {
        node.name
        for path in here.rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef)
    }
    assert [test for promise in PROMISES for test in promise.tests if test not in names] == []
    assert all(promise.tests for promise in PROMISES)


def test_the_page_counts_the_blanked_variables_right() -> None:
    told = " ".join(str(promise.kept_by) for promise in PROMISES)
    assert f"a list of {len(SENSITIVE)} variables" in told


def test_who_opens_an_address_of_the_form_again_is_led_to_the_form(client: Client) -> None:
    for path in ("/statistics/report/", "/statistics/report/keep/"):
        assert client.get(path)["Location"] == "/rest/v1/post", path
