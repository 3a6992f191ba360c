"""Alarms: what was told to whom, once. The transaction is the caller's."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any

from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role
from portal.lib import outbox
from releases.models import Alarm, Product, Repository, SigningKey


def is_new(
    *,
    kind: Alarm.Kind,
    moment: dt.datetime,
    at: dt.datetime,
    step: int = 0,
    key: SigningKey | None = None,
    repository: Repository | None = None,
) -> bool:
    """Whether nobody was told of it yet; from now on somebody was."""
    _alarm, created = Alarm.objects.get_or_create(
        kind=kind,
        key=key,
        repository=repository,
        moment=moment,
        step=step,
        defaults={"told_at": at},
    )
    return created


def tell(whom: Iterable[User], *, template: str, mark: str, **context: Any) -> None:
    """A letter to each, once for each mark."""
    for person in whom:
        outbox.enqueue(
            to=person.email,
            template=template,
            context=context | {"person": person},
            key=f"{template}:{mark}:{person.pk}",
        )


def managers_of(repository: Repository, at: dt.datetime) -> list[User]:
    """The release managers of its product; without one, everybody who could do something."""
    return list(repository.series.product.managers(at)) or people(at)


def people(at: dt.datetime) -> list[User]:
    """Who can do something about a key: release managers, and staff who operate the signer."""
    managers = {person for product in Product.objects.all() for person in product.managers(at)}
    grants = RoleGrant.objects.active_on(at).filter(role=Role.STAFF)
    staff = User.objects.filter(is_active=True, role_grants__in=grants)
    return sorted(managers | set(staff), key=lambda person: person.email)
