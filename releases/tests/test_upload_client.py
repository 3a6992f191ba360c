"""The command line client against a server that answers from a list."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from releases.client import portal_upload


class Answers(BaseHTTPRequestHandler):
    """Answers from a list, and notes what was asked."""

    script: list[tuple[int, dict[str, str], object]] = []
    asked: list[str] = []

    def answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.asked.append(f"{self.command} {self.path} {self.headers.get('Upload-Offset', '')}")
        status, headers, body = self.script.pop(0)
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data) if status != 204 else 0))
        self.end_headers()
        if status != 204:
            self.wfile.write(data)

    do_GET = do_POST = do_PATCH = answer  # noqa: N815

    def log_message(self, *args: object) -> None:
        return


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("PORTAL_TOKEN", "fp_x")
    monkeypatch.setattr(portal_upload, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(portal_upload, "TRIES", 3)
    Answers.asked = []
    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def run(address: str, *words: str | Path) -> int:
    target = ["--url", address, "--product", "p", "--version", "1.0"]
    return portal_upload.main([*target, *map(str, words)])


@pytest.fixture
def package(tmp_path: Path) -> Path:
    path = tmp_path / "a.zip"
    path.write_bytes(b"abcdef")
    return path


def prospect(problem: str = "") -> tuple[int, dict[str, str], object]:
    told = {"distributions": [], "os": "", "cpu": "", "state": "new", "offset": 0}
    return 200, {}, told | {"problem": problem}


def state(name: str, offset: int = 0, reason: str = "") -> dict[str, object]:
    return {"id": "u", "state": name, "offset": offset, "reason": reason}


def test_the_client_tries_again_and_goes_on_from_the_offset(address: str, package: Path) -> None:
    Answers.script = [
        prospect(),
        (503, {}, {}),
        (200, {}, state("open", 2)),
        (409, {"Upload-Offset": "4"}, {"detail": "elsewhere"}),
        (204, {"Upload-Offset": "6"}, None),
        (202, {}, state("received")),
        (200, {}, state("accepted")),
    ]
    assert run(address, package) == 0
    assert Answers.asked[3:5] == ["PATCH /api/v1/uploads/u 2", "PATCH /api/v1/uploads/u 4"]


def test_the_client_waits_as_long_as_it_is_asked_to(
    address: str, package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Answers.script = [
        prospect(),
        (429, {"Retry-After": "1"}, {}),
        (200, {}, state("received", 6)),
        (200, {}, state("accepted", 6)),
    ]
    assert run(address, package) == 0
    assert "the portal answered 429; trying again in 1 s" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("script", "status", "told"),
    [
        ([(404, {}, {"detail": "no draft"})], 1, "no draft"),
        ([(200, {}, state("refused", 6, "bad"))], 1, "bad"),
        ([(302, {"Location": "http://127.0.0.1:1/"}, None)], 1, "redirects"),
        ([(200, {}, state("open")), (409, {"Upload-Offset": "0"}, {"detail": "no"})], 1, "no"),
        ([(200, {}, state("open")), (500, {}, 0), (500, {}, 0), (500, {}, 0)], 3, "answer"),
        ([(200, {}, state("open")), (413, {}, "text")], 1, "413"),
        ([(429, {"Retry-After": "3600"}, {"detail": "in an hour"})], 1, "in an hour"),
    ],
)
def test_the_client_says_why_it_failed(
    address: str,
    package: Path,
    script: list[Any],
    status: int,
    told: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    Answers.script = [prospect(), *script]
    assert run(address, package) == status
    assert told in capsys.readouterr().err


def test_files_are_checked_while_others_are_sent(
    address: str, package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (package.parent / "b.zip").write_bytes(b"xyz")
    Answers.script = [
        prospect(),
        (200, {}, state("received", 6)),
        prospect(),
        (200, {}, state("received", 3)),
        (200, {}, state("refused", 6, "bad")),
        (200, {}, state("accepted", 3)),
    ]
    assert run(address, package.parent / "*.zip") == portal_upload.REFUSED
    assert [asked.split()[0] for asked in Answers.asked] == ["POST"] * 4 + ["GET"] * 2
    told = capsys.readouterr().err
    assert "a.zip: refused: bad" in told
    assert "b.zip: accepted" in told


def test_every_file_is_tried_and_counted(
    address: str, package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (package.parent / "b.zip").write_bytes(b"xyz")
    Answers.script = [
        prospect("its name is taken"),
        prospect(),
        (200, {}, state("accepted", 3)),
    ]
    assert run(address, package.parent / "*.zip") == portal_upload.REFUSED
    told = capsys.readouterr().err
    assert "a.zip: refused: its name is taken" in told
    assert "b.zip: accepted" in told
    assert "1 of 2 files accepted." in told


def test_a_check_sends_nothing(
    address: str, package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Answers.script = [prospect()]
    assert run(address, "--check", package) == 0
    assert Answers.asked == ["POST /api/v1/uploads/check "]
    assert "1 of 1 files would be taken." in capsys.readouterr().err


def test_distributions_go_to_the_packages_of_their_format() -> None:
    asked = ["debian-12", "rhel-9", "ubuntu-2404"]
    assert portal_upload.fitting("a_1_amd64.deb", asked) == ["debian-12", "ubuntu-2404"]
    assert portal_upload.fitting("a-1-1.x86_64.rpm", asked) == ["rhel-9"]


def test_who_has_to_say_a_distribution_reads_how(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "server_1_amd64.deb"
    path.write_bytes(b"x")
    Answers.script = [prospect("Say for which distributions this package is.")]
    assert run(address, path) == portal_upload.REFUSED
    assert "this package is. Add: --distribution debian-12" in capsys.readouterr().err
    assert portal_upload.advice("a.rpm", ["rhel-9"]) == portal_upload.advice("a.zip", []) == ""


def test_what_cannot_be_read_here_has_an_exit_status_of_its_own(
    address: str, tmp_path: Path, package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(address, tmp_path / "*.deb") == portal_upload.UNREADABLE
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / package.name).write_bytes(b"x")
    assert run(address, package, tmp_path / "other" / "*") == portal_upload.UNREADABLE
    assert "two files are called a.zip" in capsys.readouterr().err
    assert Answers.asked == []
    with pytest.raises(SystemExit) as caught:
        portal_upload.main(["--nonsense"])
    assert caught.value.code == portal_upload.MISUSED


def test_a_file_that_became_shorter_is_told(
    address: str, package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Answers.script = [(200, {}, state("open", 5))]
    what = portal_upload.announcement(str(package), portal_upload.parse_arguments(words(package)))
    package.write_bytes(b"abc")
    with pytest.raises(portal_upload.RefusedError, match="shorter"):
        portal_upload.send(portal_upload.Portal(address, "t"), str(package), what)


def words(package: Path) -> list[str]:
    return ["--url", "u", "--product", "p", "--version", "1", str(package)]


def test_progress_is_a_bar_on_a_terminal_and_lines_elsewhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    progress = portal_upload.Progress("a.zip", 0, 100)
    progress.show(50)
    assert capsys.readouterr().err == ""
    progress.told -= portal_upload.TELL_EVERY
    progress.show(50)
    assert "a.zip   50 %" in capsys.readouterr().err
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    progress.show(100)
    assert "[####################]" in capsys.readouterr().err


def test_the_token_comes_from_the_environment_or_a_file(
    package: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("PORTAL_TOKEN", raising=False)
    assert run("http://127.0.0.1:1", package) == portal_upload.MISUSED
    assert "PORTAL_TOKEN" in capsys.readouterr().err
    path = package.parent / "token"
    path.write_text("fp_y\n")
    options = portal_upload.parse_arguments([*words(package), "--token-file", str(path)])
    assert portal_upload.read_token(options) == "fp_y"
