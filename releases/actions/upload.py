"""An upload: announced, received in chunks, finished, and accepted or refused."""

from __future__ import annotations

import datetime as dt
import logging
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from django.db import DataError, IntegrityError, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import audit
from releases import sandbox, store
from releases.actions.blob import keep_blob
from releases.distributions import DISTRIBUTIONS, PROCESSORS
from releases.errors import RefusedError, WrongOffsetError
from releases.models import File, Package, Product, Release, Upload
from releases.repository import apt
from releases.repository.lookalike import HEAD, lookalike

logger = logging.getLogger(__name__)

LARGEST: Final = 10 * 2**30
LARGEST_CHUNK: Final = 8 * 2**20
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+~-]{0,199}")
SHA256: Final = re.compile(r"[0-9a-f]{64}")


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
    _check_announcement(release, name, size, sha256, distributions, at)
    before = (  # locked, as its check may be accepting it now: its state is read after that
        Upload.objects.select_for_update(of=["self"])
        .filter(release=release, name=name)
        .exclude(state=Upload.State.REFUSED)
        .first()
    )
    if before is not None:
        if (before.sha256, before.size) == (sha256, size):
            return before
        if before.state != Upload.State.OPEN:
            raise RefusedError(
                _("%(name)s is there with other bytes. A name never gets other bytes.")
                % {"name": name}
            )
        _refuse(before, _("announced again with other bytes"))
    upload = Upload.objects.create(
        release=release,
        name=name,
        size=size,
        sha256=sha256,
        os=os,
        cpu=cpu,
        distributions=sorted(set(distributions)),
        uploaded_by=actor,
    )
    audit.record(actor=actor, verb="upload.announce", subject=upload, sha256=sha256, size=size)
    return upload


def _check_announcement(
    release: Release,
    name: str,
    size: int,
    sha256: str,
    distributions: Sequence[str],
    at: dt.datetime,
) -> None:
    if release.is_published(at):
        raise RefusedError(_("This release is published: its files are fixed. Make a new version."))
    if not NAME.fullmatch(name) or ".." in name:
        raise RefusedError(_("A file name has letters, digits and . _ + ~ - only."))
    if not 0 < size <= LARGEST:
        raise RefusedError(_("A file has between 1 byte and 10 GiB."))
    if not SHA256.fullmatch(sha256):
        raise RefusedError(
            _("Announce the SHA-256 of the file as 64 lower-case hexadecimal digits.")
        )
    formats = {DISTRIBUTIONS[slug].format for slug in distributions if slug in DISTRIBUTIONS}
    if unknown := sorted(set(distributions) - set(DISTRIBUTIONS)):
        raise RefusedError(
            _("Unknown distribution %(unknown)s. Known are: %(known)s.")
            % {"unknown": ", ".join(unknown)[:80], "known": ", ".join(DISTRIBUTIONS)}
        )
    kind = package_format(name)
    if kind and formats != {kind}:
        raise RefusedError(
            _("Say for which distributions of format %(kind)s this package is.") % {"kind": kind}
        )
    if not kind and formats:
        raise RefusedError(_("Only packages (.deb, .rpm) belong to distributions."))


def package_format(name: str) -> str:
    """deb, rpm, or nothing for a plain file."""
    suffix = name.rpartition(".")[2]
    return suffix if suffix in Package.Format.values else ""


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
    locked.offset = offset + len(data)
    locked.save(update_fields=["offset"])
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
def accept_upload(*, upload_id: UUID) -> Upload | None:
    """Hash, read and keep a received file, or refuse it; None when another process is at it."""
    upload = (
        Upload.objects.select_for_update(skip_locked=True, of=["self"])
        .select_related("release__series__product", "uploaded_by")
        .filter(pk=upload_id, state=Upload.State.RECEIVED)
        .first()
    )
    if upload is None:
        return None
    path = store.upload_path(upload.pk)
    try:
        found = store.digest(path)
        if (found.size, found.sha256) != (upload.size, upload.sha256):
            raise RefusedError(_("The bytes that arrived have another SHA-256 than was announced."))
        _check_bytes(path)
        kind = package_format(upload.name)
        inspected = sandbox.inspect(kind, path) if kind else None
        if inspected is not None:
            _check_package(upload, kind, inspected)
    except (RefusedError, sandbox.PackageRefusedError) as error:
        return _refuse(upload, str(error))
    store.keep(path, found)
    if inspected is not None:
        architecture = inspected["architecture"]
        upload.os, upload.cpu = File.System.LINUX, PROCESSORS.get(architecture, "")
    try:
        with transaction.atomic():
            file = _make_file(upload, found)
            if inspected is not None:
                make_package(file, upload.release.series.product, kind, inspected)
    except (IntegrityError, DataError):
        logger.exception("upload %s does not fit the database", upload.pk)
        return _refuse(
            upload,
            _("A file or package like this is there already, or one of its names is too long."),
        )
    upload.state, upload.file = Upload.State.ACCEPTED, file
    upload.save(update_fields=["state", "file", "os", "cpu"])
    audit.record(actor=None, verb="upload.accept", subject=upload, sha256=found.sha256)
    transaction.on_commit(lambda: path.unlink(missing_ok=True))
    return upload


def _refuse(upload: Upload, reason: str) -> Upload:
    upload.state, upload.reason = Upload.State.REFUSED, reason[:300]
    upload.save(update_fields=["state", "reason"])
    audit.record(actor=None, verb="upload.refuse", subject=upload, reason=upload.reason)
    path = store.upload_path(upload.pk)
    transaction.on_commit(lambda: path.unlink(missing_ok=True))
    return upload


def _make_file(upload: Upload, found: apt.Digests) -> File:
    blob = keep_blob(found)
    return File.objects.create(
        release=upload.release,
        name=upload.name,
        blob=blob,
        announced_sha256=found.sha256,
        os=upload.os,
        cpu=upload.cpu,
        distributions=upload.distributions,
        uploaded_by=upload.uploaded_by,
    )


def _check_bytes(path: Path) -> None:
    """A signature of these bytes could be passed off for that of an index: the signer refuses."""
    with path.open("rb") as file:
        if found := lookalike(file.read(HEAD)):
            raise RefusedError(
                _(
                    "This file would pass for %(found)s, so it cannot be signed."
                    " Pack it in an archive."
                )
                % {"found": found}
            )


def _check_package(upload: Upload, kind: str, inspected: dict[str, Any]) -> None:
    product = upload.release.series.product
    same = Package.objects.filter(product=product, format=kind).filter(
        Q(path=package_path(kind, inspected))
        | Q(**{field: inspected[field] for field in ("name", "version", "architecture")})
    )
    if (package := same.first()) is not None:
        raise RefusedError(
            _("%(package)s is there already. The same package and version is never replaced.")
            % {"package": str(package)}
        )


def package_path(kind: str, inspected: dict[str, Any]) -> str:
    """Where the package lies in a repository: derived by us, unique for a product."""
    if kind == Package.Format.RPM:
        return str(inspected["location"])
    return apt.pool_path(
        inspected["source"],
        inspected["name"],
        inspected["version"],
        inspected["architecture"],
    )


def make_package(file: File, product: Product, kind: str, inspected: dict[str, Any]) -> Package:
    """The row of a package that was inspected."""
    path = package_path(kind, inspected)
    if kind == Package.Format.DEB:
        stanza = apt.stanza(inspected["control"], path, file.blob.digests)
        stanzas = {"packages": stanza.decode()}
    else:
        stanzas = {}  # written when the rpm is signed: its bytes change then
    return Package.objects.create(
        file=file,
        product=product,
        format=kind,
        name=inspected["name"],
        version=inspected["version"],
        architecture=inspected["architecture"],
        component=apt.component_of(inspected["name"], inspected.get("section", "")),
        path=path,
        stanzas=stanzas,
    )
