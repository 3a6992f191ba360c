import datetime as dt
import gzip
import json
import uuid
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from benchmarks import throttle
from benchmarks.models import NameMapping, Run, State
from benchmarks.tests.uploads import ENVIRONMENT, hyperfine, native
from portal.accounts.actions.token import issue_token
from portal.accounts.models import User
from portal.accounts.tokens import TokenScope

pytestmark = pytest.mark.django_db
URL = "/api/v1/benchmarks/runs"
PREVIEW = f"{URL}/preview"
TIMES = [1.0, 1.1, 0.9, 1.0, 1.05]


@pytest.fixture(autouse=True)
def _fresh_counters() -> None:
    cache.clear()


def token(user: User, scope: TokenScope = TokenScope.UPLOAD_BENCHMARKS) -> str:
    expires = timezone.now() + dt.timedelta(days=1)
    return issue_token(actor=user, name="t", scopes=[scope], expires_at=expires)[1]


def post(
    client: Client, content: Any, raw_token: str = "", query: str = "", url: str = URL
) -> HttpResponse:
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    headers = {"Authorization": f"Bearer {raw_token}"} if raw_token else {}
    return client.post(  # type: ignore[return-value]
        f"{url}{query}", body, content_type="application/json", headers=headers
    )


def test_a_token_uploads_and_the_answer_leads_to_the_comparison(
    client: Client, charlie: User
) -> None:
    answer = post(client, hyperfine(TIMES, TIMES), token(charlie))
    assert answer.status_code == 201
    told = json.loads(answer.content)
    run = Run.objects.get()
    assert run.uploader == charlie
    assert told["id"] == str(run.uid)
    assert told["state"] == "published"
    assert told["compare"].endswith(f"?a={run.uid}:command_0&b={run.uid}:command_1")
    assert told["address"] == f"http://testserver/benchmarks/runs/{run.uid}/"


def test_a_second_time_is_answered_with_the_first_run(client: Client, charlie: User) -> None:
    raw = token(charlie)
    first = post(client, native([[1.0]]), raw)
    again = post(client, native([[1.0]]), raw)
    assert (first.status_code, again.status_code) == (201, 200)
    assert json.loads(first.content) == json.loads(again.content)
    assert Run.objects.count() == 1


def test_published_runs_are_a_list_in_pages_newest_first(client: Client, charlie: User) -> None:
    raw = token(charlie)
    sent = [json.loads(post(client, hyperfine([n, n]), raw).content)["id"] for n in (1.0, 2.0, 3.0)]
    first = client.get(f"{URL}?limit=2")
    told = first.json()
    assert [run["id"] for run in told["runs"]] == [sent[2], sent[1]]
    assert first["Link"] == f'<{told["next"]}>; rel="next"'
    last = client.get(told["next"]).json()
    assert ([run["id"] for run in last["runs"]], last["next"]) == ([sent[0]], None)
    assert client.get(last["runs"][0]["data"]).json()["id"] == sent[0]
    assert client.get(f"{URL}?suite=another").json() == {"runs": [], "next": None}
    assert post(client, hyperfine(TIMES)).status_code == 201  # in quarantine
    assert client.get(URL).json()["runs"][0]["id"] == sent[2]


def test_an_id_of_another_person_is_a_conflict(client: Client, charlie: User, dana: User) -> None:
    post(client, native([[1.0]]), token(charlie))
    assert post(client, native([[2.0]]), token(dana)).status_code == 409


def test_a_wrong_token_is_not_taken_for_anonymous(client: Client, charlie: User) -> None:
    assert post(client, hyperfine(TIMES), "fp_nonsense").status_code == 401
    other = token(charlie, TokenScope.SUBMIT_FEEDBACK)
    assert post(client, hyperfine(TIMES), other).status_code == 401
    assert not Run.objects.exists()


def test_without_a_token_a_run_waits_and_the_address_is_counted(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttle, "UPLOADS", 2)
    answers = [post(client, hyperfine([1.0 + n])).status_code for n in range(3)]
    assert answers == [201, 201, 429]
    assert set(Run.objects.values_list("state", flat=True)) == {State.QUARANTINE}


def test_a_refusal_names_the_place(client: Client, charlie: User) -> None:
    answer = post(client, hyperfine([1.0, -2.0]), token(charlie))
    assert answer.status_code == 422
    assert json.loads(answer.content)["place"] == "/results/0/times/1"


def test_a_form_carries_what_the_file_does_not_know(client: Client, charlie: User) -> None:
    uid = uuid.uuid4()
    answer = client.post(
        URL,
        {
            "file": SimpleUploadedFile("run.json", json.dumps(hyperfine(TIMES)).encode()),
            "run_id": str(uid),
            "suite": "connectors",
            "title": " Night \n run ",
            "environment": json.dumps(ENVIRONMENT),
        },
        headers={"Authorization": f"Bearer {token(charlie)}"},
    )
    assert answer.status_code == 201
    run = Run.objects.get(uid=uid)
    assert (run.suite.slug, run.title) == ("connectors", "Night run")
    assert run.environment == ENVIRONMENT


def test_fields_may_stand_in_the_query_and_the_file_may_be_packed(
    client: Client, charlie: User
) -> None:
    packed = gzip.compress(json.dumps(hyperfine(TIMES)).encode())
    assert post(client, packed, token(charlie), "?title=Packed").status_code == 201
    assert Run.objects.get().title == "Packed"


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"run_id": "7"}, "run_id"),
        ({"environment": "nonsense"}, "environment"),
        ({"environment": "[]"}, "environment"),
        ({"environment": '{"surprise": 1}'}, "/environment"),
        ({"file": None}, "file"),
    ],
)
def test_a_wrong_field_is_named(client: Client, charlie: User, fields: Any, place: str) -> None:
    file = SimpleUploadedFile("run.json", json.dumps(hyperfine(TIMES)).encode())
    sent = {key: value for key, value in {"file": file, **fields}.items() if value is not None}
    headers = {"Authorization": f"Bearer {token(charlie)}"}
    answer = client.post(URL, sent, headers=headers)
    assert answer.status_code == 422
    assert answer.json()["place"] == place


def test_a_body_that_is_too_large_is_told_how_to_come(
    client: Client, charlie: User, settings: Any
) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10
    answer = post(client, hyperfine(TIMES), token(charlie))
    assert answer.status_code == 413
    assert "gzip" in json.loads(answer.content)["detail"]


def test_a_preview_tells_what_would_be_kept_and_keeps_nothing(
    client: Client, charlie: User
) -> None:
    query = f"?title=Night&map=connector+version&environment={json.dumps(ENVIRONMENT)}"
    answer = post(client, hyperfine(TIMES, TIMES), token(charlie), query, url=PREVIEW)
    assert answer.status_code == 200
    told = json.loads(answer.content)
    assert (told["format"], told["suite"], told["title"]) == ("hyperfine", "commands", "Night")
    assert (told["state"], told["trust"], told["results"]) == ("published", 2, 2)
    assert told["read"][0]["processes"] == len(TIMES)
    assert told["environment"] == ENVIRONMENT
    assert not Run.objects.exists()
    assert not NameMapping.objects.exists()


def test_a_preview_refuses_what_an_upload_refuses(client: Client, charlie: User) -> None:
    answer = post(client, hyperfine([1.0, -2.0]), token(charlie), url=PREVIEW)
    assert answer.status_code == 422
    assert json.loads(answer.content)["place"] == "/results/0/times/1"
    assert post(client, hyperfine(TIMES), "fp_nonsense", url=PREVIEW).status_code == 401


def test_previews_without_a_token_are_counted_apart_from_uploads(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttle, "PREVIEWS", 1)
    looks = [post(client, hyperfine(TIMES), url=PREVIEW) for _ in range(2)]
    assert [one.status_code for one in looks] == [200, 429]
    assert json.loads(looks[0].content)["state"] == "quarantine"
    assert post(client, hyperfine(TIMES)).status_code == 201


def test_a_preview_of_few_processes_says_how_to_get_a_verdict(
    client: Client, charlie: User
) -> None:
    few = post(client, hyperfine([1.0, 1.1], TIMES), token(charlie), url=PREVIEW)
    advice = json.loads(few.content)["advice"]
    assert "One result has fewer than 5 processes" in advice[0]
    assert "--runs 10" in advice[1]
    enough = post(client, hyperfine(TIMES), token(charlie), url=PREVIEW)
    assert json.loads(enough.content)["advice"] == []
