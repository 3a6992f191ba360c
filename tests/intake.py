"""Processes that take reports in, started and killed one by one, without the rest of a stack."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import psycopg
from celery import Celery

from feedback.parser import server_key
from feedback.tests.clients import PEPPER
from portal import embedded, local, processes
from portal.embedded import free_port
from tests.nginx import await_port
from tests.stack import INHERITED

ROOT = Path(__file__).resolve().parent.parent


@dataclass
class Program:
    """A process of the table (portal/processes.py) with an environment of its own."""

    name: str
    environ: Mapping[str, str]
    log: Path
    child: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def start(self) -> None:
        process = processes.PROCESSES[self.name]
        with self.log.open("ab") as output:
            self.child = subprocess.Popen(
                process.argv(self.environ),
                env={**self.environ, **process.environ},
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def kill(self) -> None:
        """It and its children, without a chance to tidy up."""
        if self.child is not None:
            os.killpg(self.child.pid, signal.SIGKILL)
            self.child.wait()
            self.child = None


@dataclass
class ReceiverProcess(Program):
    """The receiver on a port that stays the same over its lives."""

    @property
    def port(self) -> int:
        return int(self.environ["RECEIVER_PORT"])

    def start(self) -> None:
        super().start()
        await_port(self.port)


@contextmanager
def receiver_process(folder: Path, database_url: str) -> Iterator[ReceiverProcess]:
    """A running receiver that may be killed and started again."""
    environ = os.environ | {
        "DATABASE_URL": database_url,
        "FEEDBACK_PEPPER": PEPPER.decode(),
        "LISTEN_HOST": "127.0.0.1",
        "RECEIVER_PORT": str(free_port()),
    }
    found = ReceiverProcess("receiver", environ, folder / "receiver.log")
    found.start()
    try:
        yield found
    finally:
        found.kill()


class Intake:
    """PostgreSQL, Redis, a receiver and a worker that belong to one test: it may kill them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._redis = embedded.start_redis(folder, durable=True)
        self._postgres = embedded.start_postgres(folder, durable=True)
        ports = {f"{name}_PORT": str(free_port()) for name in ("RECEIVER", "WEB", "TWIN")}
        self.environ = local.environment(
            {key: os.environ[key] for key in INHERITED if key in os.environ}
            | {"STATE_DIR": str(folder / "var"), "LISTEN_HOST": "127.0.0.1"}
            | {"DATABASE_URL": self._postgres.url, "REDIS_URL": self._redis.url}
            | ports
        )
        for app in ("feedback", "releases"):  # facts ask the release catalogue for versions
            self.manage("migrate", app, "--verbosity=0")
        self.receiver = ReceiverProcess("receiver", self.environ, folder / "receiver.log")
        self.worker = Program("worker", self.environ, folder / "worker.log")
        self.receiver.start()
        self.worker.start()

    def close(self) -> None:
        self.receiver.kill()
        self.worker.kill()
        self._postgres.stop()
        self._redis.stop()

    def manage(self, *words: str) -> None:
        subprocess.run(
            [sys.executable, "manage.py", *words], env=self.environ, cwd=ROOT, check=True
        )

    def sql(self, query: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.environ["DATABASE_URL"], autocommit=True) as connection:
            return connection.execute(query.encode(), values).fetchall()

    def key(self, uid: str) -> bytes:
        """What stands for a server in the store."""
        return server_key(uid.encode(), self.environ["FEEDBACK_PEPPER"].encode())

    def drain(self) -> None:
        """Ask the worker to read the inbox, as the beat does every ten seconds."""
        with Celery(broker=self.environ["REDIS_URL"], set_as_current=False) as app:
            app.send_task("feedback.tasks.drain", queue="feedback")

    # --- the death of PostgreSQL ---

    def kill_postgres(self) -> None:
        """All of it at once, as the system does when memory ends; it starts where it stood."""
        parent = psutil.Process(self._postgres.process.pid)
        for process in [parent, *parent.children(recursive=True)]:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        self._postgres.process.wait()

    def start_postgres(self) -> None:
        port = urlsplit(self._postgres.url).port
        self._postgres = embedded.start_postgres(self.folder, durable=True, port=port)

    def kill_backend(self) -> None:
        """The process that serves the receiver: PostgreSQL ends all others and recovers."""
        found = self.sql("SELECT pid FROM pg_stat_activity WHERE query LIKE 'COPY%%' LIMIT 1")
        for (pid,) in found or self.sql("SELECT pg_backend_pid()"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
