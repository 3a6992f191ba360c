"""The database server that is measured against: one of its own, or one that is given."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.runner.noise import pinned

DATABASE: Final = "connector_bench"
USER: Final = "connector_bench"
START_SECONDS: Final = 60
COUNTERS: Final = ("Questions", "Com_stmt_execute", "Bytes_sent", "Bytes_received")
VARIABLES: Final = (
    "performance_schema",
    "query_cache_type",
    "innodb_buffer_pool_size",
    "innodb_flush_log_at_trx_commit",
    "key_buffer_size",
    "log_bin",
    "max_allowed_packet",
    "old_mode",
    "sql_mode",
    "thread_handling",
    "version_comment",
)
# Connector/J 5.1.24 reads SHOW COLLATION and stumbles over ids that are NULL.
OPTIONS: Final = (
    "--performance-schema=OFF",
    "--skip-log-bin",
    "--skip-name-resolve",
    "--max-allowed-packet=64M",
    "--innodb-buffer-pool-size=128M",
    "--innodb-flush-log-at-trx-commit=2",
    "--old-mode=UTF8_IS_UTF8MB3,NO_NULL_COLLATION_IDS",
)


class ServerError(Exception):
    """The server cannot be started or asked; the text says what to do."""


@dataclass(frozen=True)
class Server:
    """Where the server listens, who may ask, and its process where it is our own."""

    host: str
    port: int
    socket: str
    user: str
    password: str = field(repr=False)
    pid: int | None = None

    def ask(self, sql: str, *, database: str = "") -> list[list[str]]:
        """Rows of an SQL text as strings, by the command line client. Raises `ServerError`."""
        where = ["-S", self.socket] if self.socket else ["-h", self.host, "-P", str(self.port)]
        words = [client(), "--no-defaults", *where, "-u", self.user, "-N", "-B", database]
        done = subprocess.run(
            [word for word in words if word],
            check=False,
            input=sql,
            text=True,
            capture_output=True,
            env={**os.environ, "MYSQL_PWD": self.password},
            timeout=120,
        )
        if done.returncode:
            raise ServerError(done.stderr.strip()[:500])
        return [line.split("\t") for line in done.stdout.splitlines()]

    def counters(self) -> dict[str, int]:
        names = ", ".join(f"'{name}'" for name in COUNTERS)
        rows = self.ask(f"SHOW GLOBAL STATUS WHERE Variable_name IN ({names})")
        return {name: int(value) for name, value in rows}

    def counting(self) -> dict[str, int]:
        """What reading the counters adds to them: it is a question, too."""
        before = self.counters()
        return {name: value - before[name] for name, value in self.counters().items()}

    def facts(self) -> dict[str, object]:
        """What the portal's format says of a server."""
        names = ", ".join(f"'{name}'" for name in VARIABLES)
        version = self.ask("SELECT VERSION()")[0][0]
        rows = self.ask(f"SHOW GLOBAL VARIABLES WHERE Variable_name IN ({names})")
        return {
            "product": "mariadb" if "maria" in version.lower() else "mysql",
            "version": version,
            "embedded": False,
            "same_host": self.host in {"127.0.0.1", "localhost", "::1"},
            "variables": {row[0]: row[1] if len(row) > 1 else "" for row in rows},
        }


def client() -> str:
    return _program("mariadb", "mysql")


def _program(*names: str) -> str:
    """The first of these programs; those of a system lie outside the PATH of a person."""
    path = os.pathsep.join([os.getenv("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
    for name in names:
        found = shutil.which(name, path=path)
        if found:
            return found
    raise ServerError(f"{names[0]} is not installed; install a MariaDB server or name one.")


def server_program() -> str:
    return _program("mariadbd", "mysqld")


@contextmanager
def own_server(cpus: Collection[int] | None = None) -> Iterator[Server]:
    """A fresh server in a temporary directory, on the loopback address and a socket only."""
    with tempfile.TemporaryDirectory(prefix="connector-bench-") as name:
        folder = Path(name)
        process = _start(folder, cpus, port := free_port())
        try:
            root = Server("127.0.0.1", port, str(folder / "s"), "root", "", process.pid)
            _wait(root, process, folder / "log")
            yield _with_account(root)
        finally:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _start(folder: Path, cpus: Collection[int] | None, port: int) -> subprocess.Popen[bytes]:
    as_root = ["--user=root"] if os.geteuid() == 0 else []
    data = f"--datadir={folder / 'data'}"
    install = [
        _program("mariadb-install-db", "mysql_install_db"),
        *("--no-defaults", data, *as_root, "--skip-test-db"),
        "--auth-root-authentication-method=normal",
    ]
    done = subprocess.run(install, check=False, capture_output=True, text=True)
    if done.returncode:
        raise ServerError(f"No data directory could be made: {done.stderr.strip()[-300:]}")
    words = [server_program(), "--no-defaults", data, *as_root, *OPTIONS]
    words += [f"--socket={folder / 's'}", f"--port={port}", "--bind-address=127.0.0.1"]
    words += [f"--pid-file={folder / 'pid'}"]
    with pinned(cpus), (folder / "log").open("wb") as log:
        return subprocess.Popen(words, stdout=log, stderr=log, stdin=subprocess.DEVNULL)


def _wait(server: Server, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        try:
            server.ask("SELECT 1")
        except ServerError:
            time.sleep(0.1)
        else:
            return
    raise ServerError(f"The server did not start: {log.read_text(errors='replace')[-500:]}")


def _with_account(root: Server) -> Server:
    """An account with a password for the drivers: not all know how to come in without one."""
    password = secrets.token_hex(12)
    root.ask(f"CREATE DATABASE {DATABASE}")
    for host in ("localhost", "127.0.0.1"):
        root.ask(
            f"CREATE USER '{USER}'@'{host}' IDENTIFIED BY '{password}';"
            f"GRANT ALL ON *.* TO '{USER}'@'{host}'"
        )
    return Server(root.host, root.port, root.socket, USER, password, root.pid)


def given_server(address: Mapping[str, str]) -> Server:
    """A server that somebody else started; its CPU placement cannot be known."""
    server = Server(
        host=address.get("host") or "127.0.0.1",
        port=int(address.get("port") or 3306),
        socket=address.get("socket", ""),
        user=address.get("user") or "root",
        password=address.get("password", ""),
    )
    server.ask(f"CREATE DATABASE IF NOT EXISTS {DATABASE}")
    return server
