"""The command line client against a live server, as a developer uses it."""

import argparse
import datetime as dt
import gzip
import hashlib
import io
import json
import os
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.core.cache import cache
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from benchmarks.client import portal_benchmark
from benchmarks.models import Run, State
from benchmarks.tests.test_trust import KEY
from benchmarks.tests.test_trust import RAW as KEY_RAW
from benchmarks.tests.uploads import hyperfine
from benchmarks.trust import identity, signatures
from portal.accounts.actions.token import issue_token
from portal.accounts.models import User
from portal.accounts.tokens import TokenScope

pytestmark = pytest.mark.django_db(transaction=True)
RAW = json.dumps(hyperfine([1.0, 1.1, 0.9, 1.0, 1.05])).encode()
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


def key_in(folder: Path) -> Path:
    path = folder / "bench.pem"
    path.write_bytes(
        KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())  # openssl reads it
    )
    return path


def test_a_file_is_signed_as_the_portal_verifies_it(tmp_path: Path) -> None:
    for raw in (RAW, gzip.compress(RAW)):
        found = portal_benchmark.signed(raw, str(key_in(tmp_path)))
        signature = signatures.beside(found["signature"], key=found["key_id"], file=RAW)
        assert signatures.is_good(signature, KEY_RAW)
        assert signature.key_id == signatures.key_id(KEY_RAW)
    with pytest.raises(SystemExit, match="cannot sign"):
        portal_benchmark.signed(RAW, str(tmp_path / "none.pem"))


def test_without_openssl_the_client_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SystemExit, match="needs the program openssl"):
        portal_benchmark.signed(RAW, "bench.pem")


def test_the_identity_of_a_job_is_made_for_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Request] = []

    def answer(request: Request, timeout: int) -> io.BytesIO:
        asked.append(request)
        return io.BytesIO(b'{"value": "a.b.c"}')

    monkeypatch.setattr("urllib.request.urlopen", answer)
    for name in ("PORTAL_IDENTITY", "ACTIONS_ID_TOKEN_REQUEST_URL"):
        monkeypatch.delenv(name, raising=False)
    assert portal_benchmark.identity("https://portal.example/", RAW) == ""
    words = ["--url", "https://portal.example", "upload", "--ci", "x.json"]
    with pytest.raises(SystemExit, match="may ask for an identity"):
        portal_benchmark.fields_of(parsed(words), RAW)
    monkeypatch.setenv("ACTIONS_ID_TOKEN_REQUEST_URL", "https://ci.example/token?x=1")
    monkeypatch.setenv("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "t")
    assert portal_benchmark.fields_of(parsed(words), RAW)["identity"] == "a.b.c"
    wanted = identity.audience("https://portal.example", hashlib.sha256(RAW).hexdigest())
    assert parse_qs(urlsplit(asked[0].full_url).query)["audience"] == [wanted]
    assert asked[0].get_header("Authorization") == "bearer t"
    monkeypatch.setenv("PORTAL_IDENTITY", "g.i.t")
    assert portal_benchmark.identity("https://portal.example/", RAW) == "g.i.t"


def parsed(words: list[str]) -> argparse.Namespace:
    return portal_benchmark.arguments_of(words)


def test_without_a_token_the_links_are_told_once(live_server: LiveServer, tmp_path: Path) -> None:
    cache.clear()
    file = tmp_path / "run.json"
    file.write_bytes(RAW)
    key = str(key_in(tmp_path))
    words = ["upload", "--map", "connector case", "--sign", key, "--contact", "a@b.example"]
    done = run(live_server, "", *words, str(file))
    assert done.returncode == 0, done.stderr
    assert "/claim/?token=" in done.stdout
    assert "/delete/?key=" in done.stdout
    kept = Run.objects.get()
    assert (kept.state, kept.contact) == (State.QUARANTINE, "a@b.example")
    assert kept.results.get().case_slug == "0"
    assert "/claim/" not in run(live_server, "", *words, str(file)).stdout
    wrong = run(live_server, "", "upload", "--map", "driver", str(file))
    assert "is not a role of a part" in wrong.stderr


def test_a_dry_run_shows_what_was_understood(
    live_server: LiveServer, token: str, tmp_path: Path
) -> None:
    file = written(tmp_path, hyperfine(TIMES, TIMES))
    done = run(live_server, token, "upload", "--dry-run", "--title", "Night", file)
    assert done.returncode == 0, done.stderr
    assert "hyperfine, 2 results; nothing was kept" in done.stdout
    assert "title    Night" in done.stdout
    assert "5 processes, 5 samples, s" in done.stdout
    assert "rung 2 of 5" in done.stdout
    bad = run(live_server, token, "upload", "--dry-run", written(tmp_path, hyperfine([-1.0])))
    assert (bad.returncode, "/results/0/times/0" in bad.stderr) == (1, True)
    assert not Run.objects.exists()
