"""Granting and revoking a role."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role, Scope
from portal.lib import audit


@transaction.atomic
def grant_role(
    *,
    actor: User | None,
    user: User,
    role: Role,
    scope_kind: Scope = Scope.FOUNDATION,
    scope_slug: str = "",
    since: datetime | None = None,
    until: datetime | None = None,
    reason: str = "",
) -> RoleGrant:
    """Give `user` the role; an open grant of the same role and scope stays as it is."""
    User.objects.select_for_update().get(pk=user.pk)
    start = since or timezone.now()
    existing = (
        RoleGrant.objects.active_on(start)
        .of(user)
        .filter(role=role, scope_kind=scope_kind, scope_slug=scope_slug)
        .first()
    )
    if existing is not None:
        return existing
    grant = RoleGrant.objects.create(
        user=user,
        role=role,
        scope_kind=scope_kind,
        scope_slug=scope_slug,
        since=start,
        until=until,
        reason=reason,
    )
    audit.record(
        actor=actor, verb="role.grant", subject=user, role=role, scope=scope_slug, reason=reason
    )
    return grant


@transaction.atomic
def revoke_role(
    *,
    actor: User | None,
    user: User,
    role: Role,
    scope_kind: Scope = Scope.FOUNDATION,
    scope_slug: str = "",
    at: datetime | None = None,
) -> None:
    """End every grant of that role and scope that is active; none is fine."""
    moment = at or timezone.now()
    ended = (
        RoleGrant.objects.active_on(moment)
        .of(user)
        .filter(role=role, scope_kind=scope_kind, scope_slug=scope_slug)
        .update(until=moment)
    )
    if ended:
        audit.record(actor=actor, verb="role.revoke", subject=user, role=role, scope=scope_slug)
