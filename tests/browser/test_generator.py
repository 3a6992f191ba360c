"""Choosing in the configuration generator: at once with script, by a button in sight without it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from portal.accounts.models import User
from releases import tasks
from releases.models import Release
from releases.signer.local import LocalSigner
from releases.tests import factory
from tests.browser.conftest import Visit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]
PAGE = "/repositories/?series=12.3&distribution=debian-12"


@pytest.fixture
def release(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dana: User
) -> Release:
    """ExampleDB 12.3.0 for Debian 12 and RHEL 9."""
    settings.RELEASE_FILES_DIR = tmp_path / "releases"
    signer = LocalSigner(tmp_path / "signer")
    monkeypatch.setattr(tasks, "signer", lambda: signer)
    return factory.published(actor=dana, signer=signer)


def in_sight(page: Page, name: str) -> bool:
    box = page.get_by_role("button", name=name).bounding_box()
    size = page.viewport_size
    assert size is not None
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= size["height"]


def test_a_choice_is_applied_at_once_and_can_be_taken_back(visit: Visit, release: Release) -> None:
    visitor = visit(width=360)
    page = visitor.page
    visitor.open(PAGE)
    said = page.get_by_role("status")
    expect(said).to_have_text("ExampleDB 12.3 on Debian 12, deb822 .sources")
    rhel = page.get_by_role("radio", name="RHEL 9")
    rhel.focus()
    before = page.evaluate("scrollY")
    rhel.press("Space")
    expect(said).to_have_text("ExampleDB 12.3 on RHEL 9, .repo")
    expect(page.locator("#configuration")).to_contain_text("/etc/yum.repos.d/exampledb.repo")
    expect(rhel).to_be_focused()
    assert abs(page.evaluate("scrollY") - before) < 2
    assert "distribution=rhel-9" in page.url
    assert page.title().startswith("ExampleDB 12.3 on RHEL 9")

    page.locator("#configuration").get_by_role("link", name="Dockerfile").click()
    expect(said).to_have_text("ExampleDB 12.3 on RHEL 9, Dockerfile")
    expect(page.locator("#configuration [data-copy]").first).to_be_visible()
    page.go_back()
    expect(said).to_have_text("ExampleDB 12.3 on RHEL 9, .repo")
    page.go_back()
    expect(said).to_have_text("ExampleDB 12.3 on Debian 12, deb822 .sources")
    expect(page.get_by_role("radio", name="Debian 12")).to_be_checked()

    assert in_sight(page, "Show the configuration")
    page.get_by_role("button", name="Show the configuration").click()
    expect(page.locator("#configuration")).to_be_focused()
    assert page.locator("#configuration").evaluate("it => it.getBoundingClientRect().top") < 200
    assert visitor.axe() == []
    assert visitor.overflow() == []
    assert visitor.complaints == []


def test_without_script_a_button_in_sight_leads_to_the_configuration(
    browser: Browser, live_server: LiveServer, release: Release
) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto(f"{live_server.url}{PAGE}")
    assert in_sight(page, "Show the configuration")
    page.get_by_role("radio", name="RHEL 9").check()
    page.get_by_role("button", name="Show the configuration").click()
    assert page.url.endswith("#configuration")
    assert "distribution=rhel-9" in page.url
    expect(page.locator("#configuration")).to_be_in_viewport()
    expect(page.locator("#configuration")).to_contain_text("/etc/yum.repos.d/exampledb.repo")
    context.close()
