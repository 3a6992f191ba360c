"""All organisations as the staff look at them: how each stands, and what happened to it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db.models import Exists, Min, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext_lazy as _

from portal.accounts.roles import Role
from portal.lib.models import AuditEntry
from portal.members.export import records_of, trail
from portal.members.models import Cancellation, Contact, Organisation, Term
from portal.members.records import table


class Stand(StrEnum):
    ACTIVE = "active"
    CANCELLED = "cancelled"
    GRACE = "grace"
    OVER = "over"


STANDS = {
    Stand.ACTIVE: _("in term"),
    Stand.CANCELLED: _("in term, cancelled"),
    Stand.GRACE: _("over, may renew"),
    Stand.OVER: _("not in term"),
}
HEADINGS = (
    *("name", "legal name", "country", "VAT number", "address", "kind", "tier", "since", "until"),
    *("state", "named in public", "owner", "owner e-mail", "invoices to"),
)


def register(at: datetime) -> QuerySet[Organisation]:
    """Each with `tier`, `kind` and `until` of its best term then, `since` and `is_ending`."""
    running = Term.objects.active_on(at).filter(organisation=OuterRef("pk")).best_first()
    cancelled = Cancellation.objects.undoable(at).filter(term__organisation=OuterRef("pk"))
    found = Organisation.objects.annotate(
        tier=Subquery(running.values("tier_name")[:1]),
        kind=Subquery(running.values("kind_name")[:1]),
        until=Subquery(running.order_by("-ends_at").values("ends_at")[:1]),
        since=Min("terms__starts_at"),
        is_ending=Exists(cancelled),
    )
    return found.order_by("name", "pk")


def narrowed(
    found: QuerySet[Organisation],
    at: datetime,
    *,
    q: str = "",
    stand: str = "",
    tier: str = "",
    country: str = "",
) -> QuerySet[Organisation]:
    if q:
        named = Contact.objects.filter(organisation=OuterRef("pk"))
        named = named.filter(Q(name__icontains=q) | Q(email__icontains=q))
        own = Q(name__icontains=q) | Q(legal_name__icontains=q) | Q(vat_number__icontains=q)
        found = found.filter(own | Q(slug=q) | Exists(named))
    if stand:
        found = found.filter(_stands(Stand(stand), at))
    if tier:
        found = found.filter(tier=tier)  # type: ignore[misc]  # annotated
    return found.filter(country=country) if country else found


def _stands(stand: Stand, at: datetime) -> Q:
    if stand == Stand.OVER:
        return Q(until__isnull=True)
    if stand == Stand.GRACE:
        return Q(until__lte=at)
    return Q(until__gt=at, is_ending=stand == Stand.CANCELLED)


def stand_of(organisation: Any, at: datetime) -> Stand:
    """Of one that `register` gave."""
    if organisation.until is None:
        return Stand.OVER
    if organisation.until <= at:
        return Stand.GRACE
    return Stand.CANCELLED if organisation.is_ending else Stand.ACTIVE


def rows(found: QuerySet[Organisation], at: datetime) -> Iterator[tuple[object, ...]]:
    """For a spreadsheet."""
    yield HEADINGS
    for one in found.prefetch_related("contacts"):
        owner = next((c for c in one.contacts.all() if c.role == Role.OWNER), None)
        yield (
            *(one.name, one.legal_name, one.country, one.vat_number, one.address),
            *(getattr(one, "kind", ""), getattr(one, "tier", "")),
            *(_day(getattr(one, "since", None)), _day(getattr(one, "until", None))),
            *(STANDS[stand_of(one, at)], "yes" if one.is_listed else "no"),
            *(owner.name if owner else "", owner.email if owner else "", one.invoice_email),
        )


def history(organisation: Organisation) -> QuerySet[AuditEntry]:
    """What was done to it and to everything that belongs to it, newest first."""
    tables = {table(found): found for found in records_of(organisation)}
    return trail(tables).select_related("actor").order_by("-id")


def _day(moment: datetime | None) -> str:
    return moment.date().isoformat() if moment else ""
