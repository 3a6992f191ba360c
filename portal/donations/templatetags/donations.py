"""Sums in the pages of donations."""

from collections.abc import Iterable

from django import template

from portal.lib.money import Money

register = template.Library()


@register.filter
def of_currency(sums: Iterable[Money], currency: str) -> str:
    """The sum in this currency; a dash where there is none."""
    return next((str(amount) for amount in sums if amount.currency == currency), "—")
