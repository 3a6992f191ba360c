"""Making and revoking an API token."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from portal.accounts import tokens
from portal.accounts.models import ApiToken, User
from portal.accounts.tokens import TokenScope
from portal.lib import audit

LONGEST = timedelta(days=366)


@transaction.atomic
def issue_token(
    *,
    actor: User,
    name: str,
    scopes: Iterable[TokenScope],
    expires_at: datetime,
    limits: dict[str, Any] | None = None,
) -> tuple[ApiToken, str]:
    """A new token of `actor` and its text, which nobody can read again.

    Raises ValueError when it would never expire, later than a year, allow nothing, or more than
    its owner may.
    """
    now = timezone.now()
    asked = set(scopes)
    wanted = sorted(scope.value for scope in asked)
    if not wanted:
        raise ValueError("a token must allow something")
    product = str((limits or {}).get("product", ""))
    if not all(tokens.owner_may(actor, scope, product=product, at=now) for scope in asked):
        raise ValueError("a token may do no more than its owner")
    if not now < expires_at <= now + LONGEST:
        raise ValueError("a token expires within a year")
    raw = tokens.new_secret()
    token = ApiToken.objects.create(
        user=actor,
        name=name,
        prefix=raw[:8],
        digest=tokens.digest(raw),
        scopes=wanted,
        limits=limits or {},
        expires_at=expires_at,
    )
    audit.record(actor=actor, verb="token.issue", subject=token, scopes=wanted, limits=limits or {})
    return token, raw


@transaction.atomic
def revoke_token(*, actor: User | None, token: ApiToken) -> None:
    revoked = ApiToken.objects.filter(pk=token.pk, revoked_at__isnull=True).update(
        revoked_at=timezone.now()
    )
    if revoked:
        audit.record(actor=actor, verb="token.revoke", subject=token)
