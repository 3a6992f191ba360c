"""Uploads: resumable, checked, refused for ever under another content."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from portal.accounts.models import User
from releases import sandbox, store, tasks
from releases.actions import acceptance
from releases.actions.acceptance import accept_upload
from releases.actions.upload import announce_upload, append_chunk, finish_upload
from releases.errors import RefusedError, WrongOffsetError
from releases.models import File, Package, Release, Upload
from releases.signer.local import LocalSigner
from releases.tests import factory

SHA = hashlib.sha256(b"abcdef").hexdigest()


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
