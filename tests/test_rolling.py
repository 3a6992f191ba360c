"""Two web and two worker processes: one installation, and replaced without a failed request."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import requests
import urllib3

from portal import processes
from portal.embedded import free_port
from tests.key_change import Clients, public
from tests.nginx import await_port, reverse_proxy
from tests.package_clients import build_deb
from tests.publisher import Publisher, wait_for
from tests.stack import ROOT, Stack

pytestmark = [
    pytest.mark.proof,
    pytest.mark.filterwarnings("ignore::urllib3.exceptions.InsecureRequestWarning"),
]
DRAIN = 3
PRODUCT = "rolldb"
PAGES = ["/", "/releases/", "/news/", "/health/live"]


@dataclass
class Web:
    """A web process beside those of the stack."""

    stack: Stack
    port: int = field(default_factory=free_port)

    def start(self) -> None:
        environ = self.stack.env | {"WEB_PORT": str(self.port), "WEB_DRAIN": str(DRAIN)}
        process = processes.PROCESSES["web"]
        with (self.stack.folder / f"web-{self.port}.log").open("ab") as output:
            self.child = subprocess.Popen(
                process.argv(environ),
                env=environ | dict(process.environ),
                cwd=ROOT,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        self.wait()

    def wait(self) -> None:
        await_port(self.port, 60)
        wait_for(lambda: self.get("/health/live").ok)

    def get(self, path: str, session: requests.Session | None = None) -> requests.Response:
        reader = session or requests
        return reader.get(f"http://localhost:{self.port}{path}", timeout=30)

    def stop(self) -> None:
        """Told to end as systemd and containers do: the first process alone."""
        os.kill(self.child.pid, signal.SIGTERM)
        assert self.child.wait(60) == 0

    def end(self) -> None:
        if self.child.poll() is None:
            os.killpg(self.child.pid, signal.SIGKILL)
            self.child.wait()


@contextmanager
def webs(stack: Stack) -> Iterator[list[Web]]:
    found = [Web(stack), Web(stack)]
    try:
        for web in found:
            web.start()
        yield found
    finally:
        for web in found:
            web.end()


@contextmanager
def second_worker(stack: Stack) -> Iterator[None]:
    process = processes.PROCESSES["worker"]
    with (stack.folder / "worker-2.log").open("ab") as output:
        child = subprocess.Popen(
            [*process.argv(stack.env), "--hostname", "second@%h"],
            env=stack.env,
            cwd=ROOT,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        yield
    finally:
        child.terminate()
        try:
            child.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()


class Load:
    """Visitors who read and send without a pause, each over connections of their own."""

    def __init__(self, address: str, visitors: int) -> None:
        self.address = address
        self.answers: Counter[str] = Counter()
        self.failed: list[str] = []
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._visit) for _ in range(visitors)]

    def __enter__(self) -> Load:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def wait_for_more(self) -> None:
        before = self.answers.total()
        wait_for(lambda: self.answers.total() > before + 20 or bool(self.failed))
        assert self.failed == []

    def _visit(self) -> None:
        with requests.Session() as session:
            session.verify = False
            session.trust_env = False  # else a proxy of this machine might be asked
            while not self._over.is_set():
                for path in PAGES:
                    self._count("GET", session, path)
                self._count("POST", session, "/csp-report/")

    def _count(self, method: str, session: requests.Session, path: str) -> None:
        headers = {"Host": "localhost", "Content-Type": "application/csp-report"}
        data = b'{"csp-report": {}}' if method == "POST" else None
        try:
            answer = session.request(
                method, self.address + path, headers=headers, data=data, timeout=60
            )
        except requests.RequestException as error:
            self.failed.append(f"{method} {path}: {error}")
            return
        self.answers[method] += 1
        if answer.status_code >= 500:
            self.failed.append(f"{method} {path}: {answer.status_code}")


def test_two_webs_and_two_workers_are_one_portal(stack: Stack, tmp_path: Path) -> None:
    """A session of one web holds on the other; what one worker had to leave the other does."""
    with webs(stack) as (first, second), second_worker(stack):
        publisher = Publisher(stack, PRODUCT)
        publisher.draft("12.3.0")
        deb = build_deb(tmp_path, f"{PRODUCT}-server", "12.3.0")
        publisher.upload("12.3.0", "--distribution", "debian-12", deb)
        publisher.publish("12.3.0")
        stack.kill("worker")
        wait_for(lambda: publisher.states() == {"current"})

        frank = stack.sign_in("frank@example.org")
        assert {web.get("/staff/", frank).status_code for web in (first, second)} == {200}
        index = f"/repo/{PRODUCT}/12.3/debian/dists/bookworm/InRelease"
        assert first.get(index).content == second.get(index).content
        keyring = public(stack, f"{PRODUCT}-archive-keyring")
        assert Clients(stack, PRODUCT, tmp_path).apt_installs(keyring)
    stack.start("worker")
    stack.wait_ready()


def test_webs_are_replaced_under_load_without_a_failed_request(
    stack: Stack, tmp_path: Path
) -> None:
    urllib3.disable_warnings()
    receiver = int(stack.env["RECEIVER_PORT"])
    with webs(stack) as (first, second):
        both = reverse_proxy(tmp_path, web=first.port, more_webs=[second.port], receiver=receiver)
        with (
            both as proxy,
            Load(f"https://127.0.0.1:{proxy.https}", visitors=6) as load,
        ):
            for web in (first, second, first):
                replace(web)
                load.wait_for_more()
    assert load.failed == []
    assert load.answers["POST"] > 10
    print(f"{dict(load.answers)} answers, {len(load.failed)} failed")  # noqa: T201 - the proof's figures


def replace(web: Web) -> None:
    """One is told to end: it says that it is not ready, answers on, and then takes nothing."""
    stopping = threading.Thread(target=web.stop)
    stopping.start()
    time.sleep(0.5)
    told = web.get("/health/ready")
    assert told.status_code == 503
    assert told.headers["Connection"] == "close"
    assert web.get("/").status_code == 200
    stopping.join()
    with pytest.raises(requests.ConnectionError):
        web.get("/")
    web.start()
