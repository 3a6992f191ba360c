"""Sending and taking back from the page of a draft; uploads that nobody finished."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from releases import store, tasks
from releases.actions import announcement, upload
from releases.actions.upload import append_chunk, forget_uploads, withdraw_upload
from releases.errors import RefusedError
from releases.models import File, Package, Release, Upload
from releases.signer.local import LocalSigner
from releases.tests import factory
from releases.views import upload as page

PAGE = "/releases/manage/exampledb/12.3.0/"
DEB = "exampledb-server_12.3.0_amd64.deb"


@pytest.fixture
def dana_at_work(dana: User, client_for: Callable[[User], Client]) -> Client:
    return client_for(dana)


def send(client: Client, *files: SimpleUploadedFile, **fields: Any) -> str:
    answer = client.post(f"{PAGE}uploads/", {"chosen": list(files), **fields}, follow=True)
    return str(answer.content.decode())


def test_the_plain_form_takes_several_files(db: None, dana_at_work: Client) -> None:
    factory.make_draft()
    deb = SimpleUploadedFile(DEB, factory.deb())
    source = SimpleUploadedFile("exampledb-12.3.0.tar.gz", b"source")
    said = send(dana_at_work, deb, source, distributions=["debian-12", "rhel-9"])
    assert said.count("is here and being checked") == 2
    tasks.sweep()
    states = dict(Upload.objects.values_list("name", "state"))
    assert states == {DEB: "accepted", source.name: "accepted"}
    assert File.objects.get(name=DEB).distributions == ["debian-12"]
    assert File.objects.get(name=source.name).os == "Source"


def test_the_plain_form_says_what_is_wrong(
    db: None, dana_at_work: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    factory.make_draft()
    assert "Nothing was sent" in send(dana_at_work)
    said = send(dana_at_work, SimpleUploadedFile(DEB, b"x"))
    assert f"{DEB} was not sent: Say for which distributions" in said
    monkeypatch.setattr(page, "LARGEST_FORM", 10)
    assert "too much for one form" in send(dana_at_work, SimpleUploadedFile("a.zip", b"x"))
    assert not Upload.objects.exists()


def test_a_file_is_taken_out_of_a_draft_and_may_come_again(
    draft: Release, dana_at_work: Client, dana: User
) -> None:
    for taken in draft.uploads.all():
        path = f"{PAGE}uploads/{taken.pk}/withdraw/"
        assert "is taken back" in dana_at_work.post(path, follow=True).content.decode()
        assert "nothing to take back" in dana_at_work.post(path, follow=True).content.decode()
    assert (File.objects.count(), Package.objects.count()) == (0, 0)
    again = factory.accept(
        actor=dana,
        release=draft,
        name=DEB,
        data=factory.deb(text="built anew"),
        distributions=["debian-12"],
    )
    assert again.state == Upload.State.ACCEPTED


def test_a_published_file_stays(release: Release, dana: User) -> None:
    for taken in release.uploads.all():
        with pytest.raises(RefusedError, match="files are fixed"):
            withdraw_upload(actor=dana, upload=taken, at=timezone.now())
    assert release.files.count() == 3


def test_a_package_that_a_repository_holds_stays(release: Release, dana: User) -> None:
    Release.objects.update(published_at=None, published_by=None)
    taken = release.uploads.get(name=DEB)
    with pytest.raises(RefusedError, match="repository holds"):
        withdraw_upload(actor=dana, upload=taken, at=timezone.now())
    taken.refresh_from_db()
    assert taken.state == Upload.State.ACCEPTED


def begin(dana: User, name: str = "a.zip") -> Upload:
    release = Release.objects.first() or factory.make_draft()
    return upload.announce_upload(
        actor=dana, release=release, name=name, size=6, sha256="0" * 64, at=timezone.now()
    )


@pytest.mark.django_db(transaction=True)
def test_an_upload_that_nothing_comes_for_is_taken_back_after_a_week(
    dana: User, signer: LocalSigner
) -> None:
    begun = begin(dana)
    append_chunk(upload=begun, offset=0, data=b"abc")
    begun.refresh_from_db()
    almost = begun.forgotten_at - dt.timedelta(seconds=1)
    assert forget_uploads(at=almost) == []
    assert store.upload_path(begun.pk).exists()
    assert forget_uploads(at=begun.forgotten_at) == [begun]
    assert not store.upload_path(begun.pk).exists()
    begun.refresh_from_db()
    assert (begun.state, begun.reason) == (Upload.State.WITHDRAWN, "nothing came for 7 days")
    assert begin(dana).offset == 0


def test_an_upload_of_an_earlier_day_is_not_forgotten_before_its_bytes_came(dana: User) -> None:
    """The demonstration announces those of last year while the sweep runs."""
    release = factory.make_draft()
    earlier = timezone.now() - dt.timedelta(days=300)
    begun = upload.announce_upload(
        actor=dana, release=release, name="a.zip", size=6, sha256="0" * 64, at=earlier
    )
    assert forget_uploads(at=timezone.now()) == []
    assert append_chunk(upload=begun, offset=0, data=b"abc") == 3


def test_a_draft_has_a_bounded_number_of_begun_uploads(
    dana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(announcement, "MOST_BEGUN", 2)
    begin(dana, "a.zip")
    begin(dana, "b.zip")
    begin(dana, "b.zip")
    with pytest.raises(RefusedError, match="2 uploads of this draft are begun"):
        begin(dana, "c.zip")
