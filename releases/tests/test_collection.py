"""The garbage collection removes what nothing refers to, and never what somebody may still read."""

from __future__ import annotations

import datetime as dt
import os
import threading
from collections.abc import Callable
from contextlib import nullcontext
from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.db.transaction import TransactionManagementError
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.models import AuditEntry
from releases import hold, leftovers, store, tasks
from releases.actions import collection
from releases.actions import publication as publications
from releases.actions.acceptance import accept_upload
from releases.actions.blob import keep_blob
from releases.actions.check import faults_of
from releases.actions.collection import collect_garbage, measure_garbage
from releases.actions.repository import queue_publication
from releases.actions.roll_back import publish_again, take_out
from releases.actions.upload import withdraw_upload
from releases.models import (
    Blob,
    Collection,
    File,
    IndexBuild,
    Package,
    Publication,
    Release,
    Repository,
)
from releases.repository.apt import Digests
from releases.signer.local import LocalSigner
from releases.tests import factory

DAY = dt.timedelta(days=1)
POOL = "/repo/12.3/debian/pool/main/e/exampledb-server/exampledb-server_12.3.0_amd64.deb"
DISTS = "/repo/12.3/debian/dists/bookworm"


def on_disk() -> set[str]:
    """The names of all files of the store and the uploads."""
    folder = store.blob_path("00" * 32).parents[3]
    return {path.name for path in folder.rglob("*") if path.is_file()}


def later(days: int) -> dt.datetime:
    """A moment at which everything that exists now is older than the grace time."""
    return timezone.now() + days * DAY


def keep(data: bytes) -> Digests:
    """The bytes, in the store and without a row."""
    with store.scratch() as file:
        file.write(data)
        file.flush()
        found = store.digest(Path(file.name))
        with transaction.atomic():
            store.keep(Path(file.name), found)
    return found


def repository_of_debian() -> Repository:
    return Repository.objects.of_series().get(distribution="debian-12")


@pytest.fixture
def publish_again_and_again(dana: User, signer: LocalSigner) -> Callable[[int], list[Publication]]:
    """Publications of the Debian repository, each a second after the last."""

    def act(times: int) -> list[Publication]:
        made = []
        for _ in range(times):
            queued = publish_again(actor=dana, repository=repository_of_debian())
            factory.publish_again(publication=queued, signer=signer)
            made.append(queued)
        return made

    return act


def test_a_fresh_installation_has_no_garbage(release: Release) -> None:
    before = on_disk()
    assert collect_garbage(actor=None, at=timezone.now()).files == 0
    collect_garbage(actor=None, at=later(30))
    unsigned = set(File.objects.filter(package__format="rpm").values_list("announced_sha256"))
    gone = {name for name in before - on_disk() if not name.endswith(".part")}
    assert gone == {sha256 for (sha256,) in unsigned}  # the form before the signature


def test_indices_go_when_three_newer_ones_and_three_days_have_passed(
    release: Release,
    client: Client,
    publish_again_and_again: Callable[[int], list[Publication]],
) -> None:
    (first,) = publish_again_and_again(1)
    old = {file.path: file.blob.sha256 for file in first.files.select_related("blob")}
    publish_again_and_again(2)
    collect_garbage(actor=None, at=later(30))
    assert first.files.count() == len(old)  # the third generation
    (last,) = publish_again_and_again(1)
    collect_garbage(actor=None, at=later(2))
    assert first.files.count() == len(old)  # younger than three days
    report = collect_garbage(actor=None, at=later(5))
    assert report.publications == 1
    assert not first.files.exists()
    assert old["Release"] not in on_disk()
    packages = old["main/binary-amd64/Packages.gz"]  # the same bytes are current
    assert packages in on_disk()
    last.refresh_from_db()
    assert faults_of(last) == ""
    assert client.get(f"{DISTS}/InRelease").status_code == 200
    assert client.get(f"{DISTS}/main/binary-amd64/by-hash/SHA256/{packages}").status_code == 200


def test_what_the_next_publication_copies_from_stays(
    dana: User,
    release: Release,
    signer: LocalSigner,
    publish_again_and_again: Callable[[int], list[Publication]],
    tmp_path: Path,
) -> None:
    publish_again_and_again(5)
    repository = repository_of_debian()
    builds = IndexBuild.objects.filter(index__repository=repository)
    shown = set(IndexBuild.objects.shown_now(repository).values_list("pk", flat=True))
    collect_garbage(actor=None, at=later(30))
    assert shown <= set(builds.values_list("pk", flat=True))
    assert {build.serial for build in builds} == {4, 5, 6}
    draft = factory.make_draft("12.3.1")
    deb = factory.deb("12.3.1")
    name = "exampledb-server_12.3.1_amd64.deb"
    factory.accept(actor=dana, release=draft, name=name, data=deb, distributions=["debian-12"])
    Publication.objects.filter(state="current").update(dated_at=timezone.now() - DAY)
    signer.open_log(tmp_path / "copied")
    factory.publish(actor=dana, release=draft, signer=signer)
    written = builds.get(serial=7, index__component="main", index__name="amd64")
    assert len(written.written) == 1  # the others were copied


def test_a_repository_may_keep_more(
    release: Release, publish_again_and_again: Callable[[int], list[Publication]]
) -> None:
    Repository.objects.update(keep_generations=6)
    publish_again_and_again(5)
    assert collect_garbage(actor=None, at=later(30)).publications == 0
    Repository.objects.update(keep_generations=3)
    assert collect_garbage(actor=None, at=later(30)).publications == 3


def test_a_package_that_left_a_repository_stays_with_its_release(
    dana: User,
    release: Release,
    client: Client,
    signer: LocalSigner,
    publish_again_and_again: Callable[[int], list[Publication]],
) -> None:
    package = Package.objects.get(format="deb", file__release=release)
    take_out(actor=dana, repository=repository_of_debian(), package=package, reason="It is slow.")
    publish_again_and_again(1)
    collect_garbage(actor=None, at=later(30))
    assert client.get(POOL).status_code == 200  # a kept publication lists it
    publish_again_and_again(3)
    Publication.objects.filter(state="past").update(retired_at=timezone.now() - 5 * DAY)
    collect_garbage(actor=None, at=later(30))
    assert client.get(POOL).status_code == 404
    assert package.file.blob.sha256 in on_disk()


def test_a_publication_that_failed_loses_its_files_after_the_grace_time(
    release: Release, signer: LocalSigner
) -> None:
    failed = queue_publication(repository=repository_of_debian())
    at = timezone.now() + dt.timedelta(seconds=2)
    assert publications.build_publication(publication_id=failed.pk, at=at)
    collect_garbage(actor=None, at=later(30))
    assert failed.files.exists()  # it is on its way
    publications.fail_publication(publication_id=failed.pk, reason="the clock")
    collect_garbage(actor=None, at=timezone.now())
    assert failed.files.exists()
    collect_garbage(actor=None, at=later(2))
    assert not failed.files.exists()
    assert faults_of(repository_of_debian().current or failed) == ""


def test_what_was_taken_back_goes_and_what_is_on_its_way_stays(dana: User, draft: Release) -> None:
    done = draft.uploads.get(name__endswith="tar.gz")
    withdraw_upload(actor=dana, upload=done, at=timezone.now())
    begun = factory.send(actor=dana, release=draft, name="a.tar.gz", data=b"abc")
    accepted = draft.uploads.filter(
        state="accepted"
    )  # a process died before it removed their parts
    parts = {f"{upload.pk}.part" for upload in [*accepted, done]}
    left = store.upload_path(uuid4())
    left.write_bytes(b"nobody knows it")
    left.with_name("scratch-abc123").write_bytes(b"this too")
    half = store.blob_path(done.sha256)
    half.with_name(f"{done.sha256}.77").write_bytes(b"and this")
    strange = left.with_name("README")
    strange.write_bytes(b"put here by a person")
    assert collect_garbage(actor=None, at=timezone.now()).files == 0
    report = collect_garbage(actor=None, at=later(2))
    assert set(report.sizes) == {"contents", "uploads", "temporary"}
    assert report.files == 4 + len(parts)
    gone = parts | {done.sha256, left.name, "scratch-abc123", f"{done.sha256}.77"}
    assert not gone & on_disk()
    assert {f"{begun.pk}.part", "README"} <= on_disk()
    assert accept_upload(upload_id=begun.pk) is not None


def test_a_dry_run_says_what_a_run_removes_and_removes_nothing(
    dana: User,
    release: Release,
    monkeypatch: pytest.MonkeyPatch,
    publish_again_and_again: Callable[[int], list[Publication]],
) -> None:
    publish_again_and_again(4)
    keep(b"without a row")
    then = later(30)
    monkeypatch.setattr(timezone, "now", lambda: then)
    before, rows = on_disk(), Blob.objects.count()
    out = StringIO()
    call_command("collect_garbage", "--dry-run", stdout=out)
    assert (on_disk(), Blob.objects.count(), Collection.objects.count()) == (before, rows, 0)
    real = StringIO()
    call_command("collect_garbage", stdout=real)
    assert out.getvalue().replace("would go", "removed") == real.getvalue()
    removed = before - on_disk()
    assert f"{len(removed)} files" in real.getvalue()
    run = Collection.objects.get()
    assert (run.publications, run.files) == (2, len(removed))
    assert run.finished_at is not None
    entry = AuditEntry.objects.get(verb="garbage.collect")
    assert entry.detail == {"publications": 2, "files": len(removed), "bytes": run.size}
    assert str(run) == f"{timezone.now():%Y-%m-%d %H:%M}"
    tasks.collect_garbage()
    assert Collection.objects.count() == 2
    assert measure_garbage(at=timezone.now()).files == 0


@pytest.mark.parametrize("where", ["rows", "files"])
def test_a_run_that_is_killed_leaves_a_file_too_many_and_the_next_takes_it(
    release: Release,
    monkeypatch: pytest.MonkeyPatch,
    publish_again_and_again: Callable[[int], list[Publication]],
    where: str,
) -> None:
    publish_again_and_again(4)
    expected = measure_garbage(at=later(30)).files
    before = on_disk()

    def killed(*_: object) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        if where == "rows":
            patch.setattr(leftovers, "stored", killed)
        else:
            patch.setattr(leftovers, "remove", killed)
        with pytest.raises(KeyboardInterrupt):
            collect_garbage(actor=None, at=later(30))
    named = set(Blob.objects.values_list("sha256", flat=True))
    assert named <= on_disk()
    assert on_disk() == before
    assert Collection.objects.get().finished_at is None
    assert collect_garbage(actor=None, at=later(30)).files == expected
    assert set(on_disk()) == named


def test_a_content_that_was_used_again_since_it_was_found_stays(draft: Release) -> None:
    found = keep(b"used again")
    blob = keep_blob(found)
    digests = list(collection._unused(later(2)))
    assert digests == [found.sha256]
    File.objects.create(name="a.tar.gz", blob=blob, announced_sha256=found.sha256)
    collection._drop_blobs(digests, later(2))
    assert Blob.objects.filter(pk=blob.pk).exists()


def test_bytes_are_kept_within_a_transaction_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "in_atomic_block", False)
    with pytest.raises(TransactionManagementError):
        hold.hold(["ab" * 32])


def test_files_that_go_away_while_they_are_listed_are_left_out(
    db: None, release_files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert collect_garbage(actor=None, at=later(2)).files == 0  # no folder yet
    path = store.upload_path(uuid4())
    path.parent.mkdir(parents=True)
    path.write_bytes(b"abc")
    ((_, found),) = leftovers.parts(later(2))
    path.unlink()
    assert not leftovers.remove(found)
    path.symlink_to("/nowhere")
    assert list(leftovers.parts(later(2))) == []
    real = os.scandir

    def vanishing(folder: Path) -> object:
        listing = list(real(folder))
        path.unlink()
        return nullcontext(listing)

    path.unlink()
    path.write_bytes(b"abc")
    monkeypatch.setattr(os, "scandir", vanishing)
    assert list(leftovers.parts(later(2))) == []


class Writer(threading.Thread):
    """Another connection that keeps bytes and gives them a row, with a rest in between."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.data = data
        self.kept, self.go_on = threading.Event(), threading.Event()

    def run(self) -> None:
        try:
            with transaction.atomic():
                found = keep(self.data)
                self.kept.set()
                assert self.go_on.wait(30)
                File.objects.create(
                    name="a.tar.gz", blob=keep_blob(found), announced_sha256=found.sha256
                )
        finally:
            connection.close()


@pytest.mark.django_db(transaction=True)
def test_no_file_goes_that_a_writer_is_about_to_use_again(release_files: Path) -> None:
    with transaction.atomic():
        found = keep(b"content")
        keep_blob(found)  # nothing refers to it
    path = store.blob_path(found.sha256)

    writer = Writer(b"content")
    writer.start()
    assert writer.kept.wait(30)  # it saw the file, and has not told anybody
    assert collect_garbage(actor=None, at=later(2)).files == 0
    Blob.objects.filter(files=None).delete()  # even without the row
    assert collect_garbage(actor=None, at=later(2)).files == 0
    writer.go_on.set()
    writer.join(30)
    assert File.objects.get().blob.sha256 == found.sha256
    assert path.read_bytes() == b"content"

    File.objects.all().delete()
    late = Writer(b"content")
    with transaction.atomic():
        assert hold.seize([found.sha256]) == [found.sha256]
        late.start()
        assert not late.kept.wait(0.3)  # it waits until the collection is done with this digest
        Blob.objects.all().delete()
        path.unlink()
    assert late.kept.wait(30)
    late.go_on.set()
    late.join(30)
    assert File.objects.get().blob.sha256 == found.sha256
    assert path.read_bytes() == b"content"

    repository = Repository.objects.create(
        series=factory.make_series(), distribution="debian-12", codename="bookworm"
    )
    busy = threading.Event()
    done = threading.Event()

    def switching() -> None:
        try:
            with transaction.atomic():
                Repository.objects.select_for_update(no_key=True).get(pk=repository.pk)
                busy.set()
                assert done.wait(30)
        finally:
            connection.close()

    thread = threading.Thread(target=switching)
    thread.start()
    assert busy.wait(30)
    assert collect_garbage(actor=None, at=later(2)).files == 0  # it does not wait for that
    done.set()
    thread.join(30)
