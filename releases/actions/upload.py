"""An upload: announced, received in chunks, finished; acceptance.py settles what becomes of it."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Sequence
from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import ProtectedError
from django.utils import timezone
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import audit, languages
from releases import store
from releases.actions.announcement import Announced, check_announcement, earlier_upload
from releases.actions.checklist import untick_for_new_files
from releases.errors import RefusedError, WrongOffsetError
from releases.models import File, Release, Upload

LARGEST_CHUNK: Final = 8 * 2**20


@transaction.atomic
def announce_upload(
    *,
    actor: User,
    release: Release,
    name: str,
    size: int,
    sha256: str,
    os: str = "",
    cpu: str = "",
    distributions: Sequence[str] = (),
    at: dt.datetime,
) -> Upload:
    """The upload to send chunks to; the one that was begun before, if it was of the same bytes."""
    Release.objects.select_for_update().get(pk=release.pk)
    asked = Announced(name, size, sha256, os, cpu, tuple(sorted(set(distributions))))
    check_announcement(release=release, asked=asked, at=at)
    before = earlier_upload(release=release, asked=asked)
    if before is not None:
        if (before.sha256, before.size) == (sha256, size):
            return before
        with languages.of_record():
            refuse_upload(before, _("announced again with other bytes"))
    upload = Upload.objects.create(
        release=release,
        name=name,
        size=size,
        sha256=sha256,
        os=os,
        cpu=cpu,
        distributions=list(asked.distributions),
        uploaded_by=actor,
    )
    audit.record(actor=actor, verb="upload.announce", subject=upload, sha256=sha256, size=size)
    return upload


@transaction.atomic
def append_chunk(*, upload: Upload, offset: int, data: bytes) -> int:
    """Write a chunk at `offset`; the new offset, which is on disk for certain.

    The file is synced before the row tells of it, so a process may die anywhere in between.
    """
    locked = Upload.objects.select_for_update().get(pk=upload.pk)
    if locked.state != Upload.State.OPEN:
        raise RefusedError(_("This upload takes no more bytes."))
    if offset != locked.offset:
        raise WrongOffsetError(_("The upload stands at another offset."), locked.offset)
    if not data or len(data) > LARGEST_CHUNK or offset + len(data) > locked.size:
        raise RefusedError(_("A chunk has at most 8 MiB and ends within the announced size."))
    path = store.upload_path(locked.pk)
    path.parent.mkdir(parents=True, exist_ok=True)
    is_new = not path.exists()
    with path.open("r+b" if not is_new else "x+b") as file:
        file.truncate(offset)
        file.seek(offset)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    if is_new:
        store.sync_folder(path.parent)
    locked.offset, locked.moved_at = offset + len(data), timezone.now()
    locked.save(update_fields=["offset", "moved_at"])
    return locked.offset


@transaction.atomic
def finish_upload(*, actor: User, upload: Upload, at: dt.datetime) -> Upload:
    """Say that all bytes are there; the check comes next. A second call changes nothing."""
    locked = Upload.objects.select_for_update().get(pk=upload.pk)
    if locked.state != Upload.State.OPEN:
        return locked
    if locked.offset != locked.size:
        raise WrongOffsetError(_("Not all bytes are here yet."), locked.offset)
    locked.state, locked.finished_at = Upload.State.RECEIVED, at
    locked.save(update_fields=["state", "finished_at"])
    audit.record(actor=actor, verb="upload.finish", subject=locked, size=locked.size)
    return locked


@transaction.atomic
def withdraw_upload(*, actor: User, upload: Upload, at: dt.datetime) -> Upload:
    """Take back an upload of a draft, with the file that came of it; its name is free again.

    Nobody outside has seen a draft. Once it was published, a name never gets other bytes.
    """
    release = Release.objects.select_for_update(of=["self"]).get(pk=upload.release_id)
    locked = Upload.objects.select_for_update(of=["self"]).get(pk=upload.pk)
    if release.published_at is not None:
        raise RefusedError(_("This release is published, or about to be: its files are fixed."))
    if locked.state not in Upload.LIVE:
        raise RefusedError(_("There is nothing to take back."))
    file, locked.file = locked.file, None
    with languages.of_record():
        _withdraw(locked, actor, _("taken back by %(person)s") % {"person": actor})
    if file is not None:
        _remove_file(file)
        untick_for_new_files(actor=actor, release=release)
    return locked


@transaction.atomic
def forget_uploads(*, at: dt.datetime) -> list[Upload]:
    """Take back the uploads that nothing has come for since long; the page says so."""
    forgotten = list(Upload.objects.forgotten(at).select_for_update(skip_locked=True, of=["self"]))
    for upload in forgotten:
        _withdraw(upload, None, _("nothing came for 7 days"))
    return forgotten


def _withdraw(upload: Upload, actor: User | None, reason: str) -> None:
    upload.state, upload.reason = Upload.State.WITHDRAWN, reason[:300]
    upload.save(update_fields=["state", "reason", "file"])
    audit.record(actor=actor, verb="upload.withdraw", subject=upload, reason=upload.reason)
    forget_bytes(upload)


def _remove_file(file: File) -> None:
    """The rows of a file that was never published. Its bytes are for the garbage collection."""
    package = getattr(file, "package", None)
    try:
        if package is not None:
            package.delete()
        file.delete()
    except ProtectedError:
        raise RefusedError(_("A repository holds this package: its file cannot go.")) from None


def refuse_upload(upload: Upload, reason: str) -> Upload:
    """Within the transaction of the action that found the reason."""
    upload.state, upload.reason = Upload.State.REFUSED, reason[:300]
    upload.save(update_fields=["state", "reason"])
    audit.record(actor=None, verb="upload.refuse", subject=upload, reason=upload.reason)
    forget_bytes(upload)
    return upload


def forget_bytes(upload: Upload) -> None:
    """Once the transaction has ended well: the store has them, or nobody wants them."""
    transaction.on_commit(partial(store.upload_path(upload.pk).unlink, missing_ok=True))
