"""The API that takes uploads: who may, in which pieces, with which answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from portal.accounts.actions.token import issue_token
from portal.accounts.models import ApiToken, User
from portal.accounts.tokens import TokenScope
from releases import api, tasks
from releases.actions.release import publish_release
from releases.actions.upload import append_chunk
from releases.models import File, Release, Upload
from releases.signer.local import LocalSigner
from releases.tests import factory
from releases.tests.test_upload import SHA, announce


def token_of(user: User, **limits: str) -> dict[str, str]:
    """A token of `user`, who may have lost the role since."""
    token, raw = issue_token(
        actor=User.objects.get(name="Dana"),
        name="ci",
        scopes=[TokenScope.UPLOAD_RELEASES],
        expires_at=timezone.now() + timedelta(days=1),
        limits={"product": "exampledb"},
    )
    token.user, token.limits = user, limits
    token.save()
    return {"Authorization": f"Bearer {raw}"}


ANNOUNCEMENT = {
    "product": "exampledb",
    "version": "12.3.0",
    "name": "a.tar.gz",
    "size": 6,
    "sha256": SHA,
}


def post(client: Client, headers: dict[str, str], **changes: object) -> Any:
    body = json.dumps(ANNOUNCEMENT | changes)
    return client.post("/api/v1/uploads", body, "application/json", headers=headers)


def test_the_api_takes_a_file_in_pieces(
    dana: User, empty: Release, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = token_of(dana, product="exampledb")
    answer = post(client, headers)
    assert (answer.status_code, answer.json()["state"]) == (200, "open")
    url = f"/api/v1/uploads/{answer.json()['id']}"

    def patch(offset: str, data: bytes) -> Any:
        return client.patch(
            url, data, "application/octet-stream", headers=headers | {"Upload-Offset": offset}
        )

    assert patch("0", b"abc").status_code == 204
    assert client.head(url, headers=headers)["Upload-Offset"] == "3"
    conflict = patch("0", b"abc")
    assert (conflict.status_code, conflict["Upload-Offset"]) == (409, "3")
    assert patch("three", b"def").status_code == 400
    assert patch("9" * 5000, b"def").status_code == 400
    assert patch("9" * 18, b"def").status_code == 409
    assert patch("3", b"defg").status_code == 409
    assert client.post(f"{url}/finish", headers=headers).status_code == 409
    assert patch("3", b"def")["Upload-Offset"] == "6"
    assert client.post(f"{url}/finish", headers=headers).json()["state"] == "received"
    tasks.accept(answer.json()["id"])
    assert client.get(url, headers=headers).json()["state"] == "accepted"
    assert post(client, headers, sha256="0" * 64).status_code == 409


def test_the_api_shows_nothing_of_other_products(
    dana: User, charlie: User, empty: Release, client: Client
) -> None:
    upload = announce(dana, empty)
    for headers in (token_of(charlie), token_of(dana, product="other")):
        assert post(client, headers).status_code in {401, 404}
        shown = client.get(f"/api/v1/uploads/{upload.pk}", headers=headers)
        assert shown.status_code in {401, 404}
    assert post(client, {}).status_code == 401
    missing = post(client, token_of(dana), version="9.9.9")
    assert missing.status_code == 404
    assert missing.json()["detail"].endswith("make one at /releases/manage/new/")


def test_a_token_for_one_series_sends_to_that_one_only(
    dana: User, empty: Release, client: Client
) -> None:
    factory.make_draft("12.4.0")
    headers = token_of(dana, product="exampledb", series="12.3")
    assert post(client, headers).status_code == 200
    refused = post(client, headers, version="12.4.0")
    assert (refused.status_code, refused.json()["detail"]) == (
        404,
        "Your token is only for series 12.3.",
    )
    assert "no draft of this version" in post(client, headers, version="12.3.9").json()["detail"]
    refused = post(client, headers, product="other")
    assert refused.json()["detail"] == "Your token is only for exampledb."


def test_the_same_package_for_a_further_distribution_is_refused_with_what_is_held(
    dana: User, empty: Release, client: Client
) -> None:
    held, both = ["debian-12"], ["debian-13", "debian-12"]
    headers, name = token_of(dana), "a_1_amd64.deb"
    first = post(client, headers, name=name, distributions=held).json()
    again = post(client, headers, name=name, distributions=both)
    told = "a_1_amd64.deb is here for debian-12; take it out first to change that."
    assert (again.status_code, again.json()["detail"]) == (409, told)
    body = json.dumps(ANNOUNCEMENT | {"name": name, "distributions": both})
    asked = client.post("/api/v1/uploads/check", body, "application/json", headers=headers)
    assert asked.json()["problem"] == told  # what the client prints
    assert post(client, headers, name=name, distributions=held).json()["id"] == first["id"]


def test_a_token_that_is_refused_is_told_so_and_no_session_is_asked_for(
    dana: User, empty: Release, charlie: User
) -> None:
    strict = Client(enforce_csrf_checks=True)
    unknown = post(strict, {"Authorization": "Bearer fp_nothing"})
    told = "This token is unknown, expired or revoked; make one at /accounts/tokens/"
    assert (unknown.status_code, unknown.json()["detail"]) == (401, told)
    headers = token_of(dana)
    assert post(strict, headers).status_code == 200
    ApiToken.objects.update(expires_at=timezone.now())
    assert post(strict, headers).json()["detail"] == told
    assert "the role of its owner" in post(strict, token_of(charlie)).json()["detail"]


def test_announcing_has_a_pace(
    dana: User, empty: Release, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.clear()
    monkeypatch.setattr(api, "ANNOUNCEMENTS_A_MINUTE", 1)
    headers = token_of(dana)
    assert post(client, headers).status_code == 200
    assert post(client, headers).status_code == 429
    body = json.dumps(ANNOUNCEMENT)
    checked = client.post("/api/v1/uploads/check", body, "application/json", headers=headers)
    assert (checked.status_code, checked["Retry-After"]) == (429, "60")
    cache.clear()


def test_what_an_announcement_would_come_to_is_told_without_changing_anything(
    dana: User, empty: Release, client: Client
) -> None:
    headers = token_of(dana)

    def check(**changes: object) -> Any:
        body = json.dumps({"product": "exampledb", "version": "12.3.0", "size": 6} | changes)
        path = "/api/v1/uploads/check"
        return client.post(path, body, "application/json", headers=headers).json()

    told = check(name="a_1+maria~deb12_amd64.deb")
    assert told == {
        "distributions": ["debian-12"],
        "os": "Linux",
        "cpu": "x86_64",
        "state": "new",
        "offset": 0,
        "problem": "",
    }
    assert "Say for which" in check(name="a_1_amd64.deb")["problem"]
    assert "letters, digits" in check(name="a/b")["problem"]
    assert check(name="a_1_amd64.deb", distributions=["debian-13"])["problem"] == ""
    assert not Upload.objects.exists()
    append_chunk(upload=announce(dana, empty), offset=0, data=b"abc")
    told = check(name="a.tar.gz", sha256=SHA)
    assert (told["state"], told["offset"], told["os"]) == ("open", 3, "Source")
    assert post(client, headers, sha256="").status_code == 409


def test_a_session_needs_the_token_against_forged_requests(
    dana: User, empty: Release, client_for: Callable[[User], Client]
) -> None:
    client = client_for(dana)
    assert post(client, {}).status_code == 200
    client.handler.enforce_csrf_checks = True
    assert post(client, {}).status_code == 403


def test_a_received_upload_that_nobody_was_told_of_is_swept(
    dana: User, empty: Release, signer: LocalSigner
) -> None:
    factory.send(actor=dana, release=empty, name="a.tar.gz", data=b"abc")
    tasks.sweep()
    assert Upload.objects.get().state == Upload.State.ACCEPTED
    assert File.objects.get().signature == ""  # not before it is published
    publish_release(actor=dana, release=empty, at=timezone.now())
    tasks.sweep()
    assert File.objects.get().signature.startswith("-----BEGIN PGP SIGNATURE-----")
