"""A person of the demonstration with a browser, who takes pictures on the way."""

from __future__ import annotations

import io
import re
import time
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from django.conf import settings
from PIL import Image
from playwright.sync_api import Browser, Locator

from portal.accounts.demonstration import PERIOD, totp_code

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "tutorials" / "pictures"
WIDTH, HEIGHT = 1100, 760
MOST_HEIGHT = 1500
COLOURS = 64  # pages of text need no more, and a picture is a third of its size
PATIENCE_MS = 60_000
TRIES = 4  # a code of the second factor works once, whoever used it


class Person:
    """One window. Leave the name out for a visitor who has not signed in."""

    def __init__(self, browser: Browser, name: str = "") -> None:
        self.email = f"{name.split()[0].lower()}@example.org" if name else ""
        self.context = browser.new_context(
            viewport={"width": WIDTH, "height": HEIGHT},
            color_scheme="light",
            reduced_motion="reduce",
            locale="en-GB",
        )
        self.context.set_default_timeout(PATIENCE_MS)
        self.page = self.context.new_page()

    def __enter__(self) -> Self:
        if self.email:
            self._sign_in()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if error is not None:
            print(f"{self.page.url}: {self.page.locator('main').inner_text()[:1500]}")
        self.context.close()

    def open(self, path: str) -> None:
        self.page.goto(path if "://" in path else f"{settings.BASE_URL}{path}")

    @property
    def path(self) -> str:
        return urlsplit(self.page.url).path

    def press(self, name: str) -> None:
        """A button of the page itself, by how its text begins."""
        button = re.compile(f"^{re.escape(name)}")
        self.page.locator("main").get_by_role("button", name=button).locator(
            "visible=true"
        ).first.click()

    def follow(self, name: str) -> None:
        link = re.compile(f"^{re.escape(name)}")
        self.page.locator("main").get_by_role("link", name=link).first.click()

    def fill(self, label: str, text: str) -> None:
        self.page.get_by_label(label).first.fill(text)

    def sees(self, text: str, patience: float = PATIENCE_MS / 1000) -> None:
        """Wait until the page says so."""
        self.page.get_by_text(text).first.wait_for(timeout=patience * 1000)

    def picture(self, name: str, start: Locator | None = None, *, height: int = HEIGHT) -> None:
        """The window from the top of the page, or from a little above one part of it."""
        whole = self.page.evaluate("document.documentElement.scrollHeight")
        # In a window as high as the page nothing sticks to its edge, over what is shown.
        self.page.set_viewport_size({"width": WIDTH, "height": max(HEIGHT, whole)})
        self.page.evaluate("window.scrollTo(0, 0)")
        box = start.bounding_box() if start is not None else None
        top = max(0.0, box["y"] - 24) if box else 0.0
        clip = {"x": 0.0, "y": top, "width": WIDTH, "height": min(height, MOST_HEIGHT, whole - top)}
        raw = self.page.screenshot(clip=clip)  # type: ignore[arg-type]
        self.page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
        path = PICTURES / f"{name}.png"
        few = Image.open(io.BytesIO(raw)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        few.save(path, optimize=True)
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")

    def _sign_in(self) -> None:
        self.open("/accounts/login/")
        self.page.get_by_label("E-mail").first.fill(self.email)
        self.page.get_by_label("Password").first.fill(settings.DEMONSTRATION_PASSWORD)
        self.press("Sign in")
        for _ in range(TRIES):
            if "2fa" not in self.path:
                return
            self.page.get_by_label("Code").first.fill(totp_code(self.email))
            self.press("Sign in")
            if "2fa" in self.path:
                time.sleep(PERIOD - time.time() % PERIOD + 1)
        raise SystemExit(f"{self.email} could not sign in")
