"""The inspector against packages that take their reader over, and against what ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from releases import sandbox
from releases.inspector import seccomp
from releases.tests import factory

STUCK = "while True: pass"
ATTEMPTS = """
allowed_here = os.open("/proc/self/fd/3", os.O_RDONLY)
buffer = ctypes.create_string_buffer(3 * mmap.PAGESIZE)
page = -(-ctypes.addressof(buffer) // mmap.PAGESIZE) * mmap.PAGESIZE
attempts = {
    "a process": os.fork,
    "a thread": lambda: threading.Thread(target=print).start(),
    "another program": lambda: os.execv("/bin/true", ["true"]),
    "a Unix socket": lambda: socket.socket(socket.AF_UNIX),
    "a pair of sockets": socket.socketpair,
    "a file": lambda: os.open("/etc/passwd", os.O_RDONLY),
    "a folder": lambda: os.listdir("/"),
    "a new file": lambda: os.open("/tmp/written", os.O_WRONLY | os.O_CREAT),
    "the package for writing": lambda: os.open("/proc/self/fd/3", os.O_RDWR),
    "the package's end": lambda: os.open("/proc/self/fd/3", os.O_RDONLY | os.O_TRUNC),
    "the package's name": lambda: os.unlink(PACKAGE),
    "the package's mode": lambda: os.fchmod(3, 0o777),
    "another name": lambda: os.link(PACKAGE, PACKAGE + ".again"),
    "killing the server": lambda: os.kill(SERVER, signal.SIGKILL),
    "stopping the server": lambda: os.kill(SERVER, signal.SIGSTOP),
    "killing the worker": lambda: os.kill(WORKER, signal.SIGKILL),
    "a handle of the server": lambda: os.pidfd_open(SERVER),
    "tracing the server": lambda: call("ptrace", 16, SERVER, 0, 0),
    "the server's memory": lambda: os.open(f"/proc/{SERVER}/mem", os.O_RDONLY),
    "reading the worker's memory": lambda: call("process_vm_readv", WORKER, 0, 0, 0, 0, 0),
    "limits of the server": lambda: call("prlimit", SERVER, 0, 0, 0),
    "rank of the server": lambda: os.setpriority(os.PRIO_PROCESS, SERVER, 19),
    "its own session": os.setsid,
    "outliving the server": lambda: call("prctl", 1, 0, 0, 0, 0),
    "signals by a file": lambda: fcntl.fcntl(4, fcntl.F_SETOWN, SERVER),
    "code in new memory": lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC),
    "code in old memory": lambda: call("mprotect", ctypes.c_void_p(page), mmap.PAGESIZE, 7),
    "another account": lambda: os.setuid(1),
    "a mount": lambda: call("mount", b"none", b"/tmp", b"tmpfs", 0, 0),
    "more namespaces": lambda: call("unshare", 0x20000),
}
found = {"tried": len(attempts), "allowed": allowed(attempts)}
"""
OPEN_FILES = """
def is_open(number):
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
found = [number for number in range(1024) if is_open(number)]
"""
Run = Callable[[str], Any]

pytestmark = pytest.mark.skipif(
    os.uname().machine not in seccomp.MACHINES, reason="no filter for this processor"
)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Has a package read that is a program, by a reader that it takes over."""
    sandbox.end_inspector()
    monkeypatch.setattr(sandbox, "PROGRAM", "releases.tests.taken_over")

    def run(program: str) -> Any:
        path = tmp_path / "package.deb"
        names = {"PACKAGE": str(path), "SERVER": server(), "WORKER": os.getpid()}
        lines = [f"{name} = {value!r}" for name, value in names.items()]
        path.write_text("\n".join([*lines, program]))
        return sandbox.inspect("deb", path)["found"]

    yield run
    sandbox.end_inspector()


def server() -> int:
    """The process of our inspector; it is started when there is none."""
    return sandbox._inspector().process.pid


def reader_of(process: int) -> int:
    """The reader that is at work; waits for it."""
    children = Path(f"/proc/{process}/task/{process}/children")
    eventually(lambda: bool(children.read_text()))
    return int(children.read_text())


def eventually(is_so: Callable[[], bool], seconds: float = 30) -> None:
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.005)


def is_gone(process: int) -> bool:
    """It has ended; whether somebody asked how does not count."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


def meanwhile(do: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=do, daemon=True)
    thread.start()
    return thread


# --- a reader that was taken over -----------------------------------------------------------------


def test_who_takes_a_reader_over_reaches_nothing(run: Run) -> None:
    first = server()
    assert run(ATTEMPTS) == {"tried": ATTEMPTS.count('    "'), "allowed": []}
    assert server() == first  # it lives, and reads the next package


def test_a_reader_has_the_package_and_its_answer_open_and_nothing_else(run: Run) -> None:
    assert run(OPEN_FILES) == [0, 1, 2, 3, 4]
    for end_of_nothing in (0, 1, 2):
        assert run(f"found = os.fstat({end_of_nothing}).st_rdev") == os.stat("/dev/null").st_rdev


def test_nothing_of_a_package_is_left_for_the_next(run: Run) -> None:
    process = run("os.kept = True\nfound = os.getpid()")
    assert is_gone(process)
    assert run("found = [hasattr(os, 'kept'), os.getpid()]")[0] is False


def test_a_reader_that_is_stuck_is_killed_in_time(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "SECONDS", 1)
    first, seen = server(), dict[str, str]()

    def look() -> None:
        reader = Path(f"/proc/{reader_of(first)}")
        seen["reader"] = reader.name
        eventually(lambda: "Seccomp_filters:\t2" in (reader / "status").read_text())
        seen["limits"] = (reader / "limits").read_text()
        seen["status"] = (reader / "status").read_text()

    looking = meanwhile(look)
    with pytest.raises(sandbox.PackageRefusedError, match="took too long"):
        run(STUCK)
    looking.join(30)
    assert is_gone(int(seen["reader"]))
    assert is_gone(first)
    limits = {line[:26].strip(): line[26:].split()[:2] for line in seen["limits"].splitlines()}
    assert limits["Max address space"] == [str(768 * 2**20)] * 2
    assert limits["Max cpu time"] == ["120"] * 2
    assert limits["Max file size"] == limits["Max core file size"] == ["0"] * 2
    assert limits["Max open files"] == ["32"] * 2
    assert "Seccomp:\t2" in seen["status"]
    assert "NoNewPrivs:\t1" in seen["status"]
    assert run("found = 1") == 1


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("os.write(4, b'no json'); os._exit(0)", "cannot be read"),
        ("os.write(4, b'[1]'); os._exit(0)", "cannot be read"),
        ("os.write(4, b'{}'); os._exit(0)", "cannot be read"),
        ("os.write(4, b'{\"is_alone\": 1}'); found = 'a second answer'", "cannot be read"),
        ("os.write(4, b'[' * 100_000); os._exit(0)", "cannot be read"),
        ("os._exit(3)", "broke its limits"),
        ("ctypes.string_at(0)", "broke its limits"),
        ("os.close(4); " + STUCK.replace("while", "\nwhile"), "took too long"),
        ("os.write(4, b'x' * 2**16)\nfound = 'x' * 2**16", "too long"),
        ("found = bytearray(2**30)", "too much memory"),
    ],
)
def test_an_inspector_that_was_taken_over_brings_a_clear_refusal(
    program: str, words: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "SECONDS", 0.2 if "while" in program else 30)
    monkeypatch.setattr(sandbox, "LONGEST_ANSWER", 2**16 + 2**14 + 2**15)
    with pytest.raises(sandbox.PackageRefusedError, match=words):
        run(program)


def test_after_a_reader_that_broke_the_next_one_has_another_layout_of_memory(run: Run) -> None:
    first = server()
    with pytest.raises(sandbox.PackageRefusedError, match="limits"):
        run("os._exit(3)")
    assert is_gone(first)
    assert run("found = 1") == 1


# --- the server -----------------------------------------------------------------------------------


def test_one_server_reads_many_packages_and_is_replaced_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.end_inspector()
    monkeypatch.setattr(sandbox, "MOST_PACKAGES", 2)
    path = tmp_path / "package.deb"
    path.write_bytes(factory.deb())
    first = server()
    for _ in range(2):
        assert not is_gone(first)
        assert sandbox.inspect("deb", path)["name"] == "exampledb-server"
    assert is_gone(first)
    assert sandbox.inspect("deb", path)["name"] == "exampledb-server"


def test_a_server_that_was_killed_between_packages_is_started_again(run: Run) -> None:
    os.kill(server(), signal.SIGKILL)
    sandbox._inspector().process.wait()
    assert run("found = 1") == 1


def test_a_package_is_read_again_when_its_server_was_killed(run: Run) -> None:
    first, readers = server(), list[int]()

    def kill() -> None:
        readers.append(reader_of(first))
        os.kill(first, signal.SIGKILL)

    killing = meanwhile(kill)
    assert run("while os.getppid() == SERVER: pass\nfound = os.getpid()") != readers[0]
    killing.join(30)
    assert is_gone(readers[0])


def test_a_package_whose_server_is_killed_again_and_again_is_refused(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "ATTEMPTS", 1)
    first = server()
    killing = meanwhile(lambda: os.kill(reader_of(first) and first, signal.SIGKILL))
    with pytest.raises(sandbox.PackageRefusedError, match="the inspector ended"):
        run(STUCK)
    killing.join(30)


def test_a_server_that_does_not_end_is_killed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "SECONDS_TO_END", 0.05)
    first = server()
    os.kill(first, signal.SIGSTOP)
    sandbox.end_inspector()
    assert is_gone(first)


def test_a_kernel_that_keeps_less_is_told_of(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    assert run('os.write(4, b\'{"is_alone": false, "found": 1}\'); os._exit(0)') == 1
    assert "no Landlock" in caplog.text


def test_who_stops_the_whole_group_lets_a_package_be_finished(run: Run, tmp_path: Path) -> None:
    first, package = server(), tmp_path / "package.deb"

    def stop() -> None:
        for process in (first, reader_of(first)):
            os.kill(process, signal.SIGTERM)
            os.kill(process, signal.SIGINT)
        package.chmod(0o400)

    stopping = meanwhile(stop)
    assert run("while os.fstat(3).st_mode & 0o200: pass\nfound = 'finished'") == "finished"
    stopping.join(30)
    assert server() == first


def test_a_worker_that_is_killed_while_it_reads_leaves_no_process_behind(tmp_path: Path) -> None:
    path = tmp_path / "package.deb"
    path.write_text(STUCK)
    program = (
        "import sys; from pathlib import Path; from releases import sandbox;"
        "sandbox.PROGRAM = 'releases.tests.taken_over';"
        "print(sandbox._inspector().process.pid, flush=True);"
        "sandbox.inspect('deb', Path(sys.argv[1]))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(path)], cwd=sandbox.ROOT, stdout=subprocess.PIPE
    ) as worker:
        assert worker.stdout is not None
        process = int(worker.stdout.readline())
        reader = reader_of(process)
        worker.kill()
    eventually(lambda: is_gone(reader) and is_gone(process))


def test_a_process_that_was_forked_has_an_inspector_of_its_own(run: Run) -> None:
    first = server()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 0 if run("found = 1") == 1 and server() != first else 2
            sandbox.end_inspector()
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    assert server() == first
    assert run("found = 1") == 1


def test_without_an_inspector_nothing_is_said_of_a_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.end_inspector()
    path = tmp_path / "package.deb"
    path.write_bytes(factory.deb())
    with monkeypatch.context() as patch:
        patch.setattr(sandbox, "ROOT", tmp_path)  # the process cannot even start
        with pytest.raises(sandbox.InspectorUnavailableError, match="does not start"):
            sandbox.inspect("deb", path)
    assert sandbox.inspect("deb", path)["name"] == "exampledb-server"
