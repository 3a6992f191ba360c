"""The signer: what it refuses, what it remembers, and the process behind its socket."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread

import pysequoia
import pytest

from releases.repository import apt, yum
from releases.repository.lookalike import HEAD, lookalike
from releases.signer.desk import Server
from releases.signer.local import LocalSigner
from releases.signing import SignerUnavailableError, SigningRefusedError, SocketSigner
from releases.tests.test_advisory_signature import document

NOON = datetime.now(UTC).replace(microsecond=0) - timedelta(minutes=5)


def release(date: datetime = NOON, **changes: str) -> bytes:
    suite = apt.Suite(**({"origin": "O", "label": "L", "codename": "C"} | changes))
    return apt.release(suite, date, ["amd64"], {})


def repomd(serial: int, date: datetime = NOON) -> bytes:
    return yum.repomd(serial, date, [yum.Listed("primary", "ab" * 32, 1, "cd" * 32, 2)])


def test_both_signatures_of_a_release_verify(signer: LocalSigner) -> None:
    signed = signer.sign_release("r", 1, release())
    certificate = pysequoia.Cert.from_bytes(signer.public_key().binary)
    found = pysequoia.verify(signed.inline, store=lambda ids: [certificate])
    assert (found.bytes or b"").rstrip(b"\n") == release().rstrip(b"\n")
    signature = pysequoia.Sig.from_bytes(signed.detached)
    pysequoia.verify(release(), store=lambda ids: [certificate], signature=signature)


def test_the_same_request_is_answered_again_and_logged_once(
    signer: LocalSigner, tmp_path: Path
) -> None:
    signer.sign_release("r", 1, release())
    signer.sign_release("r", 1, release())
    signer.open_log(tmp_path / "signer")
    signer.sign_release("r", 1, release())
    lines = (tmp_path / "signer/log-000001.jsonl").read_text().splitlines()
    assert sum('"release"' in line for line in lines) == 1


LATER = NOON + timedelta(seconds=1)


@pytest.mark.parametrize(
    ("serial", "text", "reason"),
    [
        (5, release(LATER, origin="O"), "does not follow"),
        (4, release(LATER), "does not follow"),
        (6, release(NOON), "not later"),
        (6, release(LATER, origin="Other"), "never change"),
        (6, release(LATER, label="Other"), "never change"),
        (6, release(LATER, codename="Other"), "never change"),
        (6, release(datetime.now(UTC) + timedelta(hours=1)), "future"),
        (6, b"Origin: O\n", "not a Release"),
        (6, release(LATER) + b"Origin: O\n", "each field once"),
        (6, b"\xff", "not a Release"),
    ],
)
def test_what_goes_back_or_changes_what_is_frozen_is_refused(
    signer: LocalSigner, serial: int, text: bytes, reason: str
) -> None:
    signer.sign_release("r", 5, release())
    with pytest.raises(SigningRefusedError, match=reason):
        signer.sign_release("r", serial, text)
    signer.sign_release("another", 1, release())


def test_an_index_is_of_today_by_the_clock_of_the_signer(
    signer: LocalSigner, tmp_path: Path
) -> None:
    """For a repository that is not known yet there is no last date to follow."""
    now = datetime(2031, 5, 6, 7, tzinfo=UTC)
    signer.clock = lambda: now
    old, early = now - timedelta(hours=24, seconds=1), now + timedelta(seconds=61)
    for date, reason in ((old, "more than a day ago"), (early, "in the future")):
        with pytest.raises(SigningRefusedError, match=reason):
            signer.sign_release("unknown", 1, release(date))
        with pytest.raises(SigningRefusedError, match=reason):
            signer.sign_repomd("unknown-yum", 1, repomd(1, date))
    oldest, newest = now - timedelta(hours=24), now + timedelta(minutes=1)
    signer.sign_release("r", 1, release(oldest))
    signer.sign_repomd("y", 1, repomd(1, newest))
    signer.clock = lambda: now + timedelta(days=9)
    signer.sign_release("r", 1, release(oldest))  # asked again after a crash, and answered again
    signer.open_log(tmp_path / "signer")
    signer.sign_release("r", 1, release(oldest))
    with pytest.raises(SigningRefusedError, match="more than a day ago"):
        signer.sign_release("r", 2, release(now + timedelta(hours=1)))
    log = (tmp_path / "signer/log-000001.jsonl").read_text()
    assert "2031-05-06T07:00:00" in log, "the log is dated by the same clock"


def test_a_repomd_is_refused_like_a_release(signer: LocalSigner) -> None:
    signer.sign_repomd("y", 3, repomd(3))
    signer.sign_repomd("y", 3, repomd(3))
    for serial, data in [
        (4, repomd(3, LATER)),
        (2, repomd(2, LATER)),
        (4, repomd(4, NOON)),
        (4, b"<no"),
        (4, b'<!DOCTYPE x [<!ENTITY a "b">]><repomd/>'),
    ]:
        with pytest.raises(SigningRefusedError):
            signer.sign_repomd("y", serial, data)
    with pytest.raises(SigningRefusedError, match="kind"):
        signer.sign_release("y", 9, release(LATER))


def test_only_an_rpm_header_is_signed_as_one(signer: LocalSigner) -> None:
    with pytest.raises(SigningRefusedError, match="not the header"):
        signer.sign_rpm_header("exampledb", b"Origin: O\n")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (release(), "Release of an APT"),
        (b"\n# hello\nsuite : stable\nsha256 :\n 00 1 Packages\n", "Release of an APT"),
        (repomd(1), "repomd.xml"),
        (b"<!-- not read by us --><repomd></repomd>", "repomd.xml"),
        (repomd(1).decode().replace("UTF-8", "UTF-16").encode("utf-16"), "repomd.xml"),
        (b"Date: today\nSuite of tools\n", ""),
        (b"<x><revision xmlns='http://linux.duke.edu/metadata/repo'>1</revision></x>", "repomd"),
        (b"\x8e\xad\xe8\x01rest", "header of an rpm"),
    ],
)
def test_a_plain_file_that_would_pass_for_an_index_is_not_signed(
    signer: LocalSigner, tmp_path: Path, data: bytes, reason: str
) -> None:
    path = tmp_path / "Release"
    path.write_bytes(data)
    if not reason:
        assert signer.sign_file(path)
        return
    with pytest.raises(SigningRefusedError, match=reason):
        signer.sign_file(path)


@pytest.mark.parametrize(
    ("beginning", "end", "reason"),
    [
        (b"SHA256:\n", b"Origin: O\nDate: today\n", "Release of an APT"),
        (b'<?xml version="1.0"?><!--', b"--><repomd/>", "repomd.xml"),
        (b"\xff\xfe" + "<!--".encode("utf-16-le"), b"", "repomd.xml"),
        (b"plain text\n", b"", ""),
    ],
)
def test_half_a_likeness_is_enough_where_a_file_goes_on_beyond_what_is_looked_at(
    beginning: bytes, end: bytes, reason: str
) -> None:
    assert reason in (found := lookalike((beginning + b"a" * HEAD + end)[: HEAD + 1]))
    assert bool(reason) == bool(found)
    assert lookalike(beginning) == "", "a short file is seen whole"


@pytest.mark.parametrize("piece", [1, 2, 5, 7, 64])
def test_a_likeness_is_seen_wherever_the_search_divides_a_file(
    piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("releases.repository.lookalike.PIECE", piece)
    index = b"Origin: O\r\0s\0H\0a256 :\n"
    for front in range(12):
        assert "Release" in lookalike(b"x" * front + b"\n" + index)
        assert "repomd" in lookalike(b"x" * front + b"<a:repomd >")
        assert lookalike(b"x" * front + b"aSHA256:\nOrigin: O") == ""
    assert "Release" in lookalike(b"\xef\xbb\xbfSHA1:\nDate: today")


def test_only_a_regular_file_is_signed(signer: LocalSigner, tmp_path: Path) -> None:
    with (
        Path("/dev/zero").open("rb") as endless,
        pytest.raises(SigningRefusedError, match="regular"),
    ):
        signer.office.sign_file(endless.fileno())


@pytest.mark.parametrize(
    "name", ["", "/", "r/", "/r", "r//s", "../r", "r/..", "r s", "r\n", "r\0", "r/" * 5 + "s"]
)
def test_a_name_that_no_repository_has_is_refused(signer: LocalSigner, name: str) -> None:
    with pytest.raises(SigningRefusedError, match="not the name of a repository"):
        signer.sign_release(name, 1, release())
    with pytest.raises(SigningRefusedError, match="not the name of a repository"):
        signer.sign_repomd(name, 1, repomd(1))


def test_who_connects_and_says_nothing_is_let_go(signer: LocalSigner, tmp_path: Path) -> None:
    with Server(tmp_path / "sock", signer.office) as server:
        server.seconds = 0.05
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        with socket.socket(socket.AF_UNIX) as silent:
            silent.settimeout(10)
            silent.connect(str(tmp_path / "sock"))
            silent.sendall(b"\0")
            assert silent.recv(1) == b""
        SocketSigner(tmp_path / "sock").ping()
        server.shutdown()


def test_the_signature_of_a_plain_file_is_worth_nothing_to_package_managers(
    signer: LocalSigner, tmp_path: Path
) -> None:
    path = tmp_path / "README"
    path.write_bytes(b"Date: today\n")
    signature = pysequoia.Sig.from_bytes(signer.sign_file(path).encode())
    for public, is_good in ((signer.file_key(), True), (signer.public_key(), False)):
        certificate = pysequoia.Cert.from_bytes(public.binary)
        with nullcontext() if is_good else pytest.raises(Exception, match=r"."):
            pysequoia.verify(
                path.read_bytes(), store=lambda ids, one=certificate: [one], signature=signature
            )


def test_a_line_that_a_crash_cut_off_is_dropped(signer: LocalSigner, tmp_path: Path) -> None:
    signer.sign_release("r", 1, release())
    log = tmp_path / "signer/log-000001.jsonl"
    log.write_bytes(log.read_bytes() + b'{"at": "2026')
    signer.open_log(tmp_path / "signer")
    signer.sign_release("r", 2, release(LATER))
    signer.open_log(tmp_path / "signer")
    with pytest.raises(SigningRefusedError):
        signer.sign_release("r", 1, release())


# --- the process ----------------------------------------------------------------------------------


@pytest.fixture
def process(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    started = start(tmp_path)
    yield started
    started.kill()
    started.wait()


def start(folder: Path) -> subprocess.Popen[bytes]:
    counted = {name: value for name, value in os.environ.items() if name.startswith("COVERAGE")}
    environ = counted | {"STATE_DIR": str(folder), "PATH": os.environ["PATH"]}
    command = [sys.executable, "-m", "releases.signer"]
    return subprocess.Popen(command, env=environ, stderr=subprocess.PIPE)


def wait(signer: SocketSigner) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            return signer.ping()
        except SignerUnavailableError:
            assert time.monotonic() < deadline
            time.sleep(0.05)


@pytest.mark.proof
def test_the_process_answers_and_survives_a_kill(
    process: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    signer = SocketSigner(tmp_path / "signer.sock")
    wait(signer)
    public = signer.public_keys()
    signed = signer.sign_release("r", 1, release())
    assert signed.inline.startswith(b"-----BEGIN PGP SIGNED MESSAGE-----")
    assert signer.sign_repomd("y", 1, repomd(1)).startswith(b"-----BEGIN PGP SIGNATURE-----")
    file = tmp_path / "file"
    file.write_bytes(b"some bytes")
    signature = pysequoia.Sig.from_bytes(signer.sign_file(file).encode())
    certificate = pysequoia.Cert.from_bytes(public[1].binary)
    pysequoia.verify(b"some bytes", store=lambda ids: [certificate], signature=signature)
    assert signer.sign_rpm_header("exampledb", b"\x8e\xad\xe8\x01rest")[0] == 0xC2
    advisory = pysequoia.Sig.from_bytes(signer.sign_advisory("EX-2026-0001", document()).encode())
    own = pysequoia.Cert.from_bytes(public[2].binary)
    pysequoia.verify(document(), store=lambda ids: [own], signature=advisory)
    for head in ({"verb": "unknown"}, {"verb": "sign_file"}, {}):
        with pytest.raises(SigningRefusedError):
            signer._ask(str(head.get("verb", "")))

    process.kill()
    process.wait()
    with pytest.raises(SignerUnavailableError):
        signer.ping()
    second = start(tmp_path)
    try:
        wait(signer)
        assert signer.public_keys() == public
        signer.sign_release("r", 1, release())
        with pytest.raises(SigningRefusedError):
            signer.sign_release("r", 1, release(LATER))
        third = start(tmp_path)
        assert third.wait(30) == 1
        with socket.socket(socket.AF_UNIX) as silent:  # what readiness does
            silent.connect(str(tmp_path / "signer.sock"))
        signer.ping()
        second.terminate()
        assert second.wait(30) == 0
    finally:
        second.kill()
        second.wait()
    log = tmp_path / "signer/log-000001.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"serial": 1,', b'"serial": 0,'))
    _, told = start(tmp_path).communicate(timeout=30)
    assert b"was edited" in told
