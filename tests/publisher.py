"""dana at work in the running portal: she drafts, uploads and publishes as a person does."""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from html import unescape
from pathlib import Path

import requests

from tests.stack import Stack

CLIENT = Path(__file__).resolve().parent.parent / "releases/client/portal_upload.py"
DANA = "dana@example.org"
SETUP = """
from portal.accounts.models import User
from portal.accounts.actions.role import grant_role
from portal.accounts.roles import Role, Scope
from releases.actions.product import add_product, add_series
dana = User.objects.get(email="dana@example.org")
product = add_product(actor=None, slug="{slug}", name="{slug}", description="A database.",
                      license="GPL-2.0-only", package="{slug}-server")
add_series(actor=None, product=product, name="12.3", support="long")
grant_role(actor=None, user=dana, role=Role.RELEASE_MANAGER, scope_kind=Scope.PRODUCT,
           scope_slug="{slug}")
"""


class Publisher:
    """dana at work on one product of the stack."""

    def __init__(self, stack: Stack, slug: str) -> None:
        self.stack, self.slug = stack, slug
        stack.manage("shell", "--verbosity=0", "--command", SETUP.format(slug=slug))
        self.session = stack.sign_in(DANA)
        self.token = self._token_from_the_page()

    def _token_from_the_page(self) -> str:
        wanted = {"name": "ci", "scopes": "releases:upload", "product": self.slug, "days": "7"}
        page = self.stack.post(self.session, "/accounts/tokens/new/", wanted).text
        shown_once = re.search(r"fp_[\w-]{40,}", page)
        assert shown_once is not None, page
        return shown_once[0]

    def draft(self, version: str, maturity: str = "alpha") -> None:
        page = self.session.get(f"{self.stack.url}/releases/manage/new/", timeout=30).text
        series = re.search(rf'<option value="(\d+)">{self.slug} 12\.3', page)
        assert series is not None
        data = {"series": series[1], "version": version, "maturity": maturity, "summary": "First."}
        answer = self.stack.post(self.session, "/releases/manage/new/", data)
        assert answer.url.endswith(f"/releases/manage/{self.slug}/{version}/"), answer.text[-3000:]

    def client(self, version: str, *words: str | Path) -> list[str]:
        """The command line of the upload client."""
        target = ["--url", self.stack.url, "--product", self.slug, "--version", version]
        return [sys.executable, str(CLIENT), *target, *map(str, words)]

    @property
    def environ(self) -> dict[str, str]:
        return {"PATH": os.environ["PATH"], "PORTAL_TOKEN": self.token}

    def upload(self, version: str, *words: str | Path) -> str:
        done = subprocess.run(
            self.client(version, *words),
            env=self.environ,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stderr

    def publish(self, version: str) -> None:
        path = f"/releases/manage/{self.slug}/{version}/"
        page = self.session.get(f"{self.stack.url}{path}", timeout=30)
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
        assert token is not None, page.text
        shown = re.search(r'name="shown" value="([^"]+)"', page.text)
        assert shown is not None, page.text
        answer = self.session.post(
            f"{self.stack.url}{path}publish/",
            data={
                "confirm": version,
                "shown": html.unescape(shown[1]),
                "csrfmiddlewaretoken": token[1],
            },
            headers={"Referer": page.url},
            timeout=30,
        )
        assert "is published" in answer.text

    def states(self) -> set[str]:
        rows = self.stack.sql(
            "SELECT p.state FROM releases_publication p JOIN releases_repository r"
            " ON r.id = p.repository_id JOIN releases_series s ON s.id = r.series_id"
            " JOIN releases_product d ON d.id = s.product_id WHERE d.slug = %s",
            (self.slug,),
        )
        return {state for (state,) in rows}

    def generator(self, **choices: str) -> requests.Response:
        query = {"product": self.slug, "series": "12.3", **choices}
        return requests.get(f"{self.stack.url}/repositories/", params=query, timeout=30)


def wait_for(what: Callable[[], bool], patience: float = 60) -> None:
    deadline = time.monotonic() + patience
    while not what():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.1)


def shown(page: str, path: str) -> str:
    """The file that the page of the generator shows under that path."""
    found = re.search(rf'<pre[^>]*aria-label="{re.escape(path)}"[^>]*>(.*?)</pre>', page, re.S)
    assert found is not None, page
    return unescape(re.sub(r"<[^>]+>", "", found[1])) + "\n"
