"""Who stands behind an upload: a registered key, or the CI of a registered repository."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from benchmarks.documents import RefusedError
from benchmarks.models import CiKey, Signer
from benchmarks.readers import Taken
from benchmarks.trust import identity, signatures
from portal.accounts.models import User

UNKNOWN = "The key of the signature is not registered here, or was revoked: it does not count."
FOREIGN = "The signature is of another account than the one that sent this: it does not count."


@dataclass(frozen=True, slots=True)
class Proof:
    """``signer`` is None when nothing was proved; ``remark`` says why not."""

    signer: Signer | None = None
    signed_as: str = ""
    remark: str = ""


def proof_of(
    *, actor: User | None, taken: Taken, signature: str, key_id: str, token: str, at: datetime
) -> Proof:
    """What the signature or the identity token of an upload proves.

    Raises `RefusedError` for one that does not fit: the file was changed, or somebody pretends.
    """
    if token:
        return _by_ci(actor, taken, token, at)
    try:
        if signature:
            found = signatures.beside(signature, key=key_id, file=taken.sent)
        elif taken.is_signed:
            found = signatures.inside(json.loads(taken.sent))  # type: ignore[assignment]
        else:
            return Proof()
    except ValueError:
        raise RefusedError("/signature", "This is not an Ed25519 signature.") from None
    return _by_key(actor, found) if found is not None else Proof()


def _by_key(actor: User | None, signature: signatures.Signature) -> Proof:
    signer = Signer.objects.in_force().filter(kind="ed25519", key_id=signature.key_id).first()
    if signer is None:
        return Proof(remark=UNKNOWN)
    if not signatures.is_good(signature, bytes(signer.public_key)):
        raise RefusedError("/signature/value", "The signature does not fit the file.")
    if actor is None or signer.owner_id != actor.pk:
        return Proof(remark=FOREIGN)
    return Proof(signer, f"Ed25519 {signer.key_id[:16]}")


def _by_ci(actor: User | None, taken: Taken, token: str, at: datetime) -> Proof:
    wanted = identity.audience(settings.BASE_URL, taken.sha256)
    try:
        issuer, kid = identity.issuer_of(token)
        key = CiKey.objects.filter(issuer=issuer, key_id=kid).first()
        if key is None:
            raise identity.BadTokenError("The portal has no key of this CI by that name")
        found = identity.verified(token, jwk=key.jwk, wanted=wanted, at=at)
    except identity.BadTokenError as error:
        raise RefusedError("identity", f"{error}.") from None
    signers = Signer.objects.in_force().filter(
        kind="ci", issuer=found.issuer, repository=found.repository
    )
    signer = signers.filter(owner=actor).first() if actor else None
    if signer is None:
        return Proof(
            remark=f"The account that sent this has not registered the repository"
            f" “{found.repository}”: its identity does not count."
        )
    return Proof(signer, str(found)[:300])
