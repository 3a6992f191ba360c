"""Registering and revoking what signs runs, and keeping the public keys of a CI."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from benchmarks.models import CiKey, Signer
from benchmarks.models.signer import CI_ISSUERS, REPOSITORY
from benchmarks.trust import signatures
from benchmarks.trust.identity import BadTokenError, keys_in
from portal.accounts.models import User
from portal.lib import audit


class TakenError(Exception):
    """The key is registered already, by somebody; or the repository by the same person."""


def register_key(*, actor: User, name: str, key: str, at: datetime) -> Signer:
    """Raises `BadKeyError` for a text that is no key, `TakenError` for one that is known."""
    raw = signatures.public_key(key)
    return _register(
        actor,
        owner=actor,
        kind=Signer.Kind.ED25519,
        name=name,
        key_id=signatures.key_id(raw),
        public_key=raw,
        created_at=at,
    )


def register_repository(*, actor: User, issuer: str, repository: str, at: datetime) -> Signer:
    """Raises ValueError for a CI that is not known or no repository, `TakenError` when known."""
    if issuer not in CI_ISSUERS or not REPOSITORY.fullmatch(repository):
        raise ValueError("a CI that the portal knows, and owner/name of a repository")
    if Signer.objects.in_force().filter(owner=actor, issuer=issuer, repository=repository).exists():
        raise TakenError
    return _register(
        actor,
        owner=actor,
        kind=Signer.Kind.CI,
        name=repository,
        public_key=b"",
        issuer=issuer,
        repository=repository,
        created_at=at,
    )


def _register(actor: User, **fields: Any) -> Signer:
    try:
        with transaction.atomic():
            signer = Signer.objects.create(**fields)
            audit.record(
                actor=actor,
                verb="benchmark_signer.register",
                subject=signer,
                kind=str(signer.kind),
                key_id=signer.key_id,
            )
    except IntegrityError:
        raise TakenError from None
    return signer


@transaction.atomic
def revoke_signer(*, actor: User, signer: Signer, at: datetime) -> bool:
    """No later run is signed by it; what it signed before stays as it is."""
    rows = Signer.objects.in_force().filter(pk=signer.pk)
    revoked = rows.update(revoked_at=at)
    if revoked:
        audit.record(actor=actor, verb="benchmark_signer.revoke", subject=signer)
    return bool(revoked)


@transaction.atomic
def keep_ci_keys(*, issuer: str, keys: object, at: datetime) -> int:
    """Replace the keys of a CI by those of its key set; how many there are.

    Raises ValueError for a CI that is not known, `BadTokenError` for a key set without keys.
    """
    if issuer not in CI_ISSUERS:
        raise ValueError("a CI that the portal does not know")
    found = dict(keys_in(keys))
    if not found:
        raise BadTokenError("The key set holds no key that can be used")
    CiKey.objects.filter(issuer=issuer).delete()
    rows = [CiKey(issuer=issuer, key_id=kid, jwk=jwk, kept_at=at) for kid, jwk in found.items()]
    CiKey.objects.bulk_create(rows)
    return len(rows)
