"""What programs are told when something is refused, and that reads have an ETag."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone

from portal.accounts.actions.token import issue_token
from portal.accounts.models import User
from portal.accounts.tokens import scopes_of
from portal.json_answers import JsonAnswerMiddleware

KIND = "application/problem+json"
SENT = {"product": "exampledb", "version": "1", "name": "a.zip", "size": "many"}


@pytest.fixture
def dana_token(dana: User) -> str:
    """Of every scope that dana may have."""
    now = timezone.now()
    scopes, end = scopes_of(dana, at=now), now + dt.timedelta(days=1)
    return issue_token(actor=dana, name="program", scopes=scopes, expires_at=end)[1]


def refused(response: Any, status: int) -> dict[str, Any]:
    """The body, of the form of RFC 9457."""
    assert response.status_code == status
    assert response["Content-Type"] == KIND
    body: dict[str, Any] = json.loads(response.content)
    assert body["type"] == "about:blank"
    assert body["status"] == status
    assert isinstance(body["title"], str)
    assert isinstance(body["detail"], str)
    assert body["detail"]
    return body


@pytest.mark.django_db
def test_head_is_answered_as_get_without_its_body(client: Client) -> None:
    for path in ("/api/v1/benchmarks/runs", "/api/v1/search?q=words", "/api/v1/nowhere"):
        whole, told = client.get(path), client.head(path)
        assert told.status_code == whole.status_code
        assert told.get("ETag") == whole.get("ETag")
        assert told["Content-Type"] == whole["Content-Type"]
        assert not told.content
    known = client.head("/api/v1/search?q=words", headers={"If-None-Match": "*"})
    assert known.status_code == 304
    assert client.head("/api/v1/votes").status_code == 401
    assert client.head("/api/v1/feedback/reports").status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("get", "/api/v1/nowhere", 404),
        ("get", "/api/v1/benchmarks/runs/6d1b3c1e-0000-4000-8000-00000000ffff", 404),
        ("get", "/api/v1/benchmarks/runs?limit=0", 422),
        ("get", "/api/v1/benchmarks/runs?suite=%00", 400),
        ("delete", "/api/v1/benchmarks/runs", 405),
        ("get", "/api/v1/votes", 401),
        ("post", "/api/v1/feedback/reports", 401),
        ("post", "/api/v1/uploads", 401),
        ("get", "/rest-api/nothing/", 404),
        ("post", "/rest-api/", 405),
        ("get", "/statistics/nothing.json", 404),
        ("get", "/rest/v1/charts/nothing/", 404),
        ("get", "/governance/motions/nothing.json", 404),
        ("get", "/nowhere.json", 404),
    ],
)
def test_every_refusal_for_programs_is_a_problem(
    method: str, path: str, status: int, client: Client
) -> None:
    refused(getattr(client, method)(path), status)


@pytest.mark.django_db
def test_a_page_for_people_stays_one(client: Client) -> None:
    assert client.get("/nowhere/")["Content-Type"].startswith("text/html")
    assert client.get("/api/v1/docs").status_code == 200


@pytest.mark.django_db
def test_a_wrong_method_tells_the_right_ones(client: Client) -> None:
    answer = client.put("/api/v1/benchmarks/runs")
    assert "POST" in refused(answer, 405)["detail"]
    assert "POST" in answer["Allow"]


@pytest.mark.django_db
def test_who_sends_no_token_is_asked_for_one(client: Client) -> None:
    assert client.get("/api/v1/votes")["WWW-Authenticate"] == 'Bearer realm="api"'


@pytest.mark.django_db
def test_what_does_not_fit_is_named_by_its_place(dana_token: str, client: Client) -> None:
    answer = client.post(
        "/api/v1/uploads", SENT, content_type="application/json", headers=bearer(dana_token)
    )
    [fault] = refused(answer, 422)["errors"]
    assert fault["pointer"] == "/size"
    assert "/size: " in refused(answer, 422)["detail"]


@pytest.mark.django_db
def test_a_body_that_is_said_to_be_no_json_is_not_read(dana_token: str, client: Client) -> None:
    sent = json.dumps(SENT)
    answer = client.post(
        "/api/v1/uploads", sent, content_type="text/plain", headers=bearer(dana_token)
    )
    assert "Content-Type: application/json" in refused(answer, 415)["detail"]


@pytest.mark.django_db
def test_a_body_that_is_no_json_and_one_that_is_too_large(dana_token: str, client: Client) -> None:
    kind, headers = "application/json", bearer(dana_token)
    refused(client.post("/api/v1/uploads", "{", content_type=kind, headers=headers), 400)
    huge = " " * (10 * 2**20 + 1)
    refused(client.post("/api/v1/uploads", huge, content_type=kind, headers=headers), 413)


def test_our_own_mistake_is_told_without_what_it_was() -> None:
    answer = JsonAnswerMiddleware(lambda request: HttpResponse("<p>Traceback", status=500))(
        RequestFactory().get("/api/v1/votes")
    )
    assert "Traceback" not in refused(answer, 500)["detail"]


def test_headers_and_members_of_a_refusal_stay() -> None:
    told = HttpResponse(
        '{"detail": "no", "place": "/3"}',
        status=409,
        content_type="application/json",
        headers={"Upload-Offset": "7", "Content-Length": "3"},
    )
    request = RequestFactory().patch("/api/v1/uploads/1")
    answer = JsonAnswerMiddleware(lambda request: told)(request)
    body = refused(answer, 409)
    assert (body["detail"], body["place"], answer["Upload-Offset"]) == ("no", "/3", "7")
    assert isinstance(answer, HttpResponse)
    assert answer["Content-Length"] == str(len(answer.content))


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/v1/openapi.json", "/api/v1/benchmarks/runs"])
def test_a_read_that_is_known_is_not_sent_again(path: str, client: Client) -> None:
    first = client.get(path)
    again = client.get(path, headers={"If-None-Match": first["ETag"]})
    other = client.get(path, headers={"If-None-Match": '"other"'})
    assert (first.status_code, again.status_code, other.status_code) == (200, 304, 200)
    assert again.content == b""
    assert {each["Access-Control-Allow-Origin"] for each in (first, again, other)} == {"*"}


@pytest.mark.django_db
def test_what_is_for_one_person_is_for_no_cache_of_others(dana_token: str, client: Client) -> None:
    answer = client.get("/api/v1/votes", headers=bearer(dana_token))
    assert answer["Cache-Control"] == "private, no-cache"
    assert "Access-Control-Allow-Origin" not in answer
    again = client.get(
        "/api/v1/votes", headers={**bearer(dana_token), "If-None-Match": answer["ETag"]}
    )
    assert again.status_code == 304


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
