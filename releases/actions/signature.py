"""What the signer is asked for beside indices: its public key, files, and rpms."""

from __future__ import annotations

import datetime as dt
import shutil
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q

from portal.lib import audit
from releases import openpgp, sandbox, store
from releases.actions.blob import keep_blob
from releases.models import File, Package, SigningKey
from releases.repository import rpm
from releases.repository.yum import KINDS
from releases.signing import PublicKey, Signer


@transaction.atomic
def remember_keys(*, signer: Signer) -> list[SigningKey]:
    """The rows of the keys that the signer holds, as it tells them now. One at a time does it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('releases.remember_keys'))")
    return [_remember(public) for public in signer.public_keys()]


def _remember(public: PublicKey) -> SigningKey:
    told = _fields(public)
    known = SigningKey.objects.filter(fingerprint=public.fingerprint).first()
    if known is None:
        name = f"{settings.DEFAULT_PRODUCT}-{public.name}"
        if SigningKey.objects.filter(name=name).exists():
            name = f"{name}-{public.fingerprint[-8:].lower()}"
        known = SigningKey.objects.create(name=name, fingerprint=public.fingerprint, **told)
        audit.record(actor=None, verb="key.remember", subject=known, fingerprint=known.fingerprint)
        return known
    changed = [name for name, value in told.items() if _stored(known, name) != value]
    for name in changed:
        setattr(known, name, told[name])
    if changed:
        known.save(update_fields=changed)
        audit.record(
            actor=None,
            verb="key.change",
            subject=known,
            state=known.state,
            expires=str(known.expires_at or ""),
        )
    return known


def _stored(key: SigningKey, name: str) -> Any:
    value = getattr(key, name)
    return bytes(value) if name == "binary" else value


def _fields(public: PublicKey) -> dict[str, Any]:
    return {
        "own_name": public.name,
        "user_id": public.user_id,
        "algorithm": public.algorithm,
        "scope": public.scope,
        "state": public.state,
        "created_at": dt.datetime.fromtimestamp(public.created, dt.UTC),
        "expires_at": public.expires and dt.datetime.fromtimestamp(public.expires, dt.UTC),
        "armored": public.armored,
        "binary": public.binary,
        "for_files": public.for_files,
    }


def keys_that_signed(signatures: bytes, *, signer: Signer) -> list[SigningKey]:
    """The rows of the keys that made these signatures, oldest first; the signer is asked about one
    that was never seen.
    """
    wanted = set(openpgp.issuers(signatures))
    known = SigningKey.objects.filter(fingerprint__in=wanted).order_by("created_at", "pk")
    found = list(known)
    if len(found) < len(wanted):
        remember_keys(signer=signer)
        found = list(known.all())
    return found


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
        keys_that_signed(file.signature.encode(), signer=signer)


@transaction.atomic
def sign_package(*, package_id: int, signer: Signer, at: dt.datetime) -> None:
    """Write the signed form of an rpm, and the index paragraphs of that form.

    Clients refuse a package that was signed after it was indexed, so this comes before any index.
    The packages of a draft wait until it is published.
    """
    package = (
        Package.objects.select_for_update(skip_locked=True, of=["self"])
        .select_related("file__blob", "product")
        .filter(pk=package_id, format=Package.Format.RPM, signed_at=None)
        .filter(Q(file__release__published_at__lte=at) | Q(file__release=None))
        .first()
    )
    if package is None:
        return
    file = package.file
    with store.blob_path(file.blob.sha256).open("rb") as source, store.scratch() as signed:
        outside = rpm.read(source)
        signature = signer.sign_rpm_header(package.product.slug, outside.header)
        signed.write(rpm.signed_front(outside, signature))
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
    (package.key,) = keys_that_signed(signature, signer=signer)
    package.signed_at = at
    package.save(update_fields=["stanzas", "signed_at", "key"])
    audit.record(actor=None, verb="package.sign", subject=package, sha256=found.sha256)
