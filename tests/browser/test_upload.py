"""Sending files from the page of a draft: with script in pieces, without it by the plain form."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Request, expect
from pytest_django import Settings

from portal.accounts.models import User
from releases import tasks
from releases.actions.upload import announce_upload, append_chunk
from releases.models import File, Release, Upload
from releases.tests import factory
from tests.browser.conftest import Visit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]
PAGE = "/releases/manage/exampledb/12.3.0/"
DEB = "exampledb-server_12.3.0+maria~deb12_amd64.deb"


@pytest.fixture
def draft(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Release:
    """An empty draft; what a worker would look at is looked at in place."""
    settings.RELEASE_FILES_DIR = tmp_path / "releases"
    monkeypatch.setattr(tasks.accept, "delay", tasks.accept)
    return factory.make_draft()


def chosen(name: str, data: bytes) -> FilePayload:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": data}


def test_files_are_read_sent_and_checked_without_leaving_the_page(
    visit: Visit, dana: User, draft: Release
) -> None:
    source = random.Random(1).randbytes(3 * 2**20 + 61)
    begun = announce_upload(
        actor=dana,
        release=draft,
        name="exampledb-12.3.0.tar.gz",
        size=len(source),
        sha256=hashlib.sha256(source).hexdigest(),
        at=draft.created_at,
    )
    append_chunk(upload=begun, offset=0, data=source[: 2**20])
    visitor = visit(user=dana, width=360)
    page = visitor.page
    offsets: list[str] = []

    def note(request: Request) -> None:
        if request.method == "PATCH" and str(begun.pk) in request.url:
            offsets.append(request.headers["upload-offset"])

    page.on("request", note)
    visitor.open(PAGE)
    page.get_by_label("Files", exact=True).set_input_files(
        [
            chosen("exampledb-12.3.0.tar.gz", source),
            chosen(DEB, factory.deb("12.3.0+maria~deb12")),
            chosen("exampledb-client_12.3.0+maria~deb12_amd64.deb", b"no package"),
            chosen("unmarked_1.0_amd64.deb", b"x"),
        ]
    )
    waiting = page.get_by_role("table", name="Files to send").get_by_role("row")
    expect(waiting.nth(1)).to_contain_text("Goes on where it stood")
    expect(waiting.nth(1)).to_contain_text("Source")
    expect(waiting.nth(2)).to_contain_text("Debian 12")
    expect(waiting.nth(4)).to_contain_text("Say for which distributions")
    page.get_by_role("button", name="Leave out unmarked_1.0_amd64.deb").click()
    expect(waiting).to_have_count(4)
    assert visitor.axe() == []
    assert visitor.overflow() == []

    page.get_by_role("button", name="Send", exact=True).click()
    told = page.get_by_role("status").last
    expect(told).to_have_text("2 accepted, 1 refused, 0 not sent.")
    expect(waiting.nth(3)).to_contain_text("this is not a Debian package")
    uploads = page.get_by_role("table", name="Uploads")
    expect(uploads.get_by_text("accepted")).to_have_count(2)
    assert offsets[0] == str(2**20)
    assert set(File.objects.values_list("name", "blob__sha256")) >= {
        ("exampledb-12.3.0.tar.gz", hashlib.sha256(source).hexdigest())
    }
    expect(page.get_by_role("button", name="Publish ExampleDB 12.3.0")).to_be_visible()

    # Whoever says what a file is for and presses the button at once waits for no second press.
    page.get_by_label("Files", exact=True).set_input_files([chosen("unmarked_1.0_amd64.deb", b"x")])
    expect(waiting.nth(1)).to_contain_text("Say for which distributions")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(told).to_have_text("0 accepted, 0 refused, 1 not sent.")
    waiting.nth(1).get_by_label("Debian 13").check()
    page.get_by_role("button", name="Send", exact=True).click()
    expect(told).to_have_text("0 accepted, 1 refused, 0 not sent.")

    page.get_by_role("button", name=f"Take out {DEB}").press("Enter")
    expect(page.get_by_text(f"{DEB} is taken back.")).to_be_visible()
    assert not File.objects.filter(name=DEB).exists()
    assert visitor.complaints == []


def test_a_pause_and_a_lost_connection_cost_nothing(
    visit: Visit, dana: User, draft: Release
) -> None:
    data = random.Random(2).randbytes(5 * 2**20)
    visitor = visit(user=dana)
    page = visitor.page
    visitor.open(PAGE)
    page.get_by_label("Files", exact=True).set_input_files(chosen("exampledb.zip", data))
    line = page.get_by_role("table", name="Files to send").get_by_role("row").nth(1)
    expect(line).to_contain_text("Ready")
    page.context.set_offline(True)
    page.get_by_role("button", name="Send", exact=True).press("Enter")
    expect(line).to_contain_text("No connection, trying again")
    page.get_by_role("button", name="Pause").click()
    expect(line).to_contain_text("Paused")
    page.context.set_offline(False)
    page.get_by_role("button", name="Go on").click()
    expect(line).to_contain_text("Accepted")
    assert Upload.objects.get().sha256 == hashlib.sha256(data).hexdigest()


def test_small_files_go_without_script(visit: Visit, dana: User, draft: Release) -> None:
    visitor = visit(user=dana)
    context = visitor.context.browser.new_context(  # type: ignore[union-attr]
        java_script_enabled=False, storage_state=visitor.context.storage_state()
    )
    page = context.new_page()
    page.goto(visitor.base + PAGE)
    expect(page.get_by_text("Up to 15.7 MB in all")).to_be_visible()
    page.get_by_label("Files", exact=True).set_input_files(
        [chosen("exampledb.zip", b"abc"), chosen("unmarked_1.0_amd64.deb", b"x")]
    )
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_text("exampledb.zip is here and being checked.")).to_be_visible()
    expect(page.get_by_text("Say for which distributions")).to_be_visible()
    assert Upload.objects.get().state == Upload.State.ACCEPTED
    context.close()
