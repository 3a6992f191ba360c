"""The pieces of the inspector's confinement, and of its server, in place."""

from __future__ import annotations

import ctypes
import gc
import json
import os
import resource
import signal
import socket
import struct
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from releases.inspector import __main__ as program
from releases.inspector import confinement, landlock, reader, seccomp, server
from releases.tests import factory

Read = Callable[[str], None]
ALLOWED, REFUSED, KILLED = seccomp.ALLOW, seccomp.REFUSE, seccomp.KILL


# --- filters: run as the kernel runs them, for processors that this machine has not ---------------


def verdict(code: bytes, machine: str, number: int, *arguments: int) -> int:
    """What the filter answers to a system call."""
    words = [*arguments, *[0] * (6 - len(arguments))]
    call = struct.pack("=iIQ6Q", number, seccomp.ARCHITECTURES[machine], 0, *words)
    at = loaded = 0
    while True:
        what, if_so, if_not, value = struct.unpack_from("=HBBI", code, at * 8)
        at += 1
        if what == seccomp.RETURN:
            return int(value)
        if what == seccomp.LOAD:
            (loaded,) = struct.unpack_from("=I", call, value)
            continue
        is_so = {
            seccomp.JUMP_EQUAL: loaded == value,
            seccomp.JUMP_FROM: loaded >= value,
            seccomp.JUMP_ANY_BIT: bool(loaded & value),
        }[what]
        at += if_so if is_so else if_not


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_a_reader_is_allowed_its_calls_and_no_other(machine: str) -> None:
    code, at = seccomp.reader_program(machine), seccomp.MACHINES.index(machine)
    known = {numbers[at] for numbers in seccomp.READER_ALLOWED.values()}
    assert {n for n in range(600) if verdict(code, machine, n) == ALLOWED} == known
    assert {verdict(code, machine, n) for n in set(range(600)) - known} == {REFUSED}
    assert verdict(code, machine, seccomp.FIRST_X32 | min(known)) == REFUSED
    assert len(code) // 8 < 4096  # the kernel takes no more


@pytest.mark.parametrize("machine", seccomp.MACHINES)
@pytest.mark.parametrize(
    ("name", "arguments", "answer"),
    [
        ("openat", (-100 & 2**64 - 1, 0, os.O_RDONLY | os.O_CLOEXEC), ALLOWED),
        ("openat", (0, 0, os.O_WRONLY), REFUSED),
        ("openat", (0, 0, os.O_RDWR), REFUSED),
        ("openat", (0, 0, os.O_CREAT), REFUSED),
        ("openat", (0, 0, os.O_TRUNC), REFUSED),
        ("fcntl", (3, 1), ALLOWED),  # F_GETFD
        ("fcntl", (3, 2), ALLOWED),  # F_SETFD
        ("fcntl", (3, 4), REFUSED),  # F_SETFL
        ("fcntl", (3, 8), REFUSED),  # F_SETOWN
        ("mmap", (0, 4096, 3), ALLOWED),
        ("mmap", (0, 4096, 4), REFUSED),
        ("mprotect", (0, 4096, 7), REFUSED),
    ],
)
def test_an_allowed_call_is_refused_by_its_argument(
    machine: str, name: str, arguments: tuple[int, ...], answer: int
) -> None:
    number = seccomp.READER_ALLOWED[name][seccomp.MACHINES.index(machine)]
    assert verdict(seccomp.reader_program(machine), machine, number, *arguments) == answer


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_the_server_is_refused_its_calls_alone(machine: str) -> None:
    code, at = seccomp.server_program(machine), seccomp.MACHINES.index(machine)
    refused = {numbers[at] for numbers in seccomp.SERVER_REFUSED.values()}
    assert {n for n in range(600) if verdict(code, machine, n) != ALLOWED} == refused
    assert verdict(code, machine, seccomp.FIRST_X32) == REFUSED


def test_a_call_in_the_way_of_another_processor_ends_the_process() -> None:
    for write in (seccomp.reader_program, seccomp.server_program):
        assert verdict(write("aarch64"), "x86_64", 0) == KILLED


# --- a kernel that has less -----------------------------------------------------------------------


class Kernel:
    """A C library on a kernel with Landlock of this version; it refuses the calls named."""

    def __init__(self, version: int, *refused: int) -> None:
        self.version, self.refused = version, refused
        self.rules: list[tuple[int, ...]] = []
        self.filters = 0

    def syscall(self, number: int, *words: Any) -> int:
        if number == landlock.CREATE_RULESET and words[0] is None:
            return self.version
        if number in self.refused:
            return -1
        if number == landlock.CREATE_RULESET:
            self.rules.append(struct.unpack("=Q", words[0]))
            return os.open(os.devnull, os.O_RDONLY)
        if number == landlock.ADD_RULE:
            self.rules.append(struct.unpack("=Qi", words[2]))
        return 0

    def prctl(self, what: int, *words: Any) -> int:
        self.filters += what == seccomp.PR_SET_SECCOMP
        return -1 if what in self.refused else 0

    def unshare(self, flags: int) -> int:
        return -1


@pytest.mark.parametrize(
    ("version", "kinds"), [(1, 13), (2, 14), (3, 15), (4, 15), (5, 16), (9, 16)]
)
def test_a_ruleset_names_every_kind_of_access_that_the_kernel_knows(
    version: int, kinds: int
) -> None:
    kernel = Kernel(version)
    assert landlock.allow_only(kernel, 7)  # type: ignore[arg-type]
    assert kernel.rules == [(2**kinds - 1,), (landlock.READ_FILE, 7)]


@pytest.mark.parametrize(
    "kernel",
    [
        Kernel(-1),
        Kernel(0),
        Kernel(3, landlock.CREATE_RULESET),
        Kernel(3, landlock.ADD_RULE),
        Kernel(3, landlock.RESTRICT_SELF),
    ],
)
def test_a_kernel_without_landlock_is_told_of(kernel: Kernel) -> None:
    assert not landlock.allow_only(kernel, 7)  # type: ignore[arg-type]


@pytest.fixture
def unlimited(monkeypatch: pytest.MonkeyPatch) -> dict[int, tuple[int, int]]:
    """The limits that would be set; this process keeps its own."""
    found: dict[int, tuple[int, int]] = {}
    monkeypatch.setattr(resource, "setrlimit", found.__setitem__)
    return found


@pytest.mark.parametrize(
    ("kernel", "machine", "is_alone"),
    [
        (Kernel(3), "x86_64", True),
        (Kernel(3), "aarch64", True),
        (Kernel(3), "riscv64", False),
        (Kernel(0), "x86_64", False),
        (Kernel(3, seccomp.PR_SET_SECCOMP), "x86_64", False),
    ],
)
def test_a_reader_that_the_kernel_does_not_keep_alone_says_so(
    kernel: Kernel,
    machine: str,
    is_alone: bool,
    unlimited: dict[int, tuple[int, int]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(confinement, "MACHINE", machine)
    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: kernel)
    assert confinement.confine_reader(3) is is_alone
    confinement.confine_server()
    assert len(unlimited) == 5
    assert kernel.filters == (2 if machine in seccomp.MACHINES else 0)


# --- server and reader ----------------------------------------------------------------------------


def served(read: Read, package: Path, ask: Callable[[socket.socket], bytes]) -> bytes:
    """What a worker that asks about the package hears through a server in this process."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    answer, to_write = os.pipe()
    heard: list[bytes] = []

    def work() -> None:
        assert ours.recv(9) == server.READY
        with package.open("rb") as stream:
            socket.send_fds(ours, [b"deb"], [stream.fileno(), to_write])
        os.close(to_write)
        with ours, open(answer, "rb") as file:
            heard.append(file.read(7))
            heard.append(ask(ours))

    ours.settimeout(30)
    working = threading.Thread(target=work)
    working.start()
    with theirs:
        server.serve(theirs, read)
    working.join(30)
    return b" ".join(heard)


def status(control: socket.socket) -> bytes:
    return b"%d" % server.STATUS.unpack(control.recv(server.STATUS.size))[0]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    path = tmp_path / "package.deb"
    path.write_bytes(factory.deb())
    return path


@pytest.mark.filterwarnings("ignore:.*use of fork.*:DeprecationWarning")
def test_a_server_forks_a_reader_and_tells_how_it_ended(package: Path) -> None:
    def copy(kind: str) -> None:
        os.write(reader.ANSWER, kind.encode() + os.read(reader.PACKAGE, 4))

    def fail(kind: str) -> None:
        raise OSError(kind)

    assert served(copy, package, status) == b"deb!<ar 0"
    assert served(fail, package, status) == b" 256"
    assert served(lambda _: os.kill(os.getpid(), 9), package, status) == b" 9"


@pytest.mark.filterwarnings("ignore:.*use of fork.*:DeprecationWarning")
def test_a_server_whose_worker_hangs_up_kills_its_reader_and_ends(package: Path) -> None:
    def stay(kind: str) -> None:
        os.write(reader.ANSWER, b"%7d" % os.getpid())
        threading.Event().wait()

    process = int(served(stay, package, lambda _: b""))
    assert not Path(
        f"/proc/{process}"
    ).exists()  # nor does it wait for somebody to ask how it ended


def test_the_program_shuts_itself_in_before_it_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[object] = []
    monkeypatch.setattr(signal, "signal", lambda *what: done.append(what))
    monkeypatch.setattr(gc, "freeze", lambda: None)
    monkeypatch.setattr(program, "load_readers", lambda: done.append("loaded"))
    monkeypatch.setattr(program, "confine_server", lambda: done.append("confined"))
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    monkeypatch.setattr(sys, "stdin", theirs)
    monkeypatch.setattr(program, "serve", lambda *_: done.append("served"))
    with ours:
        assert program.main() == 0
        assert ours.recv(1) == b""  # it closed its end
    theirs.detach()
    ignored = [(number, signal.SIG_IGN) for number in program.DEAF_TO]
    assert done == [*ignored, "loaded", "confined", "served"]


def test_a_reader_tells_of_its_package_as_json(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "confine_reader", lambda _: True)
    answer, to_write = os.pipe()
    with package.open("rb") as stream:
        monkeypatch.setattr(reader, "PACKAGE", stream.fileno())
        monkeypatch.setattr(reader, "ANSWER", to_write)
        reader.load_readers()
        reader.read_package("deb")
    with open(answer, "rb") as file:
        told = json.load(file)
    assert (told["name"], told["is_alone"]) == ("exampledb-server", True)


def test_a_reader_that_cannot_read_says_why() -> None:
    def answer(error: Exception) -> object:
        def read(stream: object, size: int) -> dict[str, object]:
            raise error

        with open(os.devnull, "rb") as stream:
            return reader.answer_of(read, stream)["refused"]

    assert answer(ValueError("too odd")) == "too odd"
    assert answer(MemoryError()) == "reading the package takes too much memory"
    assert answer(KeyError("x")) == "the package cannot be read (KeyError)"
