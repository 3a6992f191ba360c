"""The log of the signer says by itself whether it is what was written; and the rate of signing."""

from __future__ import annotations

import json
import resource
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from releases.signer.local import LocalSigner
from releases.signer.log import Log
from releases.signer.rate import Rate
from releases.signer.replay import Line, LogBrokenError, check, file_path
from releases.signing import SignerBusyError
from releases.tests.test_signer import release


def line(serial: int) -> Line:
    return Line(
        "2026-01-02", "release", "00" * 32, f"r{serial % 3}", serial, serial, {"Origin": "O"}
    )


def filled(folder: Path, lines: int = 10, **options: int) -> Log:
    log = Log(folder, **options)
    for serial in range(lines):
        log.append(line(serial))
    return log


def serials(folder: Path) -> list[int]:
    log = Log(folder)
    return [found.serial for name in ("r0", "r1", "r2") if (found := log.last(name))]


@pytest.mark.parametrize("is_closed", [True, False])
def test_the_log_is_read_again_after_a_stop_and_after_a_kill(
    tmp_path: Path, is_closed: bool
) -> None:
    log = filled(tmp_path)
    if is_closed:
        log.close()
    assert serials(tmp_path) == [9, 7, 8]
    assert check(tmp_path) == 10
    Log(tmp_path).append(line(10))
    assert serials(tmp_path) == [9, 10, 8]


def test_lines_fill_several_files_without_a_loss(tmp_path: Path) -> None:
    filled(tmp_path, 10, lines_per_file=4)
    assert [file_path(tmp_path, number).exists() for number in (1, 2, 3, 4)] == [True] * 3 + [False]
    assert serials(tmp_path) == [9, 7, 8]
    assert check(tmp_path) == 10
    (tmp_path / "checkpoint.json").unlink()
    assert serials(tmp_path) == [9, 7, 8]
    assert check(tmp_path) == 10


def edit(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'"serial": 2,', b'"serial": 1,'))


def take_out(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2] + lines[3:]))


def cut(path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))


def spoil(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'"serial": 2,', b'"serial": 2;'))


def put_in(path: Path) -> None:
    forged = json.dumps({"at": "", "kind": "release", "sha256": "", "repository": "r0"})
    path.write_bytes(path.read_bytes() + forged.encode() + b"\n")


@pytest.mark.parametrize("change", [edit, take_out, cut, spoil, put_in, Path.unlink])
@pytest.mark.parametrize("is_closed", [True, False])
def test_a_changed_log_is_noticed_at_the_start(
    tmp_path: Path, change: object, is_closed: bool
) -> None:
    log = filled(tmp_path)
    if is_closed:
        log.close()
    change(file_path(tmp_path, 1))  # type: ignore[operator]
    with pytest.raises(LogBrokenError):
        Log(tmp_path)


def test_a_full_file_that_was_changed_is_noticed(tmp_path: Path) -> None:
    filled(tmp_path, 10, lines_per_file=4)
    path = file_path(tmp_path, 1)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with pytest.raises(LogBrokenError, match="not what was written"):
        Log(tmp_path)
    edited = whole.replace(b'"kind": "release"', b'"kind": "rebease"', 1)
    path.write_bytes(edited)
    assert serials(tmp_path) == [9, 7, 8]  # as long as before: the start looks at its size alone
    with pytest.raises(LogBrokenError, match="line"):
        check(tmp_path)


def test_a_last_line_that_was_edited_is_noticed_by_the_head(tmp_path: Path) -> None:
    filled(tmp_path, 10)
    path = file_path(tmp_path, 1)
    path.write_bytes(path.read_bytes().replace(b'"serial": 9,', b'"serial": 8,'))
    with pytest.raises(LogBrokenError, match="line 10"):
        Log(tmp_path)


@pytest.fixture
def limit() -> Iterator[Callable[[int], None]]:
    """How large a file may become, as on a disk that is full there."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    yield lambda size: resource.setrlimit(
        resource.RLIMIT_FSIZE, (before[0] if size < 0 else size, before[1])
    )
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, handler)


def test_a_full_disk_leaves_the_log_whole_and_later_lines_follow(
    tmp_path: Path, limit: Callable[[int], None]
) -> None:
    log = filled(tmp_path, 9)
    path = file_path(tmp_path, 1)
    whole = path.read_bytes()
    limit(len(whole) + 60)
    for _ in range(2):
        with pytest.raises(OSError, match=r"takes no more|too large"):
            log.append(line(9))
        assert path.read_bytes() == whole
    limit(-1)
    log.append(line(10))
    log.close()
    assert check(tmp_path) == 10
    assert serials(tmp_path) == [6, 10, 8]


def test_a_log_that_cannot_be_mended_ends_the_signer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    log = filled(tmp_path)
    left: list[int] = []
    monkeypatch.setattr("releases.signer.log.os._exit", left.append)
    log._file.close()
    log._file = file_path(tmp_path, 1).open("rb", buffering=0)
    with pytest.raises(OSError, match=r"writ"):
        log.append(line(10))
    assert left == [1]
    assert "the signer stops" in caplog.text


def test_a_checkpoint_that_cannot_be_read_says_what_to_do(tmp_path: Path) -> None:
    filled(tmp_path).close()
    (tmp_path / "checkpoint.json").write_text("{")
    with pytest.raises(LogBrokenError, match="remove it"):
        Log(tmp_path)
    (tmp_path / "checkpoint.json").unlink()
    assert serials(tmp_path) == [9, 7, 8]


def test_the_log_of_before_the_chain_goes_on_with_one(tmp_path: Path) -> None:
    old = [{"at": "", "kind": "release", "sha256": "", "repository": "r0", "serial": 5}]
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(found) + "\n" for found in old))
    log = Log(tmp_path)
    assert (log.last("r0") or line(0)).serial == 5
    log.append(line(6))
    assert serials(tmp_path) == [6]
    put_in(file_path(tmp_path, 1))
    with pytest.raises(LogBrokenError):
        Log(tmp_path)


def test_a_repository_gets_so_many_signatures_in_a_minute_and_all_so_many() -> None:
    rate = Rate(in_all=5, for_each=2)
    assert [rate.ask("a", 0.0) for _ in range(3)] == [0.0, 0.0, 30.0]
    assert [rate.ask("", 0.0) for _ in range(4)] == [0.0, 0.0, 0.0, 12.0]
    assert rate.ask("b", 0.0) == 12.0
    assert rate.ask("a", 29.0) == pytest.approx(1.0)
    assert rate.ask("a", 30.0) == 0.0
    assert rate.ask("b", 600.0) == 0.0


def test_who_asks_too_often_is_put_off(signer: LocalSigner) -> None:
    signer.office._rate = Rate(in_all=100, for_each=1)
    signer.sign_release("r", 1, release())
    with pytest.raises(SignerBusyError, match="for r: ask again in"):
        signer.sign_release("r", 1, release())
    signer.sign_release("s", 1, release())


@pytest.mark.proof
def test_a_million_lines_are_checked_in_seconds(tmp_path: Path) -> None:
    log = Log(tmp_path, lines_per_file=2_000_000)
    memory, lines = log._memory, []
    for serial in range(1_000_000):
        found = line(serial)
        raw = json.dumps(found.__dict__ | {"chain": memory.hash.hexdigest()}).encode() + b"\n"
        memory.take(raw, found)
        lines.append(raw)
    log._file.write(b"".join(lines))
    log._tell_head()
    log.close()
    began = time.perf_counter()
    assert serials(tmp_path) == [999_999, 999_997, 999_998]
    assert time.perf_counter() - began < 5
