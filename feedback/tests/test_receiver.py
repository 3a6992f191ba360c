"""The receiver with real sockets and the real database."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.db import connection, transaction

from feedback.actions.drain import drain_inbox
from feedback.inbox import deletion_digest
from feedback.models import Incoming, Intake, ServerWeek
from feedback.packing import unpack
from feedback.receiver import reply
from feedback.receiver.__main__ import secret
from feedback.receiver.connection import BODY_LIMIT
from feedback.receiver.limits import Buckets, Limits, Newcomers, Rate
from feedback.tests.clients import lines, multipart, post, recorded, report, running_receiver, send
from feedback.tests.conftest import database_url
from portal.embedded import free_port

FILES = ["startup.bin", "full.bin", "full_tab_in_user_info.bin", "shutdown.bin"]


@pytest.mark.parametrize("name", [*FILES, "through_proxy.bin"])
def test_what_a_real_server_sent_is_stored_and_answered_ok(
    receiver: int, shared_data: Path, name: str
) -> None:
    answer = send(receiver, recorded(shared_data, name))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert body == b"<h1>ok</h1>"
    assert head.startswith(b"HTTP/1.1 200 ")
    assert b"Connection: close" in head
    assert len(answer) <= reply.LIMIT
    row = Incoming.objects.get()
    assert len(row.server_key) == 16
    assert b"FEEDBACK_SERVER_UID\t" in unpack(bytes(row.body))


def test_neither_the_identity_nor_the_address_of_a_sender_is_stored(
    receiver: int, shared_data: Path
) -> None:
    send(receiver, recorded(shared_data, "full_tab_in_user_info.bin"))
    row = Incoming.objects.get()
    body = unpack(bytes(row.body))
    for secret_text in (b"noXlLLa2od3mQW8oOulZC8ESuAY", b"Acme", b"127.0.0.1", b"http"):
        assert secret_text not in body
    assert row.deletion_digest is None


def test_the_file_that_a_person_posts_is_answered_with_a_deletion_code(
    receiver: int, shared_data: Path
) -> None:
    manual = (shared_data / "feedback" / "manual_report.txt").read_bytes()
    answer = send(receiver, post(multipart(manual), agent="curl/7.88.1")).decode()
    found = re.search(r"<h1>ok, deletion code ([A-Z2-7-]+)</h1>", answer)
    assert found
    assert bytes(Incoming.objects.get().deletion_digest or b"") == deletion_digest(found[1])


def test_many_at_once_share_few_commits_and_none_is_lost(receiver: int) -> None:
    with ThreadPoolExecutor(40) as pool:
        answers = list(
            pool.map(
                lambda n: send(receiver, report({"VERSION": "11.4.2-MariaDB"}, f"server-{n}")),
                range(200),
            )
        )
    assert all(answer.endswith(b"<h1>ok</h1>") for answer in answers)
    assert Incoming.objects.count() == 200
    assert Incoming.objects.values("received_at").distinct().count() > 1


def test_a_report_that_is_too_large_is_read_to_its_end_and_refused_for_good(
    transactional_db: None,
) -> None:
    with running_receiver(database_url()) as port:
        answer = send(port, post(multipart(b"K\t" + b"x" * BODY_LIMIT)))
        assert answer == reply.TOO_LARGE
        assert len(answer) <= reply.LIMIT
    assert not Incoming.objects.exists()
    assert Intake.objects.get(outcome="too_large").reports == 1


def test_a_body_without_end_is_refused_before_it_ends(receiver: int) -> None:
    head = b"POST /rest/v1/post HTTP/1.0\r\nContent-Length: 99999999999\r\n\r\n"
    assert send(receiver, head + b"x" * (17 * 2**20)) in {reply.TOO_LARGE, b""}


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"POST /rest/v1/post HTTP/1.0\r\n\r\n",
        b"POST /rest/v1/post HTTP/1.0\r\nContent-Length: x\r\n\r\n",
        b"POST /rest/v1/post HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        b"POST /rest/v1/post HTTP/1.0\r\nno colon\r\n\r\n",
        b"x" * 20_000,
    ],
)
def test_what_is_no_request_is_refused(transactional_db: None, request_bytes: bytes) -> None:
    with running_receiver(database_url()) as port:
        assert send(port, request_bytes) == reply.MALFORMED
    assert Intake.objects.get(outcome="malformed").reports == 1


def test_other_addresses_are_not_found_and_health_is_told(receiver: int) -> None:
    assert send(receiver, b"GET /health/live HTTP/1.1\r\n\r\n") == reply.LIVE
    assert send(receiver, b"GET /rest/v1/post HTTP/1.1\r\n\r\n") == reply.NOT_HERE
    assert send(receiver, b"POST /else HTTP/1.1\r\n\r\n") == reply.NOT_HERE


def test_a_sender_who_asks_first_is_told_to_continue(receiver: int) -> None:
    body = multipart(lines({"VERSION": "11.4.2"}))
    request = post(body).replace(b"Accept: */*", b"Expect: 100-continue", 1)
    answer = send(receiver, request)
    assert answer.startswith(reply.CONTINUE)
    assert answer.endswith(b"<h1>ok</h1>")


def test_a_body_may_arrive_in_pieces_and_the_sender_may_close_its_side(receiver: int) -> None:
    request = report({"VERSION": "11.4.2"})
    with socket.create_connection(("127.0.0.1", receiver)) as client:
        for at in range(0, len(request), 50):
            client.sendall(request[at : at + 50])
            time.sleep(0.001)
        client.shutdown(socket.SHUT_WR)
        assert client.recv(2000).endswith(b"<h1>ok</h1>")


def test_half_a_report_is_neither_stored_nor_answered(receiver: int) -> None:
    with socket.create_connection(("127.0.0.1", receiver)) as client:
        client.sendall(report({"VERSION": "11.4.2"})[:-10])
        client.shutdown(socket.SHUT_WR)
        assert client.recv(2000) == b""
    assert not Incoming.objects.exists()


def test_a_slow_sender_is_cut_at_the_deadline(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("feedback.receiver.connection.DEADLINE", 0.3)
    with running_receiver(database_url()) as port:
        assert send(port, b"POST /rest/v1/post HTTP/1.0\r\nContent-Length: 100\r\n\r\n") == b""


def test_where_there_are_too_many_connections_the_slowest_is_cut(transactional_db: None) -> None:
    with (
        running_receiver(database_url(), most=1) as port,
        socket.create_connection(("127.0.0.1", port), timeout=10) as slow,
    ):
        slow.sendall(b"POST /rest/v1/post HTTP/1.0\r\n")
        assert send(port, report({"VERSION": "11.4.2"})).endswith(b"<h1>ok</h1>")
        assert received(slow) == b""


def test_what_all_senders_have_begun_fits_into_one_budget(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("feedback.receiver.connection.BUFFERED", 1_500)
    whole = report({"VERSION": "10.11.19-MariaDB", "FILLER": "x" * 1_000})
    half = whole[:1_000]
    with (
        running_receiver(database_url()) as port,
        socket.create_connection(("127.0.0.1", port), timeout=10) as first,
        socket.create_connection(("127.0.0.1", port), timeout=10) as second,
    ):
        first.sendall(half)
        second.sendall(half)
        assert received(first) == b""  # at once, not at the deadline
        second.sendall(whole[1_000:])
        assert received(second).endswith(b"<h1>ok</h1>")
    assert Incoming.objects.count() == 1


def received(connection: socket.socket) -> bytes:
    """What comes until the other side ends it, in words or rudely."""
    answer = b""
    with contextlib.suppress(ConnectionResetError):
        while data := connection.recv(65536):
            answer += data
    return answer


def test_a_queue_of_too_many_bytes_takes_nothing_more(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("feedback.receiver.store.WAITING_BYTES", 10)
    with running_receiver(database_url()) as port:
        assert send(port, report({"VERSION": "1"})) == b""
    assert not Incoming.objects.exists()


def test_without_a_database_not_one_byte_is_answered() -> None:
    with running_receiver(f"host=127.0.0.1 port={free_port()} dbname=none user=none") as port:
        assert send(port, report({"VERSION": "11.4.2"})) == b""
        assert send(port, post(b"x" * (BODY_LIMIT + 1))) == reply.TOO_LARGE


def test_a_full_queue_takes_nothing_more(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("feedback.receiver.store.WAITING_LIMIT", 0)
    with running_receiver(database_url()) as port:
        assert send(port, report({"VERSION": "11.4.2"})) == b""


def test_a_database_that_does_not_answer_costs_seconds_not_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("feedback.receiver.store.PATIENCE", 0.5)
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()
        url = f"host=127.0.0.1 port={deaf.getsockname()[1]} dbname=none user=none"
        with running_receiver(url) as port:
            started = time.monotonic()
            assert send(port, report({"VERSION": "11.4.2"})) == b""
            assert time.monotonic() - started < 5


def test_a_commit_that_takes_long_keeps_no_sender_waiting_and_stores_the_report(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("feedback.receiver.store.ANSWER_WITHIN", 0.05)
    with running_receiver(database_url()) as port:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOCK TABLE feedback_incoming IN ACCESS EXCLUSIVE MODE")
            assert send(port, report({"VERSION": "11.4.2"})) == b""
        assert send(port, report({"VERSION": "11.4.2"}, "another")).endswith(b"<h1>ok</h1>")
    assert Incoming.objects.count() == 2


def test_what_could_not_be_stored_counts_against_no_limit() -> None:
    limits = Limits(servers=Buckets(Rate(burst=1, per_hour=0)))
    with running_receiver(f"host=127.0.0.1 port={free_port()} dbname=none", limits=limits) as port:
        for _ in range(3):
            assert send(port, report({"VERSION": "11.4.2"})) == b""


def test_who_sends_too_often_is_told_so_once_and_for_all(transactional_db: None) -> None:
    limits = Limits(servers=Buckets(Rate(burst=1, per_hour=0)))
    with running_receiver(database_url(), limits=limits) as port:
        assert send(port, report({"VERSION": "11.4.2"})).endswith(b"<h1>ok</h1>")
        assert send(port, report({"VERSION": "11.4.2"})) == reply.TOO_OFTEN
        assert send(port, report({"VERSION": "11.4.2"}, "another")).endswith(b"<h1>ok</h1>")
    assert Incoming.objects.count() == 2
    assert Intake.objects.get(outcome="too_often").reports == 1


def test_a_network_is_told_by_our_own_proxy_and_never_by_the_sender(transactional_db: None) -> None:
    def one(uid: str, forwarded_for: str) -> bytes:
        return send(port, report({"VERSION": "11.4.2"}, uid, forwarded_for=forwarded_for))

    limits = Limits(networks=Buckets(Rate(burst=1, per_hour=0)))
    with running_receiver(database_url(), limits=limits, trusted_proxies=1) as port:
        assert one("a", "9.9.9.9, 8.8.4.4").endswith(b"<h1>ok</h1>")
        assert one("b", "1.1.1.1, 8.8.4.5") == reply.NETWORK
        assert one("c", "8.8.4.5, 1.1.1.1").endswith(b"<h1>ok</h1>")
    with running_receiver(database_url(), limits=limits) as port:
        assert one("d", "8.8.4.4").endswith(b"<h1>ok</h1>")  # the claim of a stranger
    assert Intake.objects.get(outcome="network").reports == 1


def test_beyond_its_newcomers_a_network_is_heard_for_known_servers_only(
    transactional_db: None,
) -> None:
    def one(uid: str) -> bytes:
        return send(port, report({"VERSION": "11.4.2"}, uid, forwarded_for="8.8.4.4"))

    limits = Limits(newcomers=Newcomers(per_day=1))
    with running_receiver(database_url(), limits=limits, trusted_proxies=1) as port:
        assert one("first").endswith(b"<h1>ok</h1>")
        drain_inbox()
        assert one("second") == reply.STRANGER
        limits.newcomers = Newcomers(per_day=0)
        assert one("first").endswith(b"<h1>ok</h1>")
    assert Incoming.objects.count() == 1
    assert Intake.objects.get(outcome="stranger").reports == 1


def test_of_the_address_only_the_country_is_kept(transactional_db: None, countries: Path) -> None:
    with running_receiver(database_url(), trusted_proxies=1, countries=countries) as port:
        send(port, report({"VERSION": "11.4.2"}, "a", forwarded_for="192.0.2.77"))
        send(port, report({"VERSION": "11.4.2"}, "b", forwarded_for="203.0.113.9"))
    assert sorted(Incoming.objects.values_list("country", flat=True)) == ["", "DE"]
    drain_inbox()
    assert sorted(ServerWeek.objects.values_list("country", flat=True)) == ["", "DE"]


def test_the_process_refuses_to_start_without_its_secrets(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="FEEDBACK_PEPPER is not set"):
        secret({}, "FEEDBACK_PEPPER")
    (tmp_path / "pepper").write_text("from a file\n")
    environ = {"FEEDBACK_PEPPER_FILE": str(tmp_path / "pepper")}
    assert secret(environ, "FEEDBACK_PEPPER") == "from a file"


def test_a_process_that_is_asked_to_stop_stores_what_it_has_read(transactional_db: None) -> None:
    port = free_port()
    environ = {
        **os.environ,
        "RECEIVER_PORT": str(port),
        "DATABASE_URL": database_url(),
        "FEEDBACK_PEPPER": "pepper",
    }
    process = subprocess.Popen([sys.executable, "-m", "feedback.receiver"], env=environ)
    try:
        _await_port(port)
        answers: list[bytes] = []

        def senders() -> None:
            for n in range(400):
                with contextlib.suppress(ConnectionRefusedError):
                    answers.append(send(port, report({"VERSION": "11.4.2"}, f"stop-{n}")))

        threads = [threading.Thread(target=senders) for _ in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(0.4)
        process.send_signal(signal.SIGTERM)
        for thread in threads:
            thread.join()
        assert process.wait(20) == 0
    finally:
        process.kill()
    oks = sum(answer.endswith(b"<h1>ok</h1>") for answer in answers)
    assert oks > 0
    assert Incoming.objects.count() == oks
    assert {answer for answer in answers if answer} == {reply.OK}


def _await_port(port: int) -> None:
    for _ in range(200):
        with contextlib.suppress(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port)).close()
            return
        time.sleep(0.05)
    pytest.fail("the receiver did not open its port")
