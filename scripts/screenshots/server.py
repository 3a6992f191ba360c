"""docs/tutorials/server.md: a real MariaDB server reports, and is seen in the statistics.

The server comes from `tests/mariadb`: it does not wait five minutes before it reports.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from django.conf import settings
from playwright.sync_api import Browser

from scripts.screenshots.person import Person
from tests.mariadb import ReportingServer, reporting_server

PATIENCE = 180.0  # seconds until the report was read and counted


def walk(browser: Browser) -> None:
    with Person(browser, "Charlie") as charlie:
        charlie.open("/statistics/servers/")
        charlie.press("Make a code")
        code = (
            charlie.page.locator("#claim").inner_text().partition("feedback_user_info =")[2].strip()
        )
        charlie.picture("server-code")
        with tempfile.TemporaryDirectory() as folder:
            url = f"{settings.BASE_URL}/rest/v1/post"
            with reporting_server(Path(folder), url, feedback_user_info=code) as server:
                _wait_for_answers(server)
        _wait_for_the_row(charlie)
        charlie.picture("server-own")
        charlie.open("/statistics/")
        charlie.picture("server-statistics", height=1100)
        charlie.open("/privacy/")
        charlie.picture("server-promises")


def _wait_for_answers(server: ReportingServer) -> None:
    deadline = time.monotonic() + PATIENCE
    while server.oks() < 2 and time.monotonic() < deadline:
        time.sleep(0.5)


def _wait_for_the_row(charlie: Person) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        charlie.open("/statistics/servers/")
        if charlie.page.locator("main table").count():
            return
        time.sleep(2)
    raise SystemExit("the server did not appear in the list of its owner")
