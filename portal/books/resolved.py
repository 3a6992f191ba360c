"""What became of a difference after the comparison that found it."""

from __future__ import annotations

from portal.books.comparison import Fault
from portal.books.models import Difference
from portal.payments.actions.alias import names_of
from portal.payments.arithmetic import EntryKind
from portal.payments.models import LedgerEntry


def booked_since(found: Difference) -> LedgerEntry | None:
    """The entry that says what the provider says, where it was missing then."""
    if found.fault != Fault.NOT_BOOKED or found.theirs_minor is None:
        return None
    provider = found.reconciliation.provider
    is_payment = found.kind == EntryKind.PAYMENT
    names = names_of(provider, [found.ref]) if is_payment else {found.ref}
    entries = LedgerEntry.objects.filter(
        provider=provider,
        kind=found.kind,
        provider_ref__in=names,
        amount_minor=found.theirs_minor,
        currency=found.theirs_currency,
    )
    return entries.select_related("order").first()
