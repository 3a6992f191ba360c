"""The fixture `stack`: the real processes of the portal, as `make run` starts them.

    def test_a_killed_worker_loses_nothing(stack: Stack) -> None:
        visitor = stack.sign_in("dana@example.org")       # real pages, second factor too
        stack.kill("worker")
        visitor.post(f"{stack.url}/...", data={...})
        stack.start("worker")
        stack.wait_ready()
        assert stack.sql("SELECT state FROM releases_publication") == [("published",)]

The processes of portal/processes.py run on free ports against a database, a Redis number
and a state folder of their own, with the first demonstration data (its people have the
password `stack.password`). They are started once for the tests of a run, which xdist keeps
in one worker; a process that a test left dead is started again after it. `stack.manage()`
runs a command of manage.py in the same environment; `stack.log("web")` is what it printed.
"""

from __future__ import annotations

import os
import re
import secrets
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
import requests
from redis import Redis

from portal import embedded, local, processes
from tests.services import on_server

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 90.0  # seconds for all processes to become ready
INHERITED = ("PATH", "HOME", "LANG", "COVERAGE_PROCESS_CONFIG")  # the last measures the processes
REDIS_NUMBERS = 7  # for each xdist worker, from 1 up; 0 belongs to the ordinary tests


class Stack:
    """A running installation. Use the fixture; the class is there for annotations."""

    def __init__(self, folder: Path, number: int) -> None:
        self.folder = folder
        self.database = f"stack_{secrets.token_hex(4)}"
        port = embedded.free_port()
        self.url = f"http://localhost:{port}"
        self.password = "stack-" + secrets.token_urlsafe(9)
        inherited = {key: os.environ[key] for key in INHERITED if key in os.environ}
        self.env = local.environment(
            inherited
            | {f"{name}_PORT": str(embedded.free_port()) for name in ("WEB", "RECEIVER", "TWIN")}
            | {
                "PORT": str(port),
                "STATE_DIR": str(folder / "var"),
                "DATABASE_URL": _with_path(os.environ["DATABASE_URL"], self.database),
                "REDIS_URL": _with_path(os.environ["REDIS_URL"], str(number)),
                "DEMONSTRATION_PASSWORD": self.password,
                "PYTHONUNBUFFERED": "1",
            }
        )
        self.children: dict[str, subprocess.Popen[bytes]] = {}
        self._codes_used: dict[str, int] = {}

    # --- life ---

    def open(self, template: str) -> None:
        """Make the database, load the first data, start every process."""
        on_server("CREATE DATABASE {} TEMPLATE {}", self.database, template)
        # What was committed outlives a process of PostgreSQL here, as in production.
        on_server("ALTER DATABASE {} SET synchronous_commit = on", self.database)
        with Redis.from_url(self.env["REDIS_URL"]) as client:
            client.flushdb()
        self.manage("prepare")
        for process in processes.needed(self.env):
            self.start(process.name)
        self.wait_ready()

    def close(self) -> None:
        for name in list(self.children):
            self.stop(name)
        for suffix in ("", "_registrar", "_box"):
            on_server("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.database + suffix)

    def start(self, name: str) -> None:
        """Start one process of the table; `wait_ready()` says when it answers."""
        process = processes.PROCESSES[name]
        with self._log_path(name).open("ab") as output:
            self.children[name] = subprocess.Popen(
                process.argv(self.env),
                env=self.env | dict(process.environ),
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def kill(self, name: str) -> None:
        """End one process with its children, without a chance to tidy up."""
        self._end(name, signal.SIGKILL)

    def stop(self, name: str) -> None:
        """Ask one process to end, as a deployment does."""
        self._end(name, signal.SIGTERM)

    def wait_ready(self, patience: float = PATIENCE) -> None:
        """Return when every process answers; fail with what they printed otherwise."""
        deadline = time.monotonic() + patience
        while True:
            try:
                with urllib.request.urlopen(self.readiness(), timeout=10):  # noqa: S310
                    return
            except (urllib.error.URLError, OSError) as error:
                answer = error
            if time.monotonic() > deadline:
                logs = [f"--- {name}\n{self.log(name)[-1500:]}" for name in self.children]
                told = answer.read().decode() if isinstance(answer, urllib.error.HTTPError) else ""
                pytest.fail("\n".join([f"The stack is not ready: {answer} {told}", *logs]))
            time.sleep(0.1)

    def readiness(self) -> urllib.request.Request:
        """The question whether every part is ready, as an operator asks: answered anew."""
        bearer = {"Authorization": f"Bearer {self.env['METRICS_TOKEN']}"}
        return urllib.request.Request(f"{self.url}/health/ready", headers=bearer)  # noqa: S310

    def start_what_died(self) -> None:
        dead = [name for name, child in self.children.items() if child.poll() is not None]
        for name in dead:
            self.start(name)
        if dead:
            self.wait_ready()

    # --- use ---

    def manage(self, *words: str, check: bool = True) -> str:
        """What `manage.py words` prints, in the environment of the stack."""
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            env=self.env,
            cwd=ROOT,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        if check and done.returncode != 0:
            pytest.fail(f"manage.py {' '.join(words)}: {done.stdout}\n{done.stderr}")
        return done.stdout

    def sql(self, query: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Rows of the stack's database."""
        with psycopg.connect(self.env["DATABASE_URL"], autocommit=True) as connection:
            cursor = connection.execute(query.encode(), values)
            return cursor.fetchall() if cursor.description else []

    def log(self, name: str) -> str:
        """What a process has printed so far."""
        path = self._log_path(name)
        return path.read_text(errors="replace") if path.exists() else ""

    def letters(self) -> list[str]:
        """The letters that were sent, oldest first."""
        folder = self.folder / "var" / "mail"
        return [path.read_text() for path in sorted(folder.glob("*.log"))]

    def sign_in(self, email: str) -> requests.Session:
        """A session that went through the real pages, the second factor included.

        `session.post(url, data={...})` needs the token: use `self.post(session, path, ...)`.
        """
        session = requests.Session()
        answer = self.post(session, "/accounts/login/", {"login": email, "password": self.password})
        if "/2fa/" in answer.url:
            answer = self.post(session, urlsplit(answer.url).path, {"code": self._code(email)})
        if "sessionid" not in session.cookies or urlsplit(answer.url).path != "/accounts/":
            said = re.sub(r"<[^>]*>|\s+", " ", answer.text)
            pytest.fail(f"{email} could not sign in; {answer.url} says {said[-3000:]}")
        return session

    def post(
        self, session: requests.Session, path: str, data: dict[str, Any], **options: Any
    ) -> requests.Response:
        """Open the page, take its token, and post the form to the same address."""
        page = session.get(f"{self.url}{path}", timeout=30)
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
        if token is None:
            pytest.fail(f"{page.url} ({page.status_code}) has no form")
        form = data | {"csrfmiddlewaretoken": token[1]}
        return session.post(
            page.url, data=form, headers={"Referer": page.url}, timeout=30, **options
        )

    def cookies(self, email: str) -> list[dict[str, str]]:
        """The cookies of `sign_in`, as `context.add_cookies` of Playwright takes them."""
        session = self.sign_in(email)
        return [
            {"name": cookie.name, "value": cookie.value or "", "url": self.url}
            for cookie in session.cookies
        ]

    # --- inside ---

    def _code(self, email: str) -> str:
        """A code that was not used yet: the page takes each once, this one and the next."""
        from portal.accounts.demonstration import totp_code  # needs Django to be set up

        counter = max(int(time.time()) // 30, self._codes_used.get(email, 0) + 1)
        while counter > int(time.time()) // 30 + 1:
            time.sleep(1)
        self._codes_used[email] = counter
        return totp_code(email, self.password, period=counter)

    def _end(self, name: str, how: signal.Signals) -> None:
        child = self.children[name]
        try:
            os.killpg(child.pid, how)
            child.wait(20)
        except ProcessLookupError:
            child.wait()
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()

    def _log_path(self, name: str) -> Path:
        return self.folder / f"{name}.log"


def _with_path(url: str, path: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{path}"))


@pytest.fixture(scope="session")
def _running_stack(
    tmp_path_factory: pytest.TempPathFactory, database_template: str
) -> Iterator[Stack]:
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    stack = Stack(tmp_path_factory.mktemp("stack"), 1 + int(worker) * REDIS_NUMBERS)
    try:
        stack.open(database_template)
        yield stack
    finally:
        stack.close()


@pytest.fixture
def stack(_running_stack: Stack) -> Iterator[Stack]:
    """The real processes; see the top of this file."""
    yield _running_stack
    _running_stack.start_what_died()


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is dear to start or make stays in one xdist worker (--dist loadgroup): the one stack of
    a run, the browser of a module, the rows that the ordinary tests of a module share; a module may
    group its tests itself. The stack's tests come first, as nothing can share them, then those that
    cross apps: they are the longest.
    """
    for item in items:
        fixtures = getattr(item, "fixturenames", [])
        if "stack" in fixtures:
            item.add_marker(pytest.mark.xdist_group("stack"))
        elif item.get_closest_marker("xdist_group"):
            continue
        elif "browser" in fixtures or not item.get_closest_marker("proof"):
            item.add_marker(pytest.mark.xdist_group(_module(item)))
    items.sort(
        key=lambda item: (
            "stack" not in getattr(item, "fixturenames", []),
            not _module(item).startswith("tests/"),
            _module(item),
        )
    )


def _module(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]
