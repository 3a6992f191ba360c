"""Writing an advisory in a browser: only what matters is asked, and nothing typed is lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from portal.accounts.models import User
from releases.models import Advisory
from releases.tests import factory
from tests.browser.conftest import Visit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]
NEW = "/releases/manage/advisories/new/exampledb/"


def test_what_is_typed_stays_until_it_is_saved(visit: Visit, dana: User) -> None:
    factory.make_draft("12.3.1")
    factory.make_series("11.8")
    visitor = visit(user=dana, width=360)
    page = visitor.page
    visitor.open(NEW)
    page.get_by_label("Summary").fill("A crafted name stops the server.")
    fix = page.get_by_role("combobox", name="Fixed in")
    expect(fix).to_have_count(0)
    page.get_by_label("12.3 is affected").check()
    expect(fix.locator("option:checked")).to_have_text("ExampleDB 12.3.1")

    visitor.open("/releases/manage/")
    visitor.open(NEW)
    expect(page.get_by_text("What you wrote here before is back")).to_be_visible()
    expect(page.get_by_label("Summary")).to_have_value("A crafted name stops the server.")
    expect(page.get_by_label("12.3 is affected")).to_be_checked()
    page.get_by_label("Details").fill("Revoke CREATE.")
    page.get_by_label("CVSS vector").fill("high")
    assert visitor.axe() == []
    assert visitor.overflow() == []
    page.get_by_role("button", name="Make the draft").click()
    expect(page.locator(".error")).to_contain_text("The CVSS vector is not valid")
    expect(page.get_by_label("Summary")).to_have_value("A crafted name stops the server.")

    page.get_by_label("CVSS vector").fill("CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:N/I:N/A:H")
    page.get_by_role("button", name="Make the draft").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("A crafted name stops the server.")
    assert Advisory.objects.get().ranges.get().series.name == "12.3"
    visitor.open(NEW)
    expect(page.get_by_label("Summary")).to_have_value("")
    expect(page.get_by_text("What you wrote here before is back")).to_be_hidden()
