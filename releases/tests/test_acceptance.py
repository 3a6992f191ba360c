"""Received uploads are settled together, and none of them suffers from another."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.models import AuditEntry
from releases import examination, sandbox, store, tasks
from releases.actions import acceptance
from releases.actions.acceptance import accept_upload, accept_uploads, batch_of
from releases.actions.blob import keep_blobs
from releases.models import Blob, File, Package, Release, Upload
from releases.repository.apt import Digests
from releases.tests import factory

Send = Callable[..., Upload]
PLAIN = b"plain bytes"


@pytest.fixture
def send(dana: User) -> Send:
    """A received upload of a draft."""
    release = factory.make_draft()

    def send(name: str, data: bytes = PLAIN, into: Release = release) -> Upload:
        systems = ["debian-12"] if name.endswith(".deb") else []
        return factory.send(actor=dana, release=into, name=name, data=data, distributions=systems)

    return send


def deb(send: Send, part: str, **what: Release) -> Upload:
    name = f"exampledb-{part}"
    return send(f"{name}_12.3.0_amd64.deb", factory.deb(name=name), **what)


def states() -> dict[str, str]:
    return dict(Upload.objects.values_list("name", "state"))


def numbers(*uploads: Upload) -> list[UUID]:
    return [upload.pk for upload in uploads]


def test_one_message_settles_all_that_wait(send: Send) -> None:
    uploads = [deb(send, "client"), send("a.tar.gz"), deb(send, "server"), send("b.tar.gz")]
    tasks.accept(str(uploads[2].pk))
    assert set(states().values()) == {"accepted"}
    assert (File.objects.count(), Package.objects.count(), Blob.objects.count()) == (4, 2, 3)
    for file in File.objects.select_related("blob"):
        kept = store.blob_path(file.blob.sha256).read_bytes()
        for name in ("md5", "sha1", "sha256", "sha512"):
            assert hashlib.new(name, kept).hexdigest() == getattr(file.blob, name)
    assert AuditEntry.objects.filter(verb="upload.accept").count() == 4
    tasks.accept(str(uploads[0].pk))  # its own message comes later and finds nothing to do


def test_what_is_refused_does_not_touch_what_stands_beside_it(send: Send) -> None:
    sound = [deb(send, "client"), send("a.tar.gz")]
    forged = send("index", b"Origin: Evil\nSHA256:\n 00 1 main/binary-amd64/Packages\n")
    broken = send("exampledb-server_12.3.0_amd64.deb", b"no package")
    misnamed = send("other_12.3.0_amd64.deb", factory.deb(name="exampledb-tools"))
    settled = accept_uploads(upload_ids=numbers(broken, sound[0], forged, misnamed, sound[1]))
    reasons = {upload.name: upload.reason for upload in settled}
    assert reasons == {
        "exampledb-client_12.3.0_amd64.deb": "",
        "a.tar.gz": "",
        "index": reasons["index"],
        "exampledb-server_12.3.0_amd64.deb": "this is not a Debian package",
        "other_12.3.0_amd64.deb": reasons["other_12.3.0_amd64.deb"],
    }
    assert "Release of an APT repository" in reasons["index"]
    assert "exampledb-tools_12.3.0_amd64.deb" in reasons["other_12.3.0_amd64.deb"]
    assert sorted(File.objects.values_list("name", flat=True)) == sorted(
        upload.name for upload in sound
    )
    assert Blob.objects.count() == 2


def test_of_the_same_package_twice_the_first_is_taken(send: Send) -> None:
    first = deb(send, "server")
    second = send(
        "exampledb-server_12.3.0_amd64.deb",
        factory.deb(text="other bytes"),
        into=factory.make_draft("12.3.1"),
    )
    settled = accept_uploads(upload_ids=numbers(second, first))
    assert [upload.state for upload in settled] == ["accepted", "refused"]
    assert "never replaced" in settled[1].reason
    assert (Package.objects.get().file.name, File.objects.count()) == (first.name, 1)


def test_what_cannot_be_examined_now_waits_and_holds_up_nobody(
    send: Send, caplog: pytest.LogCaptureFixture
) -> None:
    gone, sound = send("gone.tar.gz"), send("sound.tar.gz")
    store.upload_path(gone.pk).unlink()
    assert [upload.name for upload in accept_uploads(upload_ids=numbers(gone, sound))] == [
        "sound.tar.gz"
    ]
    assert states() == {"gone.tar.gz": "received", "sound.tar.gz": "accepted"}
    assert f"upload {gone.pk} cannot be examined" in caplog.text


def test_packages_wait_while_no_inspector_starts_and_other_files_do_not(
    send: Send, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package, plain = deb(send, "server"), send("a.tar.gz")
    sandbox.end_inspector()
    with monkeypatch.context() as patch:
        patch.setattr(sandbox, "ROOT", tmp_path)
        accept_uploads(upload_ids=numbers(package, plain))
    assert states() == {package.name: "received", "a.tar.gz": "accepted"}
    tasks.sweep()
    assert states()[package.name] == "accepted"


def test_no_file_is_begun_when_the_time_is_over(
    send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    uploads = [send(f"{number}.tar.gz") for number in range(4)]
    begun: list[Upload] = []
    examine = examination.examine

    def examined(upload: Upload) -> examination.Findings:
        begun.append(upload)
        if len(begun) == 2:
            monkeypatch.setattr(examination, "SECONDS", -1)
        return examine(upload)

    monkeypatch.setattr(examination, "examine", examined)
    monkeypatch.setattr(examination, "SIDE_BY_SIDE", 1)
    assert accept_uploads(upload_ids=numbers(*uploads)) == uploads[:2]
    assert sorted(states().values()) == ["accepted", "accepted", "received", "received"]


def test_a_batch_that_breaks_loses_nothing(send: Send, monkeypatch: pytest.MonkeyPatch) -> None:
    uploads = [deb(send, "client"), deb(send, "server")]

    def fail(*_: object, **__: object) -> None:
        raise OSError("the power is gone")

    for place, name in [
        (store, "keep_all"),
        (acceptance, "keep_blobs"),
        (acceptance, "_enter_together"),
    ]:
        with monkeypatch.context() as patch:
            patch.setattr(place, name, fail)
            with pytest.raises(OSError, match="power"):
                accept_uploads(upload_ids=numbers(*uploads))
        assert set(states().values()) == {"received"}
        assert not File.objects.exists()
        assert all(store.upload_path(upload.pk).exists() for upload in uploads)
    tasks.sweep()
    assert set(states().values()) == {"accepted"}


def test_the_sweep_takes_one_at_a_time_so_that_one_cannot_break_the_others(
    send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    uploads = [send("a.tar.gz"), send("poison.tar.gz"), send("z.tar.gz")]
    enter = acceptance._enter_together

    def poisoned(sound: list[acceptance.Sound], blobs: dict[str, Blob]) -> list[Upload]:
        if any(upload.name.startswith("poison") for upload, _ in sound):
            raise RuntimeError("a mistake of ours")
        return enter(sound, blobs)

    monkeypatch.setattr(acceptance, "_enter_together", poisoned)
    with pytest.raises(RuntimeError, match="mistake"):
        tasks.accept(str(uploads[0].pk))
    tasks.sweep()
    assert states() == {"a.tar.gz": "accepted", "poison.tar.gz": "received", "z.tar.gz": "accepted"}


def test_a_batch_has_a_limit_that_no_single_file_has(
    send: Send, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = (send(f"{number}.tar.gz") for number in range(3))
    now = timezone.now()
    assert batch_of(second.pk, at=now) == numbers(second, first, third)
    monkeypatch.setattr(acceptance, "LARGEST_BATCH", 2 * len(PLAIN))
    assert batch_of(second.pk, at=now) == numbers(second, first)
    monkeypatch.setattr(acceptance, "LARGEST_BATCH", 1)
    assert batch_of(third.pk, at=now) == numbers(third)
    accept_upload(upload_id=third.pk)
    assert batch_of(third.pk, at=now) == numbers(first)


# --- the store ------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0, 1, store.PIECE - 1, store.PIECE, 2 * store.PIECE + 7])
def test_digests_are_the_same_with_threads_and_without(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, data = tmp_path / "file", os.urandom(size)
    path.write_bytes(data)
    names = ("md5", "sha1", "sha256", "sha512")
    expected = Digests(size, *(hashlib.new(name, data).hexdigest() for name in names))
    assert store.digest(path) == expected
    monkeypatch.setattr(store, "LARGE", -1)
    monkeypatch.setattr(store, "CHUNK", 1000)
    assert store.digest(path) == expected


@pytest.mark.django_db
def test_bytes_and_every_new_folder_are_synced_before_anybody_relies_on_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = os.urandom(40)
    path = tmp_path / "file"
    path.write_bytes(data)
    found = store.digest(path)
    target = store.blob_path(found.sha256)
    synced: list[tuple[str, bool]] = []
    fsync = os.fsync

    def noted(number: int) -> None:
        synced.append((os.readlink(f"/proc/self/fd/{number}"), target.exists()))
        fsync(number)

    monkeypatch.setattr(os, "fsync", noted)
    store.keep(path, found)
    folders = [target.parent, target.parent.parent, target.parent.parent.parent]
    assert synced[0] == (str(path), False)
    assert {folder for folder, _ in synced[1:]} >= {str(folder) for folder in folders[:2]}
    assert all(is_there for _, is_there in synced[1:])
    synced.clear()
    store.keep(path, found)
    assert synced == []  # it lies there


@pytest.mark.django_db
def test_a_row_that_an_index_had_first_learns_its_other_digests() -> None:
    found = Digests(1, "1" * 32, "2" * 40, "3" * 64, "4" * 128)
    other = Digests(2, "5" * 32, "6" * 40, "7" * 64, "8" * 128)
    first = keep_blobs([Digests(1, "", "", found.sha256, "")])[found.sha256]
    kept = keep_blobs([other, found, found])
    assert kept[found.sha256].pk == first.pk
    assert {blob.digests for blob in Blob.objects.all()} == {found, other}
    keep_blobs([Digests(1, "", "", found.sha256, "")])
    assert Blob.objects.get(pk=first.pk).digests == found
