"""Receiver, worker and PostgreSQL are killed at random, again and again, while reports come in.

Senders repeat what got no answer, as database servers do. In the end every report that got its
`<h1>ok</h1>` is in the store, once. Everything belongs to the test, so nothing else is disturbed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import psycopg
import pytest

from feedback.fleet import body, fleet, values
from feedback.tests.clients import post, send
from portal.embedded import free_port
from tests.intake import Intake
from tests.nginx import Ports, reverse_proxy
from tests.test_path_server_reports import wait_for

pytestmark = pytest.mark.xdist_group("intake")
SEED = 20261121
SENDERS = 12
BETWEEN = 25  # reports that are taken between two kills


@pytest.fixture(scope="module")
def intake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Intake]:
    found = Intake(tmp_path_factory.mktemp("intake"))
    yield found
    found.close()


@dataclass
class Senders:
    """Servers, each with one report that it sends until it is answered."""

    name: str
    port: int
    delivered: list[str] = field(default_factory=list)
    unanswered: int = 0
    answers: set[bytes] = field(default_factory=set)
    _stopped: threading.Event = field(default_factory=threading.Event)
    _threads: list[threading.Thread] = field(default_factory=list)

    def start(self) -> None:
        self._threads = [threading.Thread(target=self._send, args=(n,)) for n in range(SENDERS)]
        for thread in self._threads:
            thread.start()

    def finish(self) -> None:
        """Everybody delivers what they have begun."""
        self._stopped.set()
        for thread in self._threads:
            thread.join(60)
            assert not thread.is_alive(), "a report is not answered"

    def _send(self, sender: int) -> None:
        number = 0
        [server] = fleet(1, seed=sender)
        while not self._stopped.is_set():
            uid, number = f"{self.name}-{sender}-{number}", number + 1
            long = {f"VARIABLE_{n}": str(n) for n in range(900)} if number % 10 == 0 else {}
            self._deliver(uid, post(body(uid, values(server, 50) | long)))

    def _deliver(self, uid: str, request: bytes) -> None:
        while not (answer := self._answer(request)):
            self.unanswered += 1
            time.sleep(0.1)
        self.answers.add(answer.partition(b"\r\n\r\n")[2])
        self.delivered.append(uid)

    def _answer(self, request: bytes) -> bytes:
        try:
            return send(self.port, request, patience=10)
        except OSError:
            return b""


@dataclass
class Killer:
    """Strikes at random, and starts again what died."""

    intake: Intake
    random: Random

    def strike(self) -> None:
        victim = self.random.choice(["receiver", "receiver", "worker", "backend", "postgres"])
        strikes: dict[str, Callable[[], None]] = {
            "receiver": self._receiver,
            "worker": self._worker,
            "backend": self.intake.kill_backend,
            "postgres": self._postgres,
        }
        strikes[victim]()

    def _receiver(self) -> None:
        self.intake.receiver.kill()
        self._wait()
        self.intake.receiver.start()

    def _worker(self) -> None:
        """While it reads what came in."""
        self.intake.drain()
        self._wait()
        self.intake.worker.kill()
        self.intake.worker.start()

    def _postgres(self) -> None:
        self.intake.kill_postgres()
        self._wait()
        self.intake.start_postgres()

    def _wait(self) -> None:
        time.sleep(self.random.random() * 0.2)


def kill_under_load(intake: Intake, senders: Senders, *, kills: int, seed: int) -> None:
    """Between two kills some reports get through."""
    killer = Killer(intake, Random(seed))
    senders.start()
    try:
        for _ in range(kills):
            enough = len(senders.delivered) + BETWEEN
            wait_for(lambda: len(senders.delivered) >= enough, "no report is taken any more")  # noqa: B023  (called at once)
            time.sleep(killer.random.random() * 0.1)
            killer.strike()
    finally:
        senders.finish()


def all_is_read(intake: Intake) -> bool:
    """The inbox is empty; the worker is asked again, as the beat does."""
    try:
        if intake.sql("SELECT count(*) FROM feedback_incoming") == [(0,)]:
            return True
    except psycopg.OperationalError:
        return False
    intake.drain()
    time.sleep(1)
    return False


def assert_each_is_stored_once(intake: Intake, uids: list[str]) -> None:
    assert len(uids) == len(set(uids))
    query = "SELECT count(*), count(DISTINCT server_key) FROM {} WHERE server_key = ANY(%s)"
    keys = [intake.key(uid) for uid in uids]
    for table in ("feedback_report", "feedback_serverweek"):
        assert intake.sql(query.format(table), (keys,)) == [(len(uids), len(uids))]
    assert intake.sql("SELECT count(*) FROM feedback_quarantined") == [(0,)]
    counted = "SELECT sum(reports) FROM feedback_intake WHERE outcome = 'counted'"
    assert intake.sql(counted) == intake.sql("SELECT count(*) FROM feedback_report")


def proof(intake: Intake, folder: Path, kills: int, *, is_behind_proxy: bool) -> None:
    receiver = intake.receiver.port
    direct = nullcontext(Ports(receiver, receiver))
    behind = reverse_proxy(folder, web=free_port(), receiver=receiver)
    with behind if is_behind_proxy else direct as ports:
        senders = Senders(f"{'behind' if is_behind_proxy else 'direct'}-{kills}", ports.http)
        kill_under_load(intake, senders, kills=kills, seed=SEED + is_behind_proxy)
    wait_for(lambda: all_is_read(intake), "the inbox is not read")
    assert senders.answers == {b"<h1>ok</h1>"}
    assert senders.unanswered > 0
    assert_each_is_stored_once(intake, senders.delivered)


DOORS = pytest.mark.parametrize("is_behind_proxy", [False, True], ids=["direct", "behind nginx"])


@pytest.mark.proof
@DOORS
def test_what_got_ok_survives_ten_kills(
    intake: Intake, tmp_path: Path, is_behind_proxy: bool
) -> None:
    proof(intake, tmp_path, 10, is_behind_proxy=is_behind_proxy)


@pytest.mark.proof_full
@DOORS
def test_what_got_ok_survives_a_hundred_kills(
    intake: Intake, tmp_path: Path, is_behind_proxy: bool
) -> None:
    proof(intake, tmp_path, 100, is_behind_proxy=is_behind_proxy)
