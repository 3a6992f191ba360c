"""The letters about what follows a term: to owners and billing contacts, each address once."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.conf import settings

from portal.accounts.roles import Role
from portal.members.letters import send
from portal.members.models import Cancellation, DataExport, Organisation, RenewalStop, Term
from portal.payments.models import Subscription


def export_ready(export: DataExport) -> None:
    """Everything was copied: by whom, and until when it is there."""
    organisation = export.organisation
    page = f"{settings.BASE_URL}/organisation/{organisation.slug}/data/"
    key = f"export.ready:{export.pk}"
    _to_payers(organisation, "export_ready", key=key, export=export, data_page=page)


def renewal_stopped(organisation: Organisation, stop: RenewalStop, term: Term) -> None:
    key = f"renewal.stopped:{stop.pk}"
    _to_payers(organisation, "renewal_stopped", key=key, stop=stop, term=term)


def renewal_resumed(
    organisation: Organisation, subscription: Subscription, *, at: datetime
) -> None:
    key = f"renewal.resumed:{subscription.pk}:{at.isoformat()}"
    _to_payers(organisation, "renewal_resumed", key=key, subscription=subscription)


def support_cancelled(organisation: Organisation, last: Cancellation) -> None:
    _to_payers(organisation, "support_cancelled", key=f"support.cancelled:{last.pk}", last=last)


def support_kept(organisation: Organisation, last: Cancellation) -> None:
    _to_payers(organisation, "support_kept", key=f"support.kept:{last.pk}", last=last)


def support_ended(last: Cancellation) -> None:
    organisation = last.term.organisation
    _to_payers(organisation, "support_ended", key=f"support.ended:{last.pk}", last=last)


def _to_payers(organisation: Organisation, template: str, *, key: str, **context: Any) -> None:
    """To owners and billing contacts, each address once."""
    found = organisation.contacts.filter(role__in=[Role.OWNER, Role.BILLING]).order_by("pk")
    named = {contact.email.lower(): contact for contact in reversed(found)}
    for contact in named.values():
        send(
            template,
            to=contact.email,
            key=f"{key}:{contact.pk}",
            organisation=organisation,
            contact=contact,
            page=f"{settings.BASE_URL}/organisation/{organisation.slug}/",
            renewal_page=f"{settings.BASE_URL}/organisation/{organisation.slug}/renewal/",
            join=f"{settings.BASE_URL}/join/",
            **context,
        )
