"""The names of a payment: the ledger has one, a refund or dispute may use another."""

from collections.abc import Iterable

from django.db.models import Q

from portal.payments.arithmetic import EntryKind
from portal.payments.models import LedgerEntry, PaymentAlias


def learn_names(provider: str, names: tuple[str, ...]) -> None:
    """These are one payment's; what is known already stays."""
    rows = [PaymentAlias(provider=provider, alias=a, payment_ref=names[0]) for a in names[1:]]
    PaymentAlias.objects.bulk_create(rows, ignore_conflicts=True)


def names_of(provider: str, names: Iterable[str]) -> set[str]:
    """Every name that a payment with one of these is known by."""
    known = set(names)
    new = known
    while new:
        rows = PaymentAlias.objects.filter(
            Q(alias__in=new) | Q(payment_ref__in=new), provider=provider
        ).values_list("alias", "payment_ref")
        new = {name for pair in rows for name in pair} - known
        known |= new
    return known


def payment_named(provider: str, names: Iterable[str]) -> LedgerEntry | None:
    """The booked payment with one of these names."""
    given = list(names)
    return _booked(provider, given) or _booked(provider, names_of(provider, given))


def _booked(provider: str, names: Iterable[str]) -> LedgerEntry | None:
    payments = LedgerEntry.objects.filter(
        provider=provider, kind=EntryKind.PAYMENT, provider_ref__in=names
    )
    return payments.order_by("pk").first()
