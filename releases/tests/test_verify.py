"""The commands that a release's page shows: run in a shell, with the real programs."""

from __future__ import annotations

import html
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from releases.models import Release
from releases.verify import commands

NEEDED = ("curl", "gpg", "sha256sum")
PAGE = "/releases/exampledb/12.3.0/"


def run(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    home = folder / "gnupg"
    home.mkdir(mode=0o700, exist_ok=True)
    environ = {"PATH": "/usr/bin:/bin", "GNUPGHOME": str(home), "LC_ALL": "C"}
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(
    any(shutil.which(name) is None for name in NEEDED), reason="needs curl, gpg and sha256sum"
)
@pytest.mark.django_db(transaction=True)
def test_the_commands_of_the_page_prove_the_file(
    live_server: LiveServer, release: Release, settings: Settings, tmp_path: Path
) -> None:
    settings.BASE_URL = live_server.url
    fetched = run(f"curl -fsS {live_server.url}{PAGE}", tmp_path).stdout
    found = re.search(r'<pre[^>]*id="verify-commands"[^>]*>(.*?)</pre>', fetched, re.S)
    assert found is not None, fetched
    script = html.unescape(re.sub(r"<[^>]+>", "", found[1]))
    done = run(script, tmp_path)
    assert done.returncode == 0, done.stderr
    assert ": OK" in done.stdout
    assert "Good signature" in done.stderr
    name = "exampledb-12.3.0.tar.gz"
    (tmp_path / name).write_bytes(b"something else")
    forged = run(script.splitlines()[-1], tmp_path)
    assert forged.returncode != 0
    assert "BAD signature" in forged.stderr
    run(f"gpgconf --homedir {tmp_path}/gnupg --kill all", tmp_path)


def test_a_name_is_quoted_for_the_shell() -> None:
    text = commands(release="https://a.example/r/", file="a b;c.zip", keys=["https://a.example/k"])
    assert "'https://a.example/r/a b;c.zip'" in text
    assert text.endswith("gpg --verify 'a b;c.zip.asc' 'a b;c.zip'")
