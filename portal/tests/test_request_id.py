"""The id of a request in its answer, its lines of the log, its tasks; no secret in a line."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from pytest_django import Settings

from portal.celery import send_along, take_up
from portal.lib.logs import REQUEST_ID, JsonFormatter, LineFormatter, without_secrets
from portal.request_id import RequestIdMiddleware
from portal.tasks import send_outbox
from portal.without_paths import WithoutPaths

GIVEN = "0123456789abcdef"


def written(handler: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in handler.stream.getvalue().splitlines()]


@pytest.fixture
def log() -> Iterator[logging.StreamHandler[io.StringIO]]:
    handler = logging.StreamHandler(io.StringIO())
    handler.setFormatter(JsonFormatter())
    handler.addFilter(WithoutPaths())
    root, requests = logging.getLogger(), logging.getLogger("portal.requests")
    before = requests.level
    root.addHandler(handler)
    requests.setLevel(logging.INFO)
    yield handler
    requests.setLevel(before)
    root.removeHandler(handler)


def test_each_answer_has_an_id_of_its_own(client: Client) -> None:
    first, second = client.get("/health/live"), client.get("/health/live")
    assert len(first["X-Request-ID"]) == 32
    assert first["X-Request-ID"] != second["X-Request-ID"]
    assert REQUEST_ID.get() == ""


def test_the_id_of_a_trusted_proxy_is_taken_and_that_of_a_stranger_is_not(
    client: Client, settings: Settings
) -> None:
    told = {"X-Request-ID": GIVEN}
    settings.TRUSTED_PROXIES = 0
    assert client.get("/health/live", headers=told)["X-Request-ID"] != GIVEN
    settings.TRUSTED_PROXIES = 1
    assert client.get("/health/live", headers=told)["X-Request-ID"] == GIVEN
    forged = {"X-Request-ID": 'x"} {"level": "x'}
    assert '"' not in client.get("/health/live", headers=forged)["X-Request-ID"]


def test_each_line_of_a_request_has_its_id(log: Any, rf: RequestFactory) -> None:
    def view(request: HttpRequest) -> HttpResponse:
        logging.getLogger("portal.example").warning("something")
        return HttpResponse()

    answer = RequestIdMiddleware(view)(rf.get("/news/"))
    something, told = written(log)
    assert something["request"] == told["request"] == answer["X-Request-ID"]
    assert told["status"] == 200
    assert told["milliseconds"] >= 0


@pytest.mark.django_db
def test_a_line_names_the_route_and_not_the_address(log: Any, client: Client) -> None:
    client.get("/accounts/password/reset/key/3-secret-of-a-link/?email=zoe@example.org")
    client.get("/no-such-page/secret-of-a-link/")
    assert "secret-of-a-link" not in log.stream.getvalue()
    assert "zoe" not in log.stream.getvalue()
    messages = [line["message"] for line in written(log)]
    assert any("key" in message and "GET /" in message for message in messages), messages
    assert "GET no such address" in messages


@pytest.mark.django_db
def test_who_reads_or_votes_in_an_election_is_not_written_down(log: Any, client: Client) -> None:
    client.get("/governance/elections/")
    client.post("/governance/elections/2026-none/ballots/cast/")
    assert written(log) == []


def test_a_task_carries_the_id_of_who_asked_for_it() -> None:
    headers: dict[str, Any] = {}
    send_along(headers=headers)
    assert headers == {}, "the schedule asks for it"
    token = REQUEST_ID.set(GIVEN)
    send_along(headers=headers)
    REQUEST_ID.reset(token)
    assert headers == {"request_id": GIVEN}

    task = send_outbox
    task.push_request(**headers)
    take_up(task=task, task_id="ab-cd")
    assert REQUEST_ID.get() == GIVEN
    task.pop_request()
    take_up(task=task, task_id="ab-cd")
    assert REQUEST_ID.get() == "abcd"
    REQUEST_ID.set("")


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("mail to zoe@example.org failed", "mail to <address> failed"),
        ("GET from 203.0.113.7 and 8.8.8.8", "GET from 203.0.113.7 and <address>"),
        ("from 2a00:1450:4001:82a::200e", "from <address>"),
        ("at 127.0.0.1:5432 and 10.0.0.3", "at 127.0.0.1:5432 and 10.0.0.3"),
        ("postgresql://portal:hidden@db/portal", "postgresql://<secret>@db/portal"),
        ("redis://:hidden@redis:6379/0", "redis://<secret>@redis:6379/0"),
        ("Authorization: Bearer hidden.hidden", "Authorization: Bearer <secret>"),
        ("token=hidden&page=2", "token=<secret>&page=2"),
        ("{'password': 'hidden', 'x': 1}", "{'password': '<secret>', 'x': 1}"),
        ("key fp_hiddenhiddenhiddenhiddenhidden", "key <secret>"),
        ("sk_live_hidden whsec_hidden", "<secret> <secret>"),
        ("nothing to hide in 12.3.1 at 10:31:07", "nothing to hide in 12.3.1 at 10:31:07"),
    ],
)
def test_secrets_and_addresses_do_not_reach_a_line(said: str, kept: str) -> None:
    assert without_secrets(said) == kept


@pytest.mark.parametrize("formatter", [JsonFormatter(), LineFormatter()])
def test_no_form_of_a_line_tells_them_not_even_of_an_error(formatter: logging.Formatter) -> None:
    try:
        raise ValueError("zoe@example.org has password=hidden")
    except ValueError as error:
        record = logging.LogRecord(
            "x",
            logging.ERROR,
            "x.py",
            1,
            "for %s",
            ("zoe@example.org",),
            (
                type(error),
                error,
                error.__traceback__,
            ),
        )
    line = formatter.format(record)
    assert "ValueError: <address> has password=<secret>" in line
