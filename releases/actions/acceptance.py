"""A received upload becomes a file of its release, or is refused. Several are settled together:
their bytes become durable at once and their rows in one transaction.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

from django.db import DataError, IntegrityError, transaction
from django.utils.translation import gettext as _

from portal.lib import audit
from releases import store
from releases.actions.blob import keep_blobs
from releases.actions.checklist import untick_for_new_files
from releases.actions.package import check_package, new_package
from releases.actions.upload import forget_bytes, refuse_upload
from releases.distributions import PROCESSORS
from releases.errors import RefusedError
from releases.examination import Findings, Refusal, examine_all
from releases.models import Blob, File, Package, Upload

logger = logging.getLogger(__name__)

LARGEST_BATCH: Final = 512 * 2**20
Sound = tuple[Upload, Findings]


def batch_of(upload_id: UUID, *, at: dt.datetime) -> list[UUID]:
    """The upload and those that wait with it, as many as are settled within seconds."""
    waiting = Upload.objects.waiting(at).order_by("finished_at", "pk").exclude(pk=upload_id)
    first = Upload.objects.waiting(at).filter(pk=upload_id)
    batch: list[UUID] = []
    size = 0
    for number, more in [*first.values_list("pk", "size"), *waiting.values_list("pk", "size")]:
        size += more
        if batch and size > LARGEST_BATCH:
            break
        batch.append(number)
    return batch


def accept_upload(*, upload_id: UUID) -> Upload | None:
    """Accept or refuse one; None when another process is at it, or when it waits."""
    settled = accept_uploads(upload_ids=[upload_id])
    return settled[0] if settled else None


@transaction.atomic
def accept_uploads(*, upload_ids: Sequence[UUID]) -> list[Upload]:
    """Hash, read and keep received files, or refuse them, each for itself.

    Left out is what another process is at, and what waits because nothing can be said of it now.
    """
    claimed = (
        Upload.objects.select_for_update(skip_locked=True, of=["self"])
        .select_related("release__series__product", "uploaded_by")
        .filter(pk__in=upload_ids, state=Upload.State.RECEIVED)
        .order_by("finished_at", "pk")
    )
    sound: list[Sound] = []
    settled: list[Upload] = []
    for upload, found in examine_all(list(claimed)):
        fitting = _fitting(upload, found) if isinstance(found, Findings) else found
        if isinstance(fitting, Refusal):
            settled.append(refuse_upload(upload, fitting.reason))
        else:
            sound.append((upload, fitting))
    return settled + _keep(sound)


def _fitting(upload: Upload, found: Findings) -> Findings | Refusal:
    """A package is what was announced, and not there already."""
    try:
        if found.package is not None:
            check_package(upload=upload, kind=found.kind, inspected=found.package)
    except RefusedError as error:
        return Refusal(str(error))
    return found


def _keep(sound: Sequence[Sound]) -> list[Upload]:
    """Bytes first, rows afterwards: a release is locked by the rows of its files."""
    store.keep_all([(store.upload_path(upload.pk), found.digests) for upload, found in sound])
    blobs = keep_blobs(found.digests for _, found in sound)
    settled = _enter_all(sound, blobs) or [_enter(one, it, blobs) for one, it in sound]
    releases = {upload.release_id: upload.release for upload in settled if upload.file is not None}
    for release in releases.values():
        untick_for_new_files(actor=None, release=release)
    return settled


def _enter_all(sound: Sequence[Sound], blobs: Mapping[str, Blob]) -> list[Upload]:
    """All together, in as many statements as for one; nothing when one of them does not fit."""
    try:
        with transaction.atomic():
            return _enter_together(sound, blobs)
    except (IntegrityError, DataError):
        return []


def _enter(upload: Upload, found: Findings, blobs: Mapping[str, Blob]) -> Upload:
    """One alone, or why it is refused."""
    try:
        with transaction.atomic():
            return _enter_together([(upload, found)], blobs)[0]
    except (IntegrityError, DataError):
        upload.file = None
        logger.exception("upload %s does not fit the database", upload.pk)
        return refuse_upload(upload, _clash(upload, found))


def _enter_together(sound: Sequence[Sound], blobs: Mapping[str, Blob]) -> list[Upload]:
    """The rows of files and of the packages in them; their uploads are accepted."""
    for upload, found in sound:
        upload.state = Upload.State.ACCEPTED
        if found.package is not None:
            upload.os = File.System.LINUX
            upload.cpu = PROCESSORS.get(found.package["architecture"], "")
        upload.file = _new_file(upload, blobs[found.digests.sha256])
    File.objects.bulk_create(_file_of(upload) for upload, _ in sound)
    Package.objects.bulk_create(
        new_package(
            file=_file_of(upload),
            product=upload.release.series.product,
            kind=found.kind,
            inspected=found.package,
        )
        for upload, found in sound
        if found.package is not None
    )
    uploads = [upload for upload, _ in sound]
    Upload.objects.bulk_update(uploads, ["state", "file", "os", "cpu"])
    told = ((upload, {"sha256": found.digests.sha256}) for upload, found in sound)
    audit.record_all(actor=None, verb="upload.accept", subjects=told)
    for upload in uploads:
        forget_bytes(upload)
    return uploads


def _clash(upload: Upload, found: Findings) -> str:
    """Why rows were not taken: mostly for one that came at the same moment."""
    fitting = _fitting(upload, found)
    if isinstance(fitting, Refusal):
        return fitting.reason
    return _("A file or package like this is there already, or one of its names is too long.")


def _file_of(upload: Upload) -> File:
    if upload.file is None:
        raise ValueError(f"upload {upload.pk} has no file")
    return upload.file


def _new_file(upload: Upload, blob: Blob) -> File:
    return File(
        release=upload.release,
        name=upload.name,
        blob=blob,
        announced_sha256=blob.sha256,
        os=upload.os,
        cpu=upload.cpu,
        distributions=upload.distributions,
        uploaded_by=upload.uploaded_by,
    )
