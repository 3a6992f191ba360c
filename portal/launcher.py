"""`make run`: services, data, and every process of the table under one manager.

It knows no Django. Each process is a child of honcho's manager; one that ends by itself
is started again, Ctrl-C or TERM stops them all, and the embedded services last.
"""

from __future__ import annotations

import multiprocessing
import os
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from honcho import manager as honcho
from honcho.compat import ProcessManager
from honcho.printer import Printer
from honcho.process import Process as HonchoProcess

from portal import embedded, local, processes

GIVE_UP = 5  # times in a row that a process may end within QUICK seconds
QUICK = 5.0
STOP_SECONDS = 10
STOPS = (signal.SIGTERM, signal.SIGINT)
WELCOME = "welcome"  # prints the addresses and logins, then loads the larger data


def main() -> int:
    started = time.monotonic()
    environ = local.environment({**_inner_ports(), **os.environ})
    if _taken(environ["LISTEN_HOST"], int(environ["PORT"])):
        print(
            f"Port {environ['PORT']} is taken. Choose another: PORT=8080 make run", file=sys.stderr
        )
        return 1
    local.remember(environ)
    # Closing the terminal is a stop like Ctrl-C.
    signal.signal(signal.SIGHUP, lambda *_: os.kill(os.getpid(), signal.SIGTERM))
    for number in STOPS:
        signal.signal(number, _interrupt)
    try:
        with embedded.provided(Path(environ["STATE_DIR"]), environ):
            _say(f"services answer after {time.monotonic() - started:.1f} s")
            _run(environ, "prepare")
            _say(f"data ready after {time.monotonic() - started:.1f} s")
            return _manage(environ | {"RUN_STARTED": str(time.time() - time.monotonic() + started)})
    except embedded.EmbeddedServiceError as error:
        print(error, file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        return error.returncode
    except KeyboardInterrupt:
        return 130


def _interrupt(*_: object) -> None:
    """Once: `make` passes on what the whole group was sent, and the second would break the end."""
    for number in STOPS:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def _say(text: str) -> None:
    print(f"-- {text}", flush=True)


def _run(environ: dict[str, str], *words: str) -> None:
    subprocess.run([sys.executable, "manage.py", *words], env=environ, check=True)


def _taken(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return True
    return False


def _inner_ports() -> dict[str, str]:
    """The ports behind the door are nobody's business: free ones, unless they are set."""
    return {f"{name}_PORT": str(embedded.free_port()) for name in ("WEB", "RECEIVER", "TWIN")}


# --- the processes -------------------------------------------------------------------


class PlainPrinter(Printer):
    """Honcho's printer; the welcome text stands without a prefix."""

    def write(self, message: Any) -> None:
        if message.name == WELCOME:
            self.output.write(message.data.decode(errors="replace"))
            self.output.flush()
        else:
            super().write(message)


class GentleStop(ProcessManager):
    """TERM goes to the process itself, so that a worker may finish its children's task."""

    def terminate(self, pid: int) -> None:
        try:
            os.kill(pid, signal.SIGTERM)
        except ProcessLookupError:
            return


class LastingProcess(HonchoProcess):
    """A process that is started again when it ends before `closing` is set.

    Honcho stops everything when it hears that one process stopped; so it is told only
    when all are to stop, or when the process fails again and again.
    """

    closing: Any = None
    lasting = True

    def run(self, events: Any = None, ignore_signals: bool = False) -> None:
        parent = os.getppid()
        watch = threading.Thread(target=self._end_with, args=(parent,), daemon=True)
        watch.start()
        self._run_again_and_again(events, ignore_signals)
        if os.getppid() != parent:
            watch.join()

    def _run_again_and_again(self, events: Any, ignore_signals: bool) -> None:
        failures = 0
        while True:
            started = time.monotonic()
            super().run(events, ignore_signals)
            failures = failures + 1 if time.monotonic() - started < QUICK else 0
            if not self.lasting:
                self.closing.wait()
            elif failures >= GIVE_UP:
                super()._send_message(f"ended {failures} times at once: stopping all\n".encode())
            elif not self.closing.wait(1):
                continue
            super()._send_message({"returncode": self._child.returncode}, type="stop")
            return

    def _send_message(self, data: Any, type: str = "line") -> None:  # noqa: A002  (honcho's name)
        if type == "stop":
            if self.lasting and not self.closing.is_set():
                super()._send_message(f"ended with {data['returncode']}\n".encode())
            return
        super()._send_message(data, type=type)

    def _end_with(self, parent: int) -> None:
        """When the manager was killed, nobody else ends our child, and nobody reads what it said:
        an orderly end would wait for that for ever.
        """
        while os.getppid() == parent:
            time.sleep(0.5)
        self.closing.set()
        time.sleep(0.5)  # what was being started is there now
        deadline = time.monotonic() + STOP_SECONDS
        is_there = self._signal(signal.SIGTERM)
        while is_there and time.monotonic() < deadline:
            time.sleep(0.1)
            is_there = self._signal(0)
        self._signal(signal.SIGKILL)
        os._exit(1)

    def _signal(self, number: int) -> bool:
        """To our child and all of its own; whether there is any."""
        try:
            os.killpg(self._child.pid, number)
        except ProcessLookupError:
            return False
        return True


class Manager(honcho.Manager):
    """Honcho's manager with processes that last."""

    returncode: int | None

    def __init__(self) -> None:
        super().__init__(PlainPrinter(sys.stdout))
        self._process_ctor = LastingProcess
        self._procmgr = GentleStop()
        self._closing = multiprocessing.Event()
        self._signal: int | None = None

    def add(self, name: str, argv: list[str], environ: dict[str, str], *, lasting: bool) -> None:
        process = self.add_process(name, f"exec {shlex.join(argv)}", env=environ)
        process.closing, process.lasting = self._closing, lasting

    def terminate(self) -> None:
        self._closing.set()
        super().terminate()

    def _start(self) -> None:
        """Honcho's handlers print and take locks wherever the signal finds us, and a second one
        finds us holding them. Ours make a note, which the loop reads where it holds nothing.
        """
        for number in STOPS:
            signal.signal(number, self._note)
        super()._start()

    def _note(self, number: int, _: object) -> None:
        self._signal = number

    def _any_stopped(self) -> bool:
        """What the loop asks in every round, to stop the rest."""
        if self._signal is not None and self.returncode is None:
            self.returncode = honcho.SIGNALS[self._signal]["rc"]
        return self._signal is not None or bool(super()._any_stopped())


def _manage(environ: dict[str, str]) -> int:
    honcho.KILL_WAIT = STOP_SECONDS
    manager = Manager()
    environ = environ | {"PYTHONUNBUFFERED": "1"}
    for process in processes.needed(environ):
        manager.add(
            process.name, process.argv(environ), environ | dict(process.environ), lasting=True
        )
    welcome = [sys.executable, "manage.py", "welcome"]
    manager.add(WELCOME, welcome, environ, lasting=False)
    manager.loop()
    # Stopped by hand is the normal end.
    return 0 if manager.returncode in (130, 143) else int(manager.returncode or 1)


if __name__ == "__main__":
    sys.exit(main())
