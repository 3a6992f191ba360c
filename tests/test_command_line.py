"""The command line `portal`, without a portal: settings, this machine, completion, errors."""

from __future__ import annotations

import argparse
import io
import json
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from email.message import Message
from pathlib import Path

import pytest

from portal_client import asking, completion, machine, repository, settings
from portal_client.errors import MISUSED, REFUSED, UNKNOWN_TOKEN, UNREACHABLE, PortalError
from portal_client.main import main, parser
from portal_client.settings import Settings

CLIENT = Path(__file__).resolve().parent.parent / "client"
OFFERED = ["debian-12", "debian-13", "ubuntu-2404", "rhel-9", "sles-15", "fedora-42"]
AT = Settings("https://portal.example.org", "fp_x")


@pytest.fixture(autouse=True)
def _empty_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("PORTAL_URL", "PORTAL_TOKEN", "PORTAL_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def options(url: str = "", token_file: str = "") -> argparse.Namespace:
    return argparse.Namespace(url=url, token_file=token_file)


def keep(text: str, mode: int = 0o600) -> Path:
    path = settings.config_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def test_options_come_before_the_environment_and_that_before_the_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keep("[portal]\nurl = https://file.example/\ntoken = fp_file\n")
    assert settings.find(options()) == ("https://file.example", "fp_file")
    monkeypatch.setenv("PORTAL_URL", "https://environment.example")
    monkeypatch.setenv("PORTAL_TOKEN", " fp_environment ")
    assert settings.find(options()) == ("https://environment.example", "fp_environment")
    assert settings.find(options("https://option.example")).url == "https://option.example"


def test_a_file_with_a_token_that_others_may_read_is_refused() -> None:
    path = keep("[portal]\nurl = https://file.example\ntoken = fp_file\n", 0o640)
    with pytest.raises(PortalError, match=f"chmod 600 {path}") as refused:
        settings.find(options())
    assert refused.value.status == MISUSED
    keep("[portal]\nurl = https://file.example\n", 0o644)
    assert settings.find(options()).token == ""


def test_a_file_of_a_token_is_looked_at_in_the_same_way(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text("fp_kept\n")
    path.chmod(0o644)
    with pytest.raises(PortalError, match="chmod 600"):
        settings.find(options("https://a.example", str(path)))
    path.chmod(0o600)
    assert settings.find(options("https://a.example", str(path))).token == "fp_kept"


def test_what_is_missing_is_said_with_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["votes"]) == MISUSED
    assert "PORTAL_URL" in capsys.readouterr().err
    assert main(["votes", "--url", "https://a.example"]) == MISUSED
    assert "https://a.example/accounts/tokens/" in capsys.readouterr().err


def test_a_portal_that_is_away_is_an_exit_status_of_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["repo", "config", "--url", "http://localhost:1"]) == UNREACHABLE
    assert "does not answer" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("told", "slug"),
    [
        ('ID=debian\nVERSION_ID="12"\n', "debian-12"),
        ('ID=ubuntu\nVERSION_ID="24.04"\nID_LIKE=debian\n', "ubuntu-2404"),
        ('ID="rocky"\nVERSION_ID="9.4"\nID_LIKE="rhel centos fedora"\n', "rhel-9"),
        ('ID="ol"\nVERSION_ID="9.5"\nID_LIKE="fedora"\n', "rhel-9"),
        ('ID="sles"\nVERSION_ID="15.6"\nID_LIKE="suse"\n', "sles-15"),
        ("ID=fedora\nVERSION_ID=42\n", "fedora-42"),
        ("ID=arch\n", None),
        ("# nothing\nbroken 'line\n", None),
    ],
)
def test_this_machine_is_found_among_what_is_offered(
    told: str, slug: str | None, tmp_path: Path
) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / machine.OS_RELEASE).write_text(told)
    assert machine.distribution(machine.os_release(tmp_path), OFFERED) == slug


def test_a_machine_without_os_release_is_none() -> None:
    assert machine.os_release(Path("/nowhere")) == {}


def test_a_configuration_is_written_nowhere_else(tmp_path: Path) -> None:
    for path in ("/etc/../root/.profile", "etc/x", "", "/etc/a b", "/etc/x;y"):
        pieces = [{"kind": "file", "path": path, "text": "x"}]
        with pytest.raises(PortalError):
            repository.write(AT, {}, pieces, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_ours_is_said_to_need_root(tmp_path: Path) -> None:
    (tmp_path / "etc").write_text("a file")
    pieces = [{"kind": "file", "path": "/etc/yum.repos.d/x.repo", "text": "x"}]
    with pytest.raises(PortalError, match="with sudo"):
        repository.write(AT, {}, pieces, tmp_path)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ([""], ["bench", "completion", "releases", "repo", "votes"]),
        (["re"], ["releases", "repo"]),
        (["releases", ""], ["upload"]),
        (["repo", "config", "--di"], ["--distribution"]),
        (["releases", "upload", "--os", ""], ["", "Source", "Linux", "Windows", "macOS"]),
        (["completion", "z"], ["zsh"]),
        (["releases", "upload", "--product", ""], []),
        (["nonsense", "--x"], []),
    ],
)
def test_completion_knows_commands_options_and_values(words: list[str], found: list[str]) -> None:
    assert completion.candidates(parser(), words) == found


@pytest.mark.parametrize("shell", sorted(completion.SHELLS))
def test_each_shell_reads_its_completion(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    text = capsys.readouterr().out
    assert "portal complete" in text
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=text, text=True, check=True)


def test_bash_completes_a_word(tmp_path: Path) -> None:
    program = tmp_path / "portal"
    program.write_text(
        f'#!/bin/sh\nPYTHONPATH={CLIENT} exec {sys.executable} -m portal_client "$@"\n'
    )
    program.chmod(0o755)
    script = (
        f"PATH={tmp_path}:$PATH\n{completion.BASH}\n"
        'COMP_WORDS=(portal repo config --arc); COMP_CWORD=3; _portal; echo "${COMPREPLY[*]}"'
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "--arch\n"


@pytest.mark.parametrize(
    ("status", "body", "code", "words"),
    [
        (401, '{"detail": "unknown token"}', UNKNOWN_TOKEN, "unknown token"),
        (404, '{"detail": "not there"}', REFUSED, "not there"),
        (422, "no json", REFUSED, "answered 422"),
        (503, "{}", UNREACHABLE, "answered 503"),
    ],
)
def test_a_refusal_is_told_in_the_words_of_the_portal(
    status: int, body: str, code: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(request: urllib.request.Request, timeout: float) -> None:
        assert request.get_header("Authorization") == "Bearer fp_x"
        sent = io.BytesIO(body.encode())
        raise urllib.error.HTTPError(request.full_url, status, "", Message(), sent)

    monkeypatch.setattr(asking.OPENER, "open", refuse)
    with pytest.raises(PortalError, match=words) as refused:
        asking.get(AT, "/api/v1/votes")
    assert refused.value.status == code


def test_the_token_is_told_to_the_api_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def look(request: urllib.request.Request, timeout: float) -> io.BytesIO:
        assert not request.has_header("Authorization")
        return io.BytesIO(json.dumps({"offered": {}}).encode())

    monkeypatch.setattr(asking.OPENER, "open", look)
    assert asking.get(AT, "/repositories/?as=json") == {"offered": {}}
