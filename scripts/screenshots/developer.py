"""docs/tutorials/developer.md: hyperfine, the client, the link, the comparison."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from django.conf import settings
from playwright.sync_api import Browser

from scripts.screenshots.person import Person

CLIENT = Path(__file__).resolve().parents[2] / "benchmarks" / "client" / "portal_benchmark.py"
COMMANDS = ("gzip -1kc words.txt", "gzip -9kc words.txt")


def walk(browser: Browser) -> None:
    with Person(browser, "Charlie") as charlie:
        charlie.open("/accounts/tokens/new/")
        charlie.fill("Name", "laptop")
        charlie.page.get_by_label("upload benchmarks").check()
        charlie.press("Make it")
        charlie.sees("Copy it now")
        said = _uploaded(charlie.page.locator("#token").inner_text())
    links = dict(re.findall(r"(run|compare) +(http\S+)", said))
    with Person(browser) as visitor:
        visitor.open(links["run"])
        visitor.picture("developer-run", height=1100)
        visitor.open(links["compare"])
        visitor.sees("times as fast as", patience=120)
        visitor.picture("developer-comparison", height=1300)


def _uploaded(token: str) -> str:
    """What the client prints."""
    with tempfile.TemporaryDirectory() as folder:
        words = Path(folder) / "words.txt"
        words.write_text("".join(f"{number} bottles of beer\n" for number in range(1, 300_001)))
        measure = ["hyperfine", "--shell=none", "--runs=15", "--style=none"]
        subprocess.run([*measure, "--export-json=run.json", *COMMANDS], cwd=folder, check=True)
        done = subprocess.run(
            [sys.executable, str(CLIENT), "--url", settings.BASE_URL, "upload", "run.json"],
            cwd=folder,
            env=os.environ | {"PORTAL_TOKEN": token},
            check=True,
            capture_output=True,
            text=True,
        )
    print(done.stdout)
    return done.stdout
