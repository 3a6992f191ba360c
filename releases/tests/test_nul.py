"""A NUL byte in an address or in an announcement is told as a mistake, not met as one of ours."""

from __future__ import annotations

import pytest
from django.test import Client

from portal.accounts.models import User
from releases.models import Release
from tests.cast import sign_in

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "address",
    [
        "/repo/%00",
        "/repo/12.3/debian/pool/%00",
        "/yum/12.3/rhel/9/x86_64/packages/%00",
        "/releases/exampledb/%00/",
        "/releases/exampledb/12.3.0/%00.sha256",
        "/rest-api/exampledb/%00/latest/",
        "/rest-api/exampledb/12.3/?mirror=%00",
        "/advisories/?product=%00",
        "/mirrors/manifest.txt?product=%00",
        "/mirrors/confirm/%00/",
        "/members/?q=%00",
        "/%00",
        "/releases/manage/all.csv?q=%00",
        "/api/v1/benchmarks/runs/%00",
    ],
)
def test_an_address_with_a_nul_byte_is_a_bad_request(address: str) -> None:
    answer = Client(raise_request_exception=False).get(address)
    assert answer.status_code == 400
    assert "NUL" in answer.content.decode()
    is_json = address.startswith(("/api/", "/rest-api/"))
    assert answer["Content-Type"].startswith(
        "application/problem+json" if is_json else "text/plain"
    )


def test_a_cookie_with_a_nul_byte_is_a_bad_request() -> None:
    client = Client(raise_request_exception=False, headers={"Cookie": r'sessionid="aaaaaaaaa\000"'})
    assert client.get("/releases/").status_code == 400


def test_the_sign_for_per_cent_and_two_noughts_is_no_nul_byte(release: Release) -> None:
    assert Client().get("/releases/?q=%2500").status_code == 200


@pytest.mark.parametrize("field", ["product", "version", "name", "sha256"])
def test_an_announcement_with_a_nul_byte_is_refused(dana: User, draft: Release, field: str) -> None:
    said = {"product": "exampledb", "version": "12.3.0", "name": "a", "size": 1, "sha256": "0" * 64}
    client = sign_in(dana)
    client.raise_request_exception = False
    said[field] = "a\0"
    answer = client.post("/api/v1/uploads", said, content_type="application/json")
    assert answer.status_code == 422
