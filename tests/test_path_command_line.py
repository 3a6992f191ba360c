"""The command line at work on the running portal; the examples of docs/api.md are run too."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.publisher import DANA, Publisher, wait_for
from tests.stack import Stack

ROOT = Path(__file__).resolve().parent.parent
SIZE = 160 * 2**20
TOKEN = """
import datetime as dt
from django.utils import timezone
from portal.accounts.actions.token import issue_token
from portal.accounts.models import User
from portal.accounts.tokens import TokenScope
user = User.objects.get(email="{email}")
print(issue_token(actor=user, name="shell", scopes=[TokenScope("{scope}")],
                  expires_at=timezone.now() + dt.timedelta(days=1))[1])
"""
pytestmark = pytest.mark.proof


def start(stack: Stack, token: str, *words: str | Path) -> subprocess.Popen[str]:
    environ = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT / "client"),
        "PORTAL_URL": stack.url,
        "PORTAL_TOKEN": token,
        "HOME": str(stack.folder),
    }
    command = [sys.executable, "-m", "portal_client", *map(str, words)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environ, stdout=pipe, stderr=pipe, text=True)


def run(stack: Stack, token: str, *words: str | Path, status: int = 0) -> str:
    program = start(stack, token, *words)
    out, err = program.communicate(timeout=120)
    assert program.returncode == status, out + err
    return out if status == 0 else err


def token_of(stack: Stack, scope: str, email: str = DANA) -> str:
    command = TOKEN.format(email=email, scope=scope)
    return stack.manage("shell", "--verbosity=0", "--command", command).strip().splitlines()[-1]


def test_a_killed_upload_goes_on_where_it_stood(stack: Stack, tmp_path: Path) -> None:
    publisher = Publisher(stack, "shelldb")
    publisher.draft("12.3.0")
    source = tmp_path / "shelldb-12.3.0.tar.gz"
    with source.open("wb") as file:
        file.write(b"begin")
        file.truncate(SIZE)
    upload = ("releases", "upload", "--product", "shelldb", "--version", "12.3.0", source)

    def offset() -> int:
        query = "SELECT coalesce(max(u.offset), 0) FROM releases_upload u WHERE u.name = %s"
        ((found,),) = stack.sql(query, (source.name,))
        return int(found)

    first = start(stack, publisher.token, *upload)
    wait_for(lambda: offset() > 0)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    kept = offset()
    assert 0 < kept < SIZE
    second = start(stack, publisher.token, *upload, "--json")
    out, err = second.communicate(timeout=300)
    assert second.returncode == 0, err
    begun = re.search(r"open at (\d+)", err)
    assert begun is not None, err
    assert int(begun[1]) >= kept
    [told] = json.loads(out)["files"]
    assert (told["state"], told["size"], told["offset"]) == ("accepted", SIZE, SIZE)
    refused = run(stack, publisher.token, *upload[:-2], "9.9.9", source, status=1)
    assert "no draft of this version" in refused


def test_open_votes_and_benchmarks(stack: Stack, tmp_path: Path) -> None:
    votes = json.loads(run(stack, token_of(stack, "votes:read"), "votes", "--json"))["votes"]
    listed = run(stack, token_of(stack, "votes:read"), "votes")
    assert all(vote["address"] in listed for vote in votes)
    assert "for something else" in run(
        stack, token_of(stack, "benchmarks:upload"), "votes", status=5
    )
    file = tmp_path / "run.json"
    results = [{"command": name, "mean": 1.0, "times": [1.0, 1.1, 0.9]} for name in "ab"]
    file.write_text(json.dumps({"results": results}))
    raw = token_of(stack, "benchmarks:upload")
    [sent] = json.loads(run(stack, raw, "bench", "upload", "--json", file))["files"]
    assert (sent["status"], sent["state"]) == (201, "published")
    assert "was there already" in run(stack, raw, "bench", "upload", file)
    file.write_text("{}")
    assert "run.json" in run(stack, raw, "bench", "upload", file, status=1)


def test_the_examples_of_the_document_do_what_it_says(stack: Stack) -> None:
    text = (ROOT / "docs" / "api.md").read_text()
    examples = re.findall(r"```\n(curl .*?|etag=.*?)```", text, re.DOTALL)
    assert len(examples) >= 3
    for example in examples:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", example],
            env={"PATH": os.environ["PATH"], "PORTAL": stack.url},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0 or "exampledb" in example, (example, done.stderr)
        if example.startswith("etag="):
            assert done.stdout == "304\n"
        if "votes" in example:
            assert "Authorization: Bearer" in done.stdout
