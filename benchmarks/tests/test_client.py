"""The command line client against a live server, as a developer uses it."""

import datetime as dt
import json
import os
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from benchmarks.client import portal_benchmark
from benchmarks.models import Run, State
from benchmarks.tests.uploads import hyperfine
from portal.accounts.actions.token import issue_token
from portal.accounts.models import User
from portal.accounts.tokens import TokenScope

pytestmark = pytest.mark.django_db(transaction=True)
TIMES = [1.0, 1.1, 0.9, 1.0, 1.05]


@pytest.fixture
def token(charlie: User) -> str:
    cache.clear()
    expires = timezone.now() + dt.timedelta(days=1)
    scopes = [TokenScope.UPLOAD_BENCHMARKS]
    return issue_token(actor=charlie, name="t", scopes=scopes, expires_at=expires)[1]


def run(server: LiveServer, token: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(portal_benchmark.__file__), "--url", server.url, *words],
        env={"PATH": os.environ["PATH"], "PORTAL_TOKEN": token},
        capture_output=True,
        text=True,
        check=False,
    )


def written(folder: Path, content: Any) -> str:
    path = folder / "run.json"
    path.write_text(json.dumps(content))
    return str(path)


def test_a_file_is_uploaded_twice_and_kept_once(
    live_server: LiveServer, token: str, tmp_path: Path, charlie: User
) -> None:
    file = written(tmp_path, hyperfine(TIMES, TIMES))
    first = run(live_server, token, "upload", "--title", "Mine", file)
    assert first.returncode == 0, first.stderr
    assert "kept, 2 results" in first.stdout
    assert f"{live_server.url}/benchmarks/compare/?a=" in first.stdout
    again = run(live_server, token, "upload", file)
    assert "was there already" in again.stdout
    kept = Run.objects.get()
    assert (kept.uploader, kept.title) == (charlie, "Mine")
    assert kept.environment["cpu"]["arch"]
    assert kept.environment["os"]["kernel"] == os.uname().release


def test_nothing_of_the_machine_is_told_when_asked(
    live_server: LiveServer, token: str, tmp_path: Path
) -> None:
    uid = str(uuid.uuid4())
    words = ("upload", "--no-environment", "--json", "--run-id", uid, "--suite", "connectors")
    done = run(live_server, token, *words, written(tmp_path, hyperfine(TIMES)))
    assert json.loads(done.stdout)["id"] == uid
    assert Run.objects.get().environment == {}


def test_without_a_token_the_client_says_that_the_run_waits(
    live_server: LiveServer, tmp_path: Path
) -> None:
    cache.clear()
    done = run(live_server, "", "upload", written(tmp_path, hyperfine(TIMES)))
    assert "waits for a look" in done.stdout
    assert Run.objects.get().state == State.QUARANTINE


def test_what_is_wrong_is_said_in_a_line(
    live_server: LiveServer, token: str, tmp_path: Path
) -> None:
    bad = run(live_server, token, "upload", written(tmp_path, hyperfine([1.0, -1.0])))
    assert bad.returncode == 1
    assert "/results/0/times/1: A measurement cannot be negative." in bad.stderr
    wrong = run(live_server, "fp_no", "upload", written(tmp_path, hyperfine(TIMES)))
    assert "The token is not good" in wrong.stderr
    missing = run(live_server, token, "upload", str(tmp_path / "nowhere.json"))
    assert "No such file" in missing.stderr
    assert not Run.objects.exists()


def test_the_machine_is_told_without_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert portal_benchmark.main(["environment"]) == 0
    told = capsys.readouterr().out
    assert os.uname().nodename not in json.loads(told).values()
    assert set(json.loads(told)) <= {"cpu", "memory_bytes", "os"}


def test_a_server_that_comes_back_is_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("time.sleep", lambda _seconds: None)
    words = ["--url", "http://127.0.0.1:9", "upload", written(tmp_path, hyperfine(TIMES))]
    assert portal_benchmark.main(words) == 1
    assert "does not answer" in capsys.readouterr().err
