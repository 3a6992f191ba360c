"""README.md: the home page."""

from playwright.sync_api import Browser

from scripts.screenshots.person import Person


def walk(browser: Browser) -> None:
    with Person(browser) as visitor:
        visitor.open("/")
        visitor.picture("home", height=1000)
