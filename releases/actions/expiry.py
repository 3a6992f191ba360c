"""Telling people that a key expires: 90, 30 and 7 days before, each once."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role
from portal.lib import audit, outbox
from releases.models import KeyAlarm, Product, SigningKey


@transaction.atomic
def warn_of_expiry(*, at: dt.datetime) -> list[SigningKey]:
    """The keys about which letters were promised now: to release managers and to staff."""
    told = []
    for key in SigningKey.objects.expiring(at).select_for_update():
        step = key.warning_step(at)
        if key.expires_at is None or step is None:
            continue
        _, is_new = KeyAlarm.objects.get_or_create(
            key=key, days=step, expires_at=key.expires_at, defaults={"told_at": at}
        )
        if not is_new:
            continue
        _tell(key, step, at)
        audit.record(actor=None, verb="key.warn", subject=key, days=step)
        told.append(key)
    return told


def _tell(key: SigningKey, step: int, at: dt.datetime) -> None:
    for person in people(at):
        outbox.enqueue(
            to=person.email,
            template="key_expires",
            context={
                "person": person,
                "key": key,
                "days": key.days_left(at),
                "is_expired": key.is_expired(at),
            },
            key=f"key_expires:{key.pk}:{key.expires_at}:{step}:{person.pk}",
        )


def people(at: dt.datetime) -> list[User]:
    """Who can do something about a key: release managers, and staff who operate the signer."""
    managers = {person for product in Product.objects.all() for person in product.managers(at)}
    grants = RoleGrant.objects.active_on(at).filter(role=Role.STAFF)
    staff = User.objects.filter(is_active=True, role_grants__in=grants)
    return sorted(managers | set(staff), key=lambda person: person.email)
