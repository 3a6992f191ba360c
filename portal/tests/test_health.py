import json
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from django.conf import settings as current
from django.test import Client
from pytest_django import Settings
from redis import Redis

from governance.offices.desk import Server as Desk
from portal import health, heartbeat
from portal.accounts.models import User
from portal.lib.logs import JsonFormatter
from releases.signer.desk import Server
from releases.signer.local import LocalSigner

pytestmark = pytest.mark.django_db
OFFICES = ["REGISTRAR_SOCKET", "BOX_SOCKET"]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Nothing of the table runs here; each question has to find that out at once."""
    for name in OFFICES:
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setattr(health, "PATIENCE", 0.5)
    monkeypatch.setattr(health, "recent", health.Recent())
    for name in ("RECEIVER_URL", "TWIN_URL", "WEB_URL"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("PORT", "DEMONSTRATION"):
        monkeypatch.delenv(name, raising=False)
    yield
    with Redis.from_url(current.REDIS_URL) as client:
        client.delete("heartbeat:worker", "heartbeat:beat", "heartbeat:signer")


def test_live_asks_nothing(client: Client) -> None:
    assert client.get("/health/live").content == b"live\n"


def test_a_monitor_asks_a_process_by_its_own_address(client: Client, settings: Settings) -> None:
    settings.ALLOWED_HOSTS, settings.SECURE_SSL_REDIRECT = ["portal.example.org"], True
    beside = {"host": "127.0.0.1:8001"}
    assert client.get("/health/live", headers=beside).status_code == 200
    assert client.get("/metrics", headers=beside).status_code == 403
    assert client.get("/", headers=beside).status_code == 400


def test_ready_names_each_process_that_is_missing(client: Client) -> None:
    answer = client.get("/health/ready")

    parts = answer.json()["parts"]
    assert answer.status_code == 503
    assert {name for name, part in parts.items() if part["ready"]} == {"web", "database", "redis"}
    assert {name for name, part in parts.items() if not part["ready"]} == {
        "receiver",
        "worker",
        "beat",
        "signer",
        "registrar",
        "box",
    }
    assert all(set(part) == {"ready"} for part in parts.values())


def test_what_went_wrong_is_told_to_staff_and_to_the_bearer_of_the_token(
    client: Client, settings: Settings, frank: User, client_for: Callable[[User], Client]
) -> None:
    settings.METRICS_TOKEN = "a-long-token"
    bearer = {"authorization": "Bearer a-long-token"}
    password_only = Client()
    password_only.force_login(frank)
    for answer in (
        client.get("/health/ready", headers=bearer),
        client_for(frank).get("/health/ready"),
    ):
        worker = answer.json()["parts"]["worker"]
        assert worker["detail"] == "TimeoutError: no sign of life within 20 s"
    assert "detail" not in password_only.get("/health/ready").json()["parts"]["worker"]


def test_strangers_have_the_parts_asked_once_a_second(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.METRICS_TOKEN = "a-long-token"
    bearer = {"authorization": "Bearer a-long-token"}
    monkeypatch.setattr(health, "FRESH", 0.5)
    assert not client.get("/health/ready").json()["parts"]["worker"]["ready"]
    heartbeat.give("worker")
    assert not client.get("/health/ready").json()["parts"]["worker"]["ready"]
    assert client.get("/health/ready", headers=bearer).json()["parts"]["worker"]["ready"]
    time.sleep(0.6)
    assert client.get("/health/ready").json()["parts"]["worker"]["ready"]


def test_a_sign_of_life_is_seen_for_a_while(client: Client) -> None:
    assert not heartbeat.seen("worker")

    heartbeat.give("worker")

    assert heartbeat.seen("worker")
    assert client.get("/health/ready").json()["parts"]["worker"]["ready"]
    with Redis.from_url(current.REDIS_URL) as redis:
        assert 0 < redis.ttl("heartbeat:worker") <= heartbeat.LIFETIME


@contextmanager
def an_office(address: Path, answer: dict[str, str]) -> Iterator[None]:
    """Something behind a socket that says this to everything."""
    with Desk(address, {"ping": lambda head, body: (answer, b"")}) as desk:
        threading.Thread(target=desk.serve_forever, args=(0.05,), daemon=True).start()
        yield
        desk.shutdown()


def test_an_office_that_answers_that_it_cannot_work_is_not_ready(
    client: Client, settings: Settings, tmp_path: Path
) -> None:
    settings.METRICS_TOKEN = "a-long-token"
    bearer = {"authorization": "Bearer a-long-token"}
    with (
        an_office(tmp_path / "BOX_SOCKET", {"busy": "no database"}),
        an_office(tmp_path / "REGISTRAR_SOCKET", {}),
    ):
        parts = client.get("/health/ready", headers=bearer).json()["parts"]
    assert parts["box"] == {"ready": False, "detail": "ValueError: no database"}
    assert parts["registrar"]["ready"]


def test_ready_is_200_when_every_part_answers(
    client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            return

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    monkeypatch.setenv("RECEIVER_URL", f"http://127.0.0.1:{server.server_address[1]}")
    for name in ("worker", "signer"):
        heartbeat.give(name)
    heartbeat.give("beat")

    with ExitStack() as stack:
        for name in OFFICES:
            stack.enter_context(an_office(tmp_path / name, {}))
        answer = client.get("/health/ready")

    server.shutdown()
    server.server_close()
    assert answer.status_code == 200
    assert answer.json()["ready"] is True


def test_metrics_are_for_staff_and_for_the_bearer_of_the_token(
    client: Client, settings: Settings, frank: User, client_for: Callable[[User], Client]
) -> None:
    settings.METRICS_TOKEN = "a-long-token"

    assert client.get("/metrics").status_code == 403
    assert client.get("/metrics", headers={"authorization": "Bearer wrong"}).status_code == 403
    answer = client.get("/metrics", headers={"authorization": "Bearer a-long-token"})
    assert answer.status_code == 200
    assert b'portal_part_ready{part="database"} 1.0' in answer.content
    assert b'portal_queue_length{queue="publishing"}' in answer.content
    assert client_for(frank).get("/metrics").status_code == 200


def test_without_a_token_nobody_is_the_bearer(client: Client, settings: Settings) -> None:
    settings.METRICS_TOKEN = ""

    assert client.get("/metrics", headers={"authorization": "Bearer "}).status_code == 403


def test_a_json_log_line_is_one_object_with_its_traceback() -> None:
    try:
        raise ValueError("no\nway")
    except ValueError as error:
        known = (type(error), error, error.__traceback__)
    record = logging.LogRecord("portal", logging.ERROR, "x.py", 1, "it %s", ("failed",), known)

    line = JsonFormatter().format(record)

    found = json.loads(line)
    assert "\n" not in line
    assert (found["level"], found["logger"], found["message"]) == ("ERROR", "portal", "it failed")
    assert "ValueError: no" in found["traceback"]


def test_the_worker_tells_of_a_signer_that_answers_and_of_no_other(
    settings: Settings, tmp_path: Path
) -> None:
    settings.SIGNER_SOCKET = tmp_path / "signer.sock"
    heartbeat.tell_of_signer()
    assert not heartbeat.seen("signer")
    with Server(settings.SIGNER_SOCKET, LocalSigner(tmp_path / "signer").office) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        heartbeat.tell_of_signer()
        server.shutdown()
    assert heartbeat.seen("signer")
