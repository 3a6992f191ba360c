"""What the signer is asked for beside indices: its public key, files, and rpms."""

from __future__ import annotations

import datetime as dt
import shutil
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from portal.lib import audit
from releases import sandbox, store
from releases.actions.upload import keep_blob
from releases.models import File, Package, SigningKey
from releases.repository import rpm
from releases.repository.yum import KINDS
from releases.signing import PublicKey, Signer


@transaction.atomic
def remember_key(*, signer: Signer) -> SigningKey:
    """The row of the key that the signer uses for repositories, made when it is seen first."""
    return _remember(signer.public_key(), f"{settings.DEFAULT_PRODUCT}-keyring")


def _remember(public: PublicKey, name: str, **fields: bool) -> SigningKey:
    known = SigningKey.objects.filter(fingerprint=public.fingerprint).first()
    if known is not None:
        return known
    if SigningKey.objects.filter(name=name).exists():
        name = f"{name}-{public.fingerprint[-8:].lower()}"
    key = SigningKey.objects.create(
        name=name,
        fingerprint=public.fingerprint,
        user_id=public.user_id,
        armored=public.armored,
        binary=public.binary,
        **fields,
    )
    audit.record(actor=None, verb="key.remember", subject=key, fingerprint=key.fingerprint)
    return key


@transaction.atomic
def sign_file(*, file_id: int, signer: Signer, at: dt.datetime) -> None:
    """Put the detached signature to a file that has none; a draft's files wait."""
    file = (
        File.objects.select_for_update(skip_locked=True, of=["self"])
        .select_related("blob")
        .filter(pk=file_id, signature="", release__published_at__lte=at)
        .first()
    )
    if file is not None:
        file.signature = signer.sign_file(store.blob_path(file.blob.sha256))
        file.save(update_fields=["signature"])
        _remember(signer.file_key(), f"{settings.DEFAULT_PRODUCT}-files", for_files=True)


@transaction.atomic
def sign_package(*, package_id: int, signer: Signer, at: dt.datetime) -> None:
    """Write the signed form of an rpm, and the index paragraphs of that form.

    Clients refuse a package that was signed after it was indexed, so this comes before any index.
    The packages of a draft wait until it is published.
    """
    package = (
        Package.objects.select_for_update(skip_locked=True, of=["self"])
        .select_related("file__blob")
        .filter(pk=package_id, format=Package.Format.RPM, signed_at=None)
        .filter(Q(file__release__published_at__lte=at) | Q(file__release=None))
        .first()
    )
    if package is None:
        return
    file = package.file
    with store.blob_path(file.blob.sha256).open("rb") as source, store.scratch() as signed:
        outside = rpm.read(source)
        signed.write(rpm.signed_front(outside, signer.sign_rpm_header(outside.header)))
        source.seek(outside.payload_at)
        shutil.copyfileobj(source, signed, store.CHUNK)
        signed.flush()
        path = Path(signed.name)
        found = store.digest(path)
        inspected = sandbox.inspect("rpm", path)
        store.keep(path, found)
    file.blob, file.signature = keep_blob(found), ""
    file.save(update_fields=["blob", "signature"])
    package.stanzas = {kind: inspected[kind] for kind in KINDS}
    package.signed_at, package.key = at, remember_key(signer=signer)
    package.save(update_fields=["stanzas", "signed_at", "key"])
    audit.record(actor=None, verb="package.sign", subject=package, sha256=found.sha256)
