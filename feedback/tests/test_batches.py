"""Reports of a fleet in one request, and reports of the past."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from feedback import api, archives
from feedback.actions.drain import drain_inbox
from feedback.models import Incoming, ServerWeek
from feedback.tests.clients import lines, multipart
from portal.accounts.actions.token import issue_token
from portal.accounts.models import User
from portal.accounts.tokens import TokenScope
from portal.lib.models import AuditEntry

pytestmark = pytest.mark.django_db
REPORTS, BACKFILL = "/api/v1/feedback/reports", "/api/v1/feedback/backfill"


@pytest.fixture(autouse=True)
def _fresh_counters() -> None:
    cache.clear()


def token(user: User, scope: TokenScope = TokenScope.SUBMIT_FEEDBACK) -> str:
    expires = timezone.now() + dt.timedelta(days=1)
    return issue_token(actor=user, name="t", scopes=[scope], expires_at=expires)[1]


def send(client: Client, url: str, body: bytes, raw: str, **headers: str) -> HttpResponse:
    told = {"Authorization": f"Bearer {raw}", **headers}
    return client.post(url, body, content_type="text/plain", headers=told)  # type: ignore[return-value]


def line(uid: str) -> bytes:
    report = lines({"VERSION": "11.4.2-MariaDB"}, uid).decode()
    return json.dumps({"report": report}).encode()


def told(answer: HttpResponse) -> Any:
    return json.loads(answer.content)


def test_a_fleet_comes_in_one_request_and_each_server_counts(client: Client, charlie: User) -> None:
    raw = token(charlie)
    body = b"\n".join([*(line(f"fleet-{n}") for n in range(5)), b"not json", b'{"report": ""}'])
    answer = send(client, REPORTS, body, raw)
    assert answer.status_code == 200
    assert told(answer)["taken"] == 5
    assert [refused["line"] for refused in told(answer)["refused"]] == [6, 7]
    assert AuditEntry.objects.get(verb="feedback.batch_received").detail == {"reports": 5}
    send(client, REPORTS, body, raw)
    drain_inbox()
    assert ServerWeek.objects.count() == 5


def test_without_a_token_for_it_nothing_is_taken(client: Client, charlie: User) -> None:
    other = token(charlie, TokenScope.UPLOAD_BENCHMARKS)
    assert send(client, REPORTS, line("a"), other).status_code == 401
    assert client.post(REPORTS, line("a"), content_type="text/plain").status_code == 401
    assert send(client, BACKFILL, b"x", token(charlie)).status_code == 401
    assert not Incoming.objects.exists()


def test_a_request_without_a_line_is_told_to_be_empty(client: Client, charlie: User) -> None:
    answer = send(client, REPORTS, b" \n", token(charlie))
    assert (answer.status_code, told(answer)["detail"]) == (422, "The request has no lines.")


def test_too_much_at_once_or_in_a_day_is_refused_with_what_to_do(
    client: Client, charlie: User, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    raw = token(charlie)
    monkeypatch.setattr(api, "MOST_LINES", 2)
    monkeypatch.setattr(api, "MOST_A_DAY", 2)
    answer = send(client, REPORTS, b"\n".join([line("a")] * 3), raw)
    assert answer.status_code == 413
    assert "several requests" in told(answer)["detail"]
    assert send(client, REPORTS, b"\n".join([line("a")] * 2), raw).status_code == 200
    too_many = send(client, REPORTS, line("b"), raw)
    assert (too_many.status_code, too_many["Retry-After"]) == (429, "86400")
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10
    assert send(client, REPORTS, line("a"), raw).status_code == 413


def test_a_report_of_the_past_counts_in_its_week(client: Client, frank: User) -> None:
    raw = token(frank, TokenScope.BACKFILL_FEEDBACK)
    at = (timezone.now() - dt.timedelta(days=200)).date()
    body = multipart(lines({"VERSION": "10.6.2-MariaDB"}))
    answer = send(client, BACKFILL, body, raw, **{"X-Report-Date": at.isoformat()})
    assert told(answer) == {"taken": 1, "refused": []}
    drain_inbox()
    assert ServerWeek.objects.get().first_at.date() == at


@pytest.mark.parametrize("day", ["", "yesterday", "1999-01-01", "2999-01-01"])
def test_a_report_of_no_time_that_is_kept_is_refused(client: Client, frank: User, day: str) -> None:
    raw = token(frank, TokenScope.BACKFILL_FEEDBACK)
    answer = send(client, BACKFILL, b"VERSION\t1\n", raw, **{"X-Report-Date": day})
    assert answer.status_code == 422
    assert told(answer)["detail"].startswith("X-Report-Date: ")


def test_a_report_of_the_past_that_is_none_is_refused(
    client: Client, frank: User, settings: Any
) -> None:
    raw = token(frank, TokenScope.BACKFILL_FEEDBACK)
    today = {"X-Report-Date": timezone.now().isoformat()}
    assert send(client, BACKFILL, b" ", raw, **today).status_code == 422
    assert send(client, BACKFILL, b"x" * (archives.LIMIT + 1), raw, **today).status_code == 413
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10
    assert send(client, BACKFILL, b"x" * 11, raw, **today).status_code == 413
