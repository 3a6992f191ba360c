"""Telling those who are entitled to it of an advisory before everyone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role, Scope
from portal.lib import audit, outbox
from portal.members.correspondence import about
from portal.members.models import Organisation
from releases.errors import RefusedError
from releases.models import Advisory, EarlyNotice

READERS: Final = (Role.OWNER, Role.TECHNICAL)


def entitled(at: dt.datetime) -> Iterator[tuple[Organisation, User]]:
    """Owners and technical contacts of the organisations whose tier gives early notices."""
    organisations = Organisation.objects.early_notices(at).in_bulk(field_name="slug")
    grants = RoleGrant.objects.active_on(at).filter(
        role__in=READERS, scope_kind=Scope.ORGANISATION, scope_slug__in=organisations
    )
    seen = set()
    for grant in grants.select_related("user").order_by("scope_slug", "user"):
        pair = (grant.scope_slug, grant.user_id)
        if pair not in seen and grant.user.is_active:
            seen.add(pair)
            yield organisations[grant.scope_slug], grant.user


@transaction.atomic
def send_early_notice(*, actor: User, advisory: Advisory, at: dt.datetime) -> list[EarlyNotice]:
    """Write to everyone who is entitled and was not told yet; the rows say who was."""
    locked = Advisory.objects.select_for_update(of=["self"]).get(pk=advisory.pk)
    if not locked.is_embargoed(at):
        raise RefusedError(_("Set the end of the embargo first: the letter names it."))
    told = set(locked.notices.values_list("organisation_id", "user_id"))
    sent = [
        _tell(actor, locked, organisation, user, at)
        for organisation, user in entitled(at)
        if (organisation.pk, user.pk) not in told
    ]
    addresses = {notice.user.email.lower() for notice in sent}
    for organisation in {notice.organisation for notice in sent}:
        _tell_mailbox(locked, organisation, addresses)
    names = sorted({str(notice.organisation) for notice in sent})
    audit.record(
        actor=actor, verb="advisory.notice", subject=locked, told=len(sent), organisations=names
    )
    return sent


def _tell(
    actor: User, advisory: Advisory, organisation: Organisation, user: User, at: dt.datetime
) -> EarlyNotice:
    """The row and the letter. The letter holds no detail: they are read behind the login."""
    notice = EarlyNotice.objects.create(
        advisory=advisory, organisation=organisation, user=user, sent_at=at, sent_by=actor
    )
    _write(advisory, organisation, to=user.email, name=user.name, key=f"early_notice:{notice.pk}")
    return notice


def _tell_mailbox(advisory: Advisory, organisation: Organisation, told: set[str]) -> None:
    """The mailbox of its team hears of it too; to read it, somebody signs in."""
    mailbox = organisation.notices_email
    if mailbox and mailbox.lower() not in told:
        key = f"early_notice:mailbox:{advisory.pk}:{organisation.pk}"
        _write(advisory, organisation, to=mailbox, name=organisation.name, key=key)


def _write(advisory: Advisory, organisation: Organisation, *, to: str, name: str, key: str) -> None:
    outbox.enqueue(
        to=to,
        template="early_notice",
        context={
            "person": name,
            "organisation": organisation.name,
            "advisory": advisory,
            "link": f"{settings.BASE_URL}{advisory.early_url}",
        },
        key=key,
        about=about(organisation),
    )
