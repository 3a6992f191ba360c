"""A browser for the tests, and windows in it that look at the live server."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from portal.accounts.models import User
from tests.browser import offices_site, voting_site
from tests.browser.offices_site import Site
from tests.browser.visitor import Theme, Visitor
from tests.browser.voting_site import PAGE, Desk
from tests.cast import sign_in
from tests.programs import need

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

PATIENCE_MS = 20_000  # a busy machine is no fault of the page

Visit = Callable[..., Visitor]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, once a module. Playwright's own loop then runs in this thread until it stops:
    Django takes every query of the thread for one from asynchronous code, and a test that runs
    a loop of its own cannot, so it must not outlive the module.
    """
    [chromium] = need("chromium")
    expect.set_options(timeout=PATIENCE_MS)
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def visit(
    browser: Browser,
    live_server: LiveServer,
    settings: Settings,
) -> Iterator[Visit]:
    """Opens windows: `visit(width=360, theme="dark", user=alice)`. Closed after the test."""
    settings.BASE_URL = live_server.url
    windows: list[Visitor] = []

    def opened(*, width: int = 1280, theme: Theme = "light", user: User | None = None) -> Visitor:
        visitor = Visitor(browser, live_server.url, width=width, theme=theme)
        windows.append(visitor)
        if user is not None:
            client = sign_in(user)
            visitor.sign_in({name: morsel.value for name, morsel in client.cookies.items()})
        return visitor

    yield opened
    for visitor in windows:
        visitor.close()


@pytest.fixture
def desk(settings: Settings) -> Desk:
    """Registrar and box of a test's own election."""
    settings.ROOT_URLCONF = "tests.browser.voting_site"
    voting_site.DESK[:] = [Desk()]
    return voting_site.DESK[0]


@pytest.fixture
def voter(visit: Visit, alice: User, desk: Desk) -> Visitor:
    visitor = visit(user=alice, width=360)
    visitor.open(PAGE)
    return visitor


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    with offices_site.opened(tmp_path, monkeypatch) as found:
        yield found
