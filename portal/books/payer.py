"""Whose order it is. Payments point to nobody: members and sponsors keep the keys."""

from django.db.models import F, QuerySet, TextField, Value
from django.db.models.functions import Coalesce, NullIf

from portal.payments.models import LedgerEntry, Order


def with_payer(orders: QuerySet[Order]) -> QuerySet[Order]:
    """Adds `payer`, the name to show, and `organisation_slug` where it is an organisation's."""
    return orders.annotate(payer=_payer(""), organisation_slug=_slug(""))


def entries_with_payer(entries: QuerySet[LedgerEntry]) -> QuerySet[LedgerEntry]:
    return entries.annotate(payer=_payer("order__"), organisation_slug=_slug("order__"))


def _payer(at: str) -> Coalesce:
    return Coalesce(
        F(f"{at}term__organisation__name"),
        F(f"{at}application__organisation__name"),
        NullIf(F(f"{at}application__name"), Value("")),
        F(f"{at}billing_name"),
        output_field=TextField(),
    )


def _slug(at: str) -> Coalesce:
    return Coalesce(
        F(f"{at}term__organisation__slug"),
        F(f"{at}application__organisation__slug"),
        Value(""),
        output_field=TextField(),
    )
