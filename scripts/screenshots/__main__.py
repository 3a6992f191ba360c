"""Walk the tutorials that are named, or all of them."""

from __future__ import annotations

import importlib
import os
import shutil
import sys

import django
from playwright.sync_api import sync_playwright

from portal import local

WALKS = ("home", "company", "council", "release_manager", "server", "developer")
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]


def main(names: list[str]) -> int:
    """A walk reads the settings of the running portal, so it is imported when they are known."""
    with local.installation():
        os.environ["DJANGO_SETTINGS_MODULE"] = "portal.settings"
        django.setup()
        with sync_playwright() as playwright:
            chromium = shutil.which("chromium") or shutil.which("google-chrome")
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            for name in names or WALKS:
                print(f"-- {name}")
                importlib.import_module(f"scripts.screenshots.{name}").walk(browser)
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
