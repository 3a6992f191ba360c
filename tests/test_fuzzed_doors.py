"""Whatever is sent to the doors that anybody may knock at: an answer in words, never an error.

The receiver of reports has its own (`feedback/tests/test_fuzz.py`), files of benchmarks and
packages have theirs (`benchmarks/tests/test_damage.py`, `releases/tests/test_hostile.py`), lines of
ballots too (`governance/tests/test_sealed_wire.py`). Here the forms and endpoints around are asked.
"""

from __future__ import annotations

import base64
import gzip
import json
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import stripe
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.test.client import MULTIPART_CONTENT
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.supporters import SECRET

pytestmark = [pytest.mark.django_db]
AWAY = 503  # the ballot box is no part of these tests
TRIES = int(os.environ.get("FUZZ_TRIES", "150"))

TEXT = st.text(max_size=40) | st.sampled_from(["\x00", "9" * 30, "-1", "1e999", "\ud800", "../.."])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda below: st.lists(below, max_size=4) | st.dictionaries(TEXT, below, max_size=4),
    max_leaves=12,
)
PLAIN = st.binary(max_size=300) | VALUES.map(lambda value: json.dumps(value).encode())
BODIES = PLAIN | PLAIN.map(gzip.compress) | st.sampled_from([b"[" * 50_000, b'{"a":' * 20_000])
EVENTS = st.fixed_dictionaries(
    {"id": TEXT, "type": TEXT | st.sampled_from(["checkout.session.completed", "invoice.paid"])},
    optional={"data": VALUES | st.fixed_dictionaries({"object": VALUES}), "created": VALUES},
)


Test = Callable[..., None]


def fuzzed(**given_by: st.SearchStrategy[Any]) -> Callable[[Test], Test]:
    """The same examples each time; TRIES of them, or as many as FUZZ_TRIES says."""

    def decorate(test: Test) -> Test:
        asked = settings(
            max_examples=TRIES,
            deadline=None,
            derandomize=True,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        ready: Test = pytest.mark.proof(asked(given(**given_by)(test)))
        return ready

    return decorate


@pytest.fixture(autouse=True)
def _signed(settings: Any) -> Iterator[None]:
    settings.STRIPE_WEBHOOK_SECRET = SECRET
    yield
    cache.clear()


def posted(path: str, data: Any, content_type: str = "", **headers: str) -> int:
    """The status of an answer; what was kept is forgotten."""
    cache.clear()
    client = Client(raise_request_exception=False, headers=headers)
    with transaction.atomic():
        answer = client.post(path, data, content_type or MULTIPART_CONTENT)
        transaction.set_rollback(True)
    return answer.status_code


@fuzzed(body=BODIES, signature=st.text(st.characters(max_codepoint=255, exclude_characters="\r\n")))
def test_a_webhook_without_a_good_signature_is_refused(body: bytes, signature: str) -> None:
    told = {"Stripe-Signature": signature}
    assert posted("/webhooks/stripe/", body, "application/json", **told) == 400


@fuzzed(event=EVENTS | VALUES)
def test_a_signed_webhook_is_kept_or_refused(event: Any) -> None:
    body = json.dumps(event)
    told = {"Stripe-Signature": stripe.WebhookSignature.generate_signature_header(body, SECRET)}
    assert posted("/webhooks/stripe/", body, "application/json", **told) in {200, 400}


@fuzzed(body=BODIES, form=st.booleans(), fields=st.dictionaries(TEXT, TEXT, max_size=3))
def test_an_upload_of_a_benchmark_is_read_or_refused(
    body: bytes, form: bool, fields: dict[str, str]
) -> None:
    path = "/api/v1/benchmarks/runs/preview"
    if form:
        sent = {**_without_surrogates(fields), "file": SimpleUploadedFile("run.json", body)}
        status = posted(path, sent)
    else:
        status = posted(path, body, "application/json")
    assert status in {200, 400, 413, 422}


@fuzzed(body=BODIES, roles=st.dictionaries(st.sampled_from(["role_2_0", "again", "suite"]), TEXT))
def test_the_form_of_a_benchmark_takes_back_whatever_the_page_carried(
    body: bytes, roles: dict[str, str]
) -> None:
    packed = base64.b64encode(body).decode()
    sent = {**_without_surrogates(roles), "packed": packed}
    assert posted("/benchmarks/upload/", sent) in {200, 400, 422}


@fuzzed(body=BODIES, signed=TEXT)
def test_reports_by_hand_are_shown_or_refused(body: bytes, signed: str) -> None:
    assert posted("/statistics/report/", {"report": SimpleUploadedFile("r", body)}) in {200, 422}
    sent = _without_surrogates({"report": signed})
    assert posted("/statistics/report/keep/", sent) in {302, 400}


@fuzzed(body=BODIES, name=st.sampled_from(["2026", "a b", "0" * 200]))
def test_a_ballot_is_taken_or_refused(body: bytes, name: str) -> None:
    status = posted(f"/governance/elections/{name}/ballots/", body, "application/json")
    assert status in {400, 404, 413, AWAY}


def _without_surrogates(fields: dict[str, str]) -> dict[str, str]:
    """A form is UTF-8: half of a character cannot be sent in one."""

    def whole(text: str) -> str:
        return text.encode("utf-8", "replace").decode()

    return {whole(name) or "x": whole(value) for name, value in fields.items()}
