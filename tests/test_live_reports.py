"""A real MariaDB server, as its distribution packages it, reports to our receiver: in every way
that it can, and while the receiver is slow, silent, away or comes back.

The server sleeps shorter (tests/mariadb/shorter_waits.c), a second for five minutes, a day or a
week; it sends what it sends in a week within seconds. Its shutdown takes 0.1 s without reports.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction

from feedback.actions.drain import drain_inbox
from feedback.facts import facts_of
from feedback.models import Incoming, Intake, Outcome, Quarantined, Report, ServerWeek
from feedback.receiver.limits import Buckets, Limits, Rate
from feedback.tests.clients import PEPPER, running_receiver
from feedback.tests.conftest import database_url
from portal.embedded import free_port
from tests.intake import receiver_process
from tests.mariadb import ReportingServer, reporting_server
from tests.mariadb.wire import Wire, wire
from tests.nginx import nginx, reverse_proxy
from tests.test_path_server_reports import wait_for, what_this_machine_runs

pytestmark = [pytest.mark.proof, pytest.mark.xdist_group("mariadb")]
MOST_BLOCKED = 1.0  # seconds that a shutdown may take, where its processor is its own
MOST_WHEN_BUSY = 4.5  # still less than the commit of a slow database may take


def most_blocked() -> float:
    """What several processes that wait for each processor make of a second says nothing of us."""
    is_busy = os.getloadavg()[0] > 0.75 * (os.cpu_count() or 1)
    return MOST_WHEN_BUSY if is_busy else MOST_BLOCKED


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the data of the server lies: it is one server, started again for each test."""
    return tmp_path_factory.mktemp("mariadb")


@pytest.fixture
def receiver(transactional_db: None) -> Iterator[int]:
    with running_receiver(database_url()) as port:
        yield port


def url(port: int, scheme: str = "http") -> str:
    return f"{scheme}://127.0.0.1:{port}/rest/v1/post"


def wait_for_oks(server: ReportingServer, number: int) -> None:
    wait_for(lambda: server.oks() >= number, f"no {number} reports were answered with ok")


def assert_a_whole_life_is_known(server: ReportingServer) -> None:
    """Startup, full reports and shutdown of one server, each once, and nothing else. On a busy
    machine one may be stored that was not answered in time.
    """
    if server.gave_up():
        pytest.xfail("the server broke off its own connection while it shut down")
    wait_for(is_shutdown_known, "the shutdown was not reported")
    week = ServerWeek.objects.get()
    assert (week.started, week.stopped) == (True, True)
    told = {key.upper(): value for key, value in what_this_machine_runs().items()}
    facts = facts_of(told)
    assert (week.version, week.distribution) == (facts.version, facts.distribution)
    reports = Report.objects.count()
    assert reports >= max(server.oks(), 3)
    assert Report.objects.full().count() == reports - 2
    assert Intake.objects.get(outcome=Outcome.COUNTED).reports == reports
    assert not Intake.objects.exclude(outcome__in=[Outcome.COUNTED, Outcome.REPEATED]).exists()


def live_and_stop(home: Path, address: str, **more: object) -> ReportingServer:
    """One life of the server, long enough for a startup and a full report."""
    with reporting_server(home, address, **more) as server:
        wait_for_oks(server, 2)
        assert server.stop() < most_blocked()
    return server


def test_a_server_reports_its_whole_life(home: Path, receiver: int) -> None:
    assert_a_whole_life_is_known(live_and_stop(home, url(receiver)))


def test_a_server_reports_through_a_proxy(home: Path, tmp_path: Path, receiver: int) -> None:
    port = free_port()
    forward = f"server {{ listen 127.0.0.1:{port}; client_max_body_size 1m;"
    forward += " location / { proxy_pass http://$http_host$request_uri; } }"
    with wire(lambda: receiver) as behind, nginx(tmp_path, forward, port):
        proxy = f"127.0.0.1:{port}"
        server = live_and_stop(home, url(behind.port), feedback_http_proxy=proxy)
    assert {call.sent.split(b" ")[1] for call in behind.calls} == {b"//rest/v1/post"}
    assert_a_whole_life_is_known(server)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_server_reports_to_the_reverse_proxy(
    home: Path, tmp_path: Path, receiver: int, scheme: str
) -> None:
    """Over TLS too, which it speaks without the name of the host."""
    with reverse_proxy(tmp_path, web=free_port(), receiver=receiver) as ports:
        port = ports.https if scheme == "https" else ports.http
        server = live_and_stop(home, url(port, scheme))
    assert_a_whole_life_is_known(server)


def test_a_slow_database_delays_no_shutdown_and_loses_no_report(home: Path, receiver: int) -> None:
    with wire(lambda: receiver) as line, reporting_server(home, url(line.port)) as server:
        wait_for_oks(server, 2)
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOCK TABLE feedback_incoming IN ACCESS EXCLUSIVE MODE")
            time.sleep(1.5)  # a full report meets it too
            assert server.stop() < most_blocked()
    assert [call.is_delivered for call in line.calls if call.tells == "shutdown"] == [False]
    wait_for(is_shutdown_known, "the report of the shutdown was lost")
    assert_all_is_stored_once(line)


def is_shutdown_known() -> bool:
    while drain_inbox():
        pass
    return ServerWeek.objects.filter(stopped=True).exists()


def assert_all_is_stored_once(line: Wire) -> None:
    """Every report that the server made, however often it sent it."""
    made = {call.sent.partition(b"\r\n\r\n")[2] for call in line.calls if call.sent}
    wait_for(is_shutdown_known, "the shutdown was not reported")
    assert Report.objects.count() == len(made) >= 3
    assert not Incoming.objects.exists()
    assert not Quarantined.objects.exists()


def without_database() -> Any:
    return running_receiver(f"host=127.0.0.1 port={free_port()} dbname=none user=none")


def with_limits() -> Any:
    limits = Limits(servers=Buckets(Rate(burst=0, per_hour=0)))
    return running_receiver(database_url(), limits=limits)


@pytest.mark.parametrize("kind", [without_database, with_limits])
def test_silence_and_refusal_delay_no_shutdown(
    home: Path, transactional_db: None, kind: Callable[[], Any]
) -> None:
    with (
        kind() as port,
        wire(lambda: port) as line,
        reporting_server(home, url(line.port)) as server,
    ):
        wait_for(lambda: len(line.calls) > 1, "the server does not report")
        assert server.stop() < most_blocked()
        wait_for(lambda: line.calls[-1].tells == "shutdown", "the shutdown was not reported")
    assert max(call.seconds for call in line.calls) < most_blocked()
    said = "server replied 'refused: this server has sent too many reports'"
    assert (said in server.said()) == (kind is with_limits)
    assert server.oks() == 0


@pytest.mark.parametrize("is_behind_proxy", [False, True], ids=["direct", "behind nginx"])
def test_a_receiver_that_is_away_delays_no_shutdown(
    home: Path, tmp_path: Path, is_behind_proxy: bool
) -> None:
    nobody = free_port()
    with reverse_proxy(tmp_path, web=nobody, receiver=nobody) as ports:
        address = url(ports.http if is_behind_proxy else nobody)
        with reporting_server(home, address) as server:
            time.sleep(3)
            assert server.stop() < most_blocked()
    assert server.said().count("[ERROR] feedback plugin: ") >= 2
    assert server.oks() == 0


def test_nothing_is_lost_while_the_receiver_is_down_and_comes_back(
    home: Path, tmp_path: Path, transactional_db: None
) -> None:
    with (
        receiver_process(tmp_path, database_url()) as receiver,
        wire(lambda: receiver.port) as line,
    ):
        receiver.kill()
        with reporting_server(home, url(line.port)) as server:
            wait_for(lambda: len(line.calls) >= 2, "the startup was not repeated")
            receiver.start()
            wait_for_oks(server, 2)
            receiver.kill()
            missed = len(line.calls)
            wait_for(lambda: len(line.calls) >= missed + 2, "the report was not repeated")
            receiver.start()
            wait_for_oks(server, 4)
            assert server.stop() < most_blocked()
        assert len(line.delivered("startup")) == 1
    assert server.oks() < len(line.calls)
    assert_all_is_stored_once(line)


def test_the_server_says_no_more_about_itself_than_its_key(home: Path, receiver: int) -> None:
    """Nothing of this machine's names is in what is stored."""
    with wire(lambda: receiver) as line:
        live_and_stop(home, url(line.port))
    uid = line.calls[0].sent.partition(b"FEEDBACK_SERVER_UID\t")[2].partition(b"\n")[0]
    with connection.cursor() as cursor:
        cursor.execute("SELECT string_agg(t::text, '') FROM feedback_incoming t")
        stored = str(cursor.fetchone()[0])
    assert len(uid) > 20
    assert uid.strip(b"\0 ").decode() not in stored
    assert os.uname().nodename not in stored
    assert PEPPER.decode() not in stored
