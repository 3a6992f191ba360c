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
    """Give `user` the role from `since` (now) until `until` (open).

    A grant of the same role and scope that is not over then is lengthened where the new one
    reaches further, else it stays as it is: asked twice, it is given once.
    """
    User.objects.select_for_update().get(pk=user.pk)
    start = since or timezone.now()
    existing = (
        RoleGrant.objects.not_over(start)
        .of(user)
        .filter(role=role, scope_kind=scope_kind, scope_slug=scope_slug)
        .order_by("since")
        .first()
    )
    if existing is not None:
        return _lengthened(existing, actor=actor, since=start, until=until)
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


def _lengthened(
    grant: RoleGrant, *, actor: User | None, since: datetime, until: datetime | None
) -> RoleGrant:
    first = min(grant.since, since)
    last = None if grant.until is None or until is None else max(grant.until, until)
    if (first, last) != (grant.since, grant.until):
        grant.since, grant.until = first, last
        grant.save(update_fields=["since", "until"])
        audit.record(
            actor=actor,
            verb="role.lengthen",
            subject=grant.user,
            role=grant.role,
            scope=grant.scope_slug,
            until=last,
        )
    return grant


@transaction.atomic
def end_grant(*, actor: User | None, grant: RoleGrant, at: datetime | None = None) -> bool:
    """End one grant; one that has not begun ends as it begins. False: it was over already."""
    moment = at or timezone.now()
    locked = RoleGrant.objects.not_over(moment).select_for_update().filter(pk=grant.pk).first()
    if locked is None:
        return False
    locked.until = max(moment, locked.since)
    locked.save(update_fields=["until"])
    audit.record(
        actor=actor,
        verb="role.revoke",
        subject=locked.user,
        role=locked.role,
        scope=locked.scope_slug,
    )
    return True


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
