"""The frame of every page: theme, menu, copying, errors; a few pages in one pass."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]


def test_the_styleguide_is_clean_in_both_themes_and_widths(visit: Visit) -> None:
    for width in (1280, 360):
        visitor = visit(width=width)
        visitor.open("/styleguide/")
        for theme in ("light", "dark"):
            visitor.switch(theme)
            assert visitor.axe() == [], (width, theme)
            assert visitor.low_borders() == [], (width, theme)
        assert visitor.overflow() == [], width
        visitor.assert_clean()


def test_nothing_is_wider_than_a_window_of_320(visit: Visit) -> None:
    visitor = visit(width=320)
    for path in ("/", "/styleguide/", "/news/", "/nowhere/", "/accounts/login/"):
        visitor.open(path)
        assert visitor.overflow() == [], path
        visitor.assert_clean()


def test_long_words_of_german_fit_into_every_window(visit: Visit) -> None:
    visitor = visit()
    visitor.context.add_cookies([{"name": "language", "value": "de", "url": visitor.base}])
    visitor.open("/styleguide/")
    assert visitor.page.evaluate("document.documentElement.lang") == "de"
    assert visitor.overflow_at(320, 360, 768, 1000, 1160) == []


def test_a_theme_is_chosen_and_kept(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    visitor.open("/")
    page.get_by_role("button", name="Dark").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    visitor.open("/styleguide/")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    visitor.assert_clean()


def test_a_command_is_copied(visit: Visit) -> None:
    visitor = visit()
    visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visitor.open("/styleguide/")
    button = visitor.page.locator("[data-copy=sg-command]")
    button.click()
    expect(button).to_have_text("Copied")
    assert visitor.page.evaluate("navigator.clipboard.readText()") == "sudo apt update\n"


def test_the_menu_and_the_dialog_open_without_script(visit: Visit) -> None:
    visitor = visit(width=360)
    context = visitor.context.browser.new_context(  # type: ignore[union-attr]
        viewport={"width": 360, "height": 800}, java_script_enabled=False
    )
    page = context.new_page()
    page.goto(visitor.base + "/styleguide/")
    expect(page.locator("#mainnav")).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    expect(page.locator("#mainnav")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("[popovertarget=sg-dialog]").first.click()
    expect(page.locator("#sg-dialog")).to_be_visible()
    expect(page.locator("[data-copy=sg-command]")).to_be_hidden()
    context.close()


def test_a_form_is_walked_and_filled_by_keyboard(visit: Visit) -> None:
    visitor = visit()
    visitor.open("/styleguide/")
    page = visitor.page
    page.locator("#sample_rest").focus()
    reached = [page.evaluate("document.activeElement.id")]
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.tagName"))
        visible = page.evaluate(
            "getComputedStyle(document.activeElement.closest('.choice') ?? document.activeElement)"
            ".outlineStyle"
        )
        assert visible != "none", f"focus is not to be seen on {reached[-1]}"
        if reached[-1] == "sample_agreed":
            break
    asked = page.evaluate(
        '[...document.querySelectorAll(\'form[aria-label="Sample form"] :is(input,select,textarea)'
        ":not(:disabled)[id^=sample_]:not([type=radio]:not(:checked))')].map((e) => e.id)"
    )
    assert [name for name in dict.fromkeys(reached) if name in asked] == asked
    page.keyboard.press("Space")
    expect(page.locator("#sample_agreed")).not_to_be_checked()
