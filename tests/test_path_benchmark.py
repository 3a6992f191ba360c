"""Path 5: a benchmark is uploaded. Real hyperfine, real client, real processes, Chromium."""

import json
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import browser  # noqa: F401
from tests.browser.visitor import Visitor
from tests.programs import need
from tests.stack import Stack

pytestmark = pytest.mark.proof
CLIENT = Path(__file__).resolve().parent.parent / "benchmarks/client/portal_benchmark.py"
FAST, SLOW = "sleep 0.01", "sleep 0.1"


def measured(folder: Path) -> Path:
    """What hyperfine says of two commands, one of which really is slower."""
    [hyperfine] = need("hyperfine")
    file = folder / "run.json"
    words = ["--shell=none", "--warmup=1", "--runs=12", "--style=none", f"--export-json={file}"]
    subprocess.run([hyperfine, *words, FAST, SLOW], check=True, capture_output=True)
    return file


def ratio_of_medians(file: Path) -> float:
    """How many times as long as the fast command the slow one took; starting them included."""
    medians = {one["command"]: one["median"] for one in json.loads(file.read_text())["results"]}
    return float(medians[SLOW] / medians[FAST])


def made_token(stack: Stack) -> str:
    """A token from the page on which a developer makes one."""
    code = """
from datetime import timedelta
from django.utils import timezone
from portal.accounts.actions.token import issue_token
from portal.accounts.demonstration import CHARLIE, address
from portal.accounts.models import User
from portal.accounts.tokens import TokenScope
user = User.objects.get(email=address(CHARLIE))
print(issue_token(actor=user, name="path", scopes=[TokenScope.UPLOAD_BENCHMARKS],
                  expires_at=timezone.now() + timedelta(days=1))[1])
"""
    return stack.manage("shell", "--verbosity=0", "--command", code).strip()


def sent(stack: Stack, token: str, file: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(CLIENT), "--url", stack.url, "upload", str(file)],
        env={"PATH": "/usr/bin:/bin", "PORTAL_TOKEN": token},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def uploaded(stack: Stack, tmp_path: Path) -> tuple[str, str, Path]:
    """Run and comparison of an upload that the worker was dead for, and its file."""
    file, token = measured(tmp_path), made_token(stack)
    stack.kill("worker")
    first = sent(stack, token, file)
    assert first.returncode == 0, first.stderr
    stack.kill("web")
    stack.start("web")
    again = sent(stack, token, file)  # the client waits for the server to come back
    assert "was there already" in again.stdout, again.stderr
    run = re.search(r"run +(\S+)", first.stdout)
    compare = re.search(r"compare +(\S+)", first.stdout)
    assert run is not None
    assert compare is not None
    return run[1], compare[1], file


def test_two_commands_are_compared_with_an_interval_in_plot_and_table(
    stack: Stack,
    browser: Browser,  # noqa: F811
    uploaded: tuple[str, str, Path],
) -> None:
    run, compare, file = uploaded
    visitor = Visitor(browser, stack.url, width=1280, theme="light")
    page = visitor.page
    page.goto(compare)
    expect(page.get_by_text("being computed", exact=True)).to_be_visible()
    stack.start("worker")
    expect(page.get_by_role("heading", level=1)).to_contain_text(
        f"{FAST} is", timeout=60_000
    )  # the page looks again by itself
    expect(page.get_by_role("heading", level=1)).to_contain_text("times as fast as")
    expect(page.locator("figure.chart svg.plot:not(.plot-small)")).to_be_visible()
    findings = page.get_by_role("table", name="Ratios and findings")
    expect(findings.get_by_text("faster", exact=True)).to_be_visible()
    interval = findings.locator("td[data-label='95 % from – to']").inner_text()
    low, high = (float(part) for part in interval.split(" – "))
    assert 1 < low <= round(ratio_of_medians(file), 2) <= high
    visitor.assert_clean()

    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(compare)
    expect(findings.get_by_text("faster", exact=True)).to_be_visible()
    assert visitor.overflow() == []
    box = findings.get_by_text("faster", exact=True).bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= 360  # the verdict is not clipped on a phone

    page.goto(run)
    expect(page.get_by_text("12").first).to_be_visible()
    visitor.close()
    times = json.loads(file.read_text())["results"][0]["times"]
    kept = stack.sql(
        "SELECT s.packed FROM benchmarks_samples s JOIN benchmarks_result r ON r.id = s.result_id"
        " WHERE r.subject = %s",
        (FAST,),
    )
    assert kept == [(struct.pack(f">{len(times)}d", *times),)]  # once, and every digit
    assert stack.sql("SELECT count(*) FROM benchmarks_comparison WHERE computed_at IS NULL") == [
        (0,)
    ]
