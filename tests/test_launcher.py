"""`make run` itself: it greets, starts again what dies, stops everything, keeps its data."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from portal import embedded, processes

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 300.0

# In one worker: they take turns with one folder, whose first start makes the data.
pytestmark = [pytest.mark.proof, pytest.mark.xdist_group("launcher")]


class Run:
    """A running `python -m portal.launcher`, and the lines it printed."""

    def __init__(self, state: Path, port: int) -> None:
        names = ("PATH", "HOME", "LANG")
        environ = {name: os.environ[name] for name in names if name in os.environ}
        self.lines: list[str] = []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "portal.launcher"],
            cwd=ROOT,
            env=environ | {"PORT": str(port), "STATE_DIR": str(state), "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        self.lines.extend(iter(self.process.stdout.readline, ""))

    def wait_for(self, text: str, times: int = 1) -> None:
        deadline = time.monotonic() + PATIENCE
        while sum(text in line for line in self.lines) < times:
            if time.monotonic() > deadline or self.process.poll() is not None:
                pytest.fail(f"{text!r} was not printed: {''.join(self.lines)[-3000:]}")
            time.sleep(0.1)

    def family(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What one `make run` leaves is where the next begins."""
    return tmp_path_factory.mktemp("launcher") / "var"


@pytest.fixture
def run(state: Path) -> Iterator[Run]:
    started = Run(state, embedded.free_port())
    yield started
    if started.process.poll() is None:
        started.process.terminate()
        started.process.wait(60)


def test_make_run_greets_mends_stops_and_leaves_nothing_behind(run: Run) -> None:
    run.wait_for("Every process is ready")
    printed = "".join(run.lines)
    assert "dana@example.org" in printed
    assert "code now" in printed
    for process in processes.PROCESSES.values():
        assert f"{process.name} started (pid=" in printed

    worker = next(line for line in run.lines if "worker started (pid=" in line)
    os.kill(int(worker.rpartition("=")[2].strip(" )\n")), signal.SIGKILL)
    run.wait_for("worker started (pid=", times=2)

    family = run.family()
    run.process.terminate()
    assert run.process.wait(60) == 0
    assert [process for process in family if process.is_running()] == []


def test_everything_ends_when_make_run_is_killed(run: Run) -> None:
    run.wait_for("Every process is ready")
    family = run.family()

    run.process.kill()
    run.process.wait()

    _, alive = psutil.wait_procs(family, timeout=30)
    assert alive == []


MANAGER = """
import os, sys
from portal.launcher import Manager
manager = Manager()
talks = "while True: print('x' * 500, flush=True)"
stays = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
manager.add("talks", [sys.executable, "-c", talks], dict(os.environ), lasting=True)
manager.add("stays", [sys.executable, "-c", stays], dict(os.environ), lasting=True)
manager.loop()
"""


def grown(manager: subprocess.Popen[bytes], size: int) -> list[psutil.Process]:
    """The family of a manager, once there are so many and the pipe to it is never empty."""
    deadline = time.monotonic() + 30
    while len(family := psutil.Process(manager.pid).children(recursive=True)) < size:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    time.sleep(1)
    return family


def test_what_talks_and_what_does_not_listen_ends_with_a_killed_manager() -> None:
    """Nobody reads the rest of what the one said; the other has to be killed."""
    manager = subprocess.Popen([sys.executable, "-c", MANAGER], cwd=ROOT, stdout=subprocess.DEVNULL)
    family = grown(manager, 4)
    manager.kill()
    manager.wait()
    _, alive = psutil.wait_procs(family, timeout=30)
    for process in alive:
        process.kill()
    assert alive == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_many_signals_at_once_end_it_as_one_does(number: int) -> None:
    """`make` passes on to us what the whole group was sent: we get it twice in a moment."""
    greets = """manager.add("greets", ["true"], dict(os.environ), lasting=False)\nmanager.loop()"""
    script = MANAGER.replace("SIG_IGN", "SIG_DFL").replace("manager.loop()", greets)
    manager = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.DEVNULL)
    family = grown(manager, 5)
    for _ in range(300):
        manager.send_signal(number)
        time.sleep(0.0005)

    assert manager.wait(30) == 0
    _, alive = psutil.wait_procs(family, timeout=30)
    assert alive == []


def test_a_port_that_is_taken_is_named_with_what_to_do(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = Run(tmp_path / "var", taken.getsockname()[1])

        assert done.process.wait(60) == 1

    time.sleep(0.2)
    assert "is taken. Choose another: PORT=8080 make run" in "".join(done.lines)
