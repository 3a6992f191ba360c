"""Uploads: resumable, checked, refused for ever under another content; the API and its client."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from portal.accounts.actions.token import issue_token
from portal.accounts.models import ApiToken, User
from portal.accounts.tokens import TokenScope
from releases import api, sandbox, store, tasks
from releases.actions import acceptance
from releases.actions.acceptance import accept_upload
from releases.actions.release import publish_release
from releases.actions.upload import (
    announce_upload,
    append_chunk,
    finish_upload,
)
from releases.errors import RefusedError, WrongOffsetError
from releases.models import File, Package, Release, Upload
from releases.signer.local import LocalSigner
from releases.tests import factory

SHA = hashlib.sha256(b"abcdef").hexdigest()


@pytest.fixture
def empty(db: None) -> Release:
    return factory.make_draft()


def announce(actor: User, release: Release, **changes: Any) -> Upload:
    what: dict[str, Any] = {"name": "a.tar.gz", "size": 6, "sha256": SHA, "at": timezone.now()}
    return announce_upload(actor=actor, release=release, **(what | changes))


def test_an_upload_goes_on_where_it_stood(dana: User, empty: Release) -> None:
    upload = announce(dana, empty)
    assert append_chunk(upload=upload, offset=0, data=b"abc") == 3
    again = announce(dana, empty)
    assert (again.pk, again.offset) == (upload.pk, 3)
    # a tail that was written but never reported is written over
    with store.upload_path(upload.pk).open("ab") as file:
        file.write(b"lost tail")
    assert append_chunk(upload=upload, offset=3, data=b"def") == 6
    finish_upload(actor=dana, upload=upload, at=timezone.now())
    assert finish_upload(actor=dana, upload=upload, at=timezone.now()).state == "received"
    accept_upload(upload_id=upload.pk)
    blob = File.objects.get().blob
    assert store.blob_path(blob.sha256).read_bytes() == b"abcdef"
    assert (blob.size, blob.md5) == (6, hashlib.md5(b"abcdef").hexdigest())  # noqa: S324
    assert accept_upload(upload_id=upload.pk) is None


def test_a_chunk_at_another_offset_is_refused_with_the_right_one(
    dana: User, empty: Release
) -> None:
    upload = announce(dana, empty)
    append_chunk(upload=upload, offset=0, data=b"abc")
    for offset in (0, 4):
        with pytest.raises(WrongOffsetError) as caught:
            append_chunk(upload=upload, offset=offset, data=b"x")
        assert caught.value.offset == 3
    with pytest.raises(WrongOffsetError):
        finish_upload(actor=dana, upload=upload, at=timezone.now())
    for data in (b"", b"defg"):
        with pytest.raises(RefusedError):
            append_chunk(upload=upload, offset=3, data=data)


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "../evil"},
        {"name": "a..b"},
        {"name": ".hidden"},
        {"name": "a/b"},
        {"name": "a\nb"},
        {"size": 0},
        {"size": 11 * 2**30},
        {"sha256": "ABC"},
        {"name": "a.tar.gz.asc"},
        {"name": "a.tar.gz.sha256"},
        {"name": "a.tar.gz.md5"},
        {"name": "sha256sums.txt"},
        {"name": "a.deb"},
        {"name": "a.deb", "distributions": ["rhel-9"]},
        {"name": "a.rpm", "distributions": ["debian-12", "rhel-9"]},
        {"distributions": ["debian-12"]},
        {"distributions": ["minix-3"]},
    ],
)
def test_an_announcement_that_cannot_be_is_refused(
    dana: User, empty: Release, changes: dict[str, Any]
) -> None:
    with pytest.raises(RefusedError):
        announce(dana, empty, **changes)
    assert not Upload.objects.exists()


def test_a_name_never_gets_other_bytes(dana: User, draft: Release) -> None:
    name = "exampledb-12.3.0.tar.gz"
    with pytest.raises(RefusedError, match="other bytes"):
        announce(dana, draft, name=name)


def test_an_upload_that_was_only_begun_may_be_announced_anew(dana: User, empty: Release) -> None:
    first = announce(dana, empty)
    append_chunk(upload=first, offset=0, data=b"abc")
    second = announce(dana, empty, sha256=hashlib.sha256(b"abcdeX").hexdigest())
    first.refresh_from_db()
    assert (first.state, second.offset) == (Upload.State.REFUSED, 0)
    with pytest.raises(RefusedError, match="no more bytes"):
        append_chunk(upload=first, offset=3, data=b"d")


def test_a_published_release_takes_no_file(dana: User, release: Release) -> None:
    with pytest.raises(RefusedError, match="published"):
        announce(dana, release)


def test_other_bytes_than_announced_are_refused(dana: User, empty: Release) -> None:
    upload = announce(dana, empty)
    append_chunk(upload=upload, offset=0, data=b"abcdeX")
    finish_upload(actor=dana, upload=upload, at=timezone.now())
    settled = accept_upload(upload_id=upload.pk)
    assert settled is not None
    assert (settled.state, File.objects.count()) == (Upload.State.REFUSED, 0)
    assert "SHA-256" in settled.reason


def test_the_same_package_with_other_bytes_is_refused_in_another_release(
    dana: User, draft: Release
) -> None:
    other = factory.make_draft("12.3.1")
    settled = factory.accept(
        actor=dana,
        release=other,
        name="exampledb-server_12.3.0_amd64.deb",
        data=factory.deb(text="other bytes"),
        distributions=["debian-12"],
    )
    assert settled.state == Upload.State.REFUSED
    assert "never replaced" in settled.reason


def test_a_file_that_would_pass_for_an_index_is_refused(dana: User, empty: Release) -> None:
    forged = b"Origin: Evil\nSuite: stable\nSHA256:\n 00 1 main/binary-amd64/Packages\n"
    settled = factory.accept(actor=dana, release=empty, name="Release", data=forged)
    assert (settled.state, File.objects.count()) == (Upload.State.REFUSED, 0)
    assert "Pack it in an archive" in settled.reason


def test_the_same_package_of_another_source_is_refused(dana: User, draft: Release) -> None:
    Package.objects.filter(format="deb").update(path="pool/main/o/other/package.deb")
    settled = factory.accept(
        actor=dana,
        release=factory.make_draft("12.3.1"),
        name="exampledb-server_12.3.0_amd64.deb",
        data=factory.deb(text="other bytes"),
        distributions=["debian-12"],
    )
    assert settled.state == Upload.State.REFUSED
    assert "never replaced" in settled.reason


def test_what_the_database_does_not_take_is_refused(
    dana: User, draft: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acceptance, "check_package", lambda **what: None)  # two at the same moment
    settled = factory.accept(
        actor=dana,
        release=factory.make_draft("12.3.1"),
        name="renamed.deb",
        data=factory.deb(text="other bytes"),
        distributions=["debian-12"],
    )
    assert settled.state == Upload.State.REFUSED
    assert "there already" in settled.reason
    assert not File.objects.filter(name="renamed.deb").exists()


def test_a_row_that_breaks_does_not_hold_up_the_sweep(
    dana: User, empty: Release, signer: LocalSigner
) -> None:
    first = factory.send(actor=dana, release=empty, name="a.tar.gz", data=b"abc")
    second = factory.send(actor=dana, release=empty, name="b.tar.gz", data=b"abc")
    store.upload_path(first.pk).unlink()
    tasks.sweep()
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, second.state) == (Upload.State.RECEIVED, Upload.State.ACCEPTED)


@pytest.mark.django_db(transaction=True)
def test_an_upload_that_is_being_accepted_is_not_announced_over(
    dana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = factory.make_draft()
    upload = factory.send(actor=dana, release=release, name="a.tar.gz", data=b"abcdef")
    Upload.objects.filter(pk=upload.pk).update(state=Upload.State.OPEN)
    refused: list[str] = []

    def announce_over() -> None:
        try:
            announce(dana, release, sha256="0" * 64)
        except RefusedError as error:
            refused.append(str(error))
        finally:
            connection.close()

    thread = threading.Thread(target=announce_over)
    with transaction.atomic():
        Upload.objects.select_for_update().get(pk=upload.pk)
        thread.start()
        thread.join(0.5)
        assert thread.is_alive()  # it waits for the row
        Upload.objects.filter(pk=upload.pk).update(state=Upload.State.ACCEPTED)
    thread.join(30)
    assert "other bytes" in refused[0]
    upload.refresh_from_db()
    assert upload.state == Upload.State.ACCEPTED


@pytest.mark.parametrize("name", ["broken.deb", "broken.rpm"])
def test_a_broken_package_is_refused_with_a_reason(dana: User, empty: Release, name: str) -> None:
    system = {"deb": "debian-12", "rpm": "rhel-9"}[name[-3:]]
    settled = factory.accept(
        actor=dana, release=empty, name=name, data=b"no package", distributions=[system]
    )
    assert settled.state == Upload.State.REFUSED
    assert settled.reason
    assert not Package.objects.exists()


def test_reading_a_package_has_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "package.deb"
    path.write_bytes(factory.deb())
    assert sandbox.inspect("deb", path)["name"] == "exampledb-server"
    with pytest.raises(sandbox.PackageRefusedError, match="limits"):
        sandbox.inspect("no such kind", path)
    monkeypatch.setattr(sandbox, "SECONDS", 0.001)
    with pytest.raises(sandbox.PackageRefusedError, match="too long"):
        sandbox.inspect("deb", path)


# --- the API --------------------------------------------------------------------------------------


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
    assert checked.status_code == 429
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
