"""docs/tutorials/release_manager.md: token, draft, upload, publication, configuration."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from django.conf import settings
from playwright.sync_api import Browser

from releases.packaging.contents import PackagedFile
from releases.packaging.deb import build_deb
from scripts.screenshots.person import Person

VERSION = "12.3.1"
PAGE = f"/releases/manage/exampledb/{VERSION}/"
VERSION_FILE = PackagedFile("/usr/share/exampledb-server/VERSION", f"{VERSION}\n".encode())
CLIENT = Path(__file__).resolve().parents[2] / "releases" / "client" / "portal_upload.py"


def walk(browser: Browser) -> None:
    with Person(browser, "Dana") as dana:
        token = _token(dana)
        _draft(dana)
        _upload(token)
        dana.open(PAGE)
        dana.sees("Accepted")
        dana.picture("release-draft", height=1100)
        _publish(dana)
    with Person(browser) as visitor:
        visitor.open(
            "/repositories/?product=exampledb&series=12.3&distribution=debian-12&arch=amd64"
        )
        visitor.sees("Installs")
        result = visitor.page.get_by_role("heading", name="ExampleDB 12.3 on Debian 12").last
        visitor.picture("release-configuration", result, height=900)


def _token(dana: Person) -> str:
    dana.open("/accounts/tokens/new/")
    dana.fill("Name", "build machine")
    dana.page.get_by_label("upload builds").check()
    dana.picture("release-token", height=900)
    dana.press("Make it")
    dana.sees("Copy it now")
    return dana.page.locator("#token").inner_text()


def _draft(dana: Person) -> None:
    dana.open("/releases/manage/new/")
    dana.page.get_by_label("Series").select_option(label="ExampleDB 12.3")
    dana.fill("Version", VERSION)
    dana.page.get_by_label("Maturity").select_option("alpha")
    dana.fill("Summary", "My first release.")
    dana.press("Make the draft")
    dana.page.wait_for_url(f"**{PAGE}")


def _upload(token: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / f"exampledb-server_{VERSION}_amd64.deb"
        package.write_bytes(
            build_deb(
                name="exampledb-server",
                version=VERSION,
                architecture="amd64",
                summary="Example database",
                files=[VERSION_FILE],
                stamp=int(time.time()),
                maintainer="Dana Petrova <dana@example.org>",
            )
        )
        words = ["--url", settings.BASE_URL, "--product", "exampledb", "--version", VERSION]
        subprocess.run(
            [sys.executable, str(CLIENT), *words, "--distribution", "debian-12", str(package)],
            env=os.environ | {"PORTAL_TOKEN": token},
            check=True,
        )


def _publish(dana: Person) -> None:
    dana.open(PAGE)
    dana.page.locator("#confirm").fill(VERSION)
    publish = dana.page.get_by_role("heading", name="Publish").first
    dana.picture("release-publish", publish, height=420)
    dana.press("Publish ")
    dana.sees("is published")
    dana.page.get_by_text("current").first.wait_for(timeout=180_000)
    dana.open(PAGE)
    dana.picture("release-published", height=1000)
