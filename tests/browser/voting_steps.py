"""What a voter does on the page of a ballot, and what it says then."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect


def rank(page: Page, *names: str) -> None:
    for place, name in enumerate(names, 1):
        page.get_by_role("textbox", name=f"Number for {name}").fill(str(place))
    press(page, "Review my ballot")


def press(page: Page, name: str) -> None:
    page.locator("button:visible", has_text=name).first.press("Enter")


def banner(page: Page) -> None:
    expect(page.get_by_role("heading", name="You have not voted yet")).to_be_visible()


def save(page: Page) -> Path:
    with page.expect_download() as download:
        press(page, "Save the recovery file")
    return Path(download.value.path())


def cast(page: Page) -> None:
    press(page, "Cast my ballot")
    save(page)
    press(page, "Ask for the credential and cast")


def voted(page: Page) -> None:
    expect(page.get_by_role("heading", name="You have voted")).to_be_visible()
    expect(page.get_by_role("heading", name="You have not voted yet")).to_be_hidden()


def trouble(page: Page, text: str) -> None:
    expect(page.get_by_role("alert").filter(has_text=text)).to_be_visible()
    banner(page)
