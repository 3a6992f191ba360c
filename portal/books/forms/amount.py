"""Amounts as people type them: 1234.50 or 1,234.50, never a fraction of a cent."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from portal.lib.money import EXPONENTS, Money

LARGEST = 10**12  # minor units
LONGEST = 20
NUMBER = re.compile(r"[0-9]+(\.[0-9]*)?")


class AmountField(forms.Field):
    """Gives a Decimal of the whole currency; `in_money` makes it money of one."""

    default_error_messages = {
        "number": _("Write the amount in digits, with a point before the cents: 1234.50"),
    }

    def __init__(self, **kwargs: Any) -> None:
        given = {"inputmode": "decimal", "autocomplete": "off", "maxlength": LONGEST}
        super().__init__(widget=forms.TextInput(given), **kwargs)

    def to_python(self, value: Any) -> Decimal | None:
        text = str(value or "").replace(",", "").replace(" ", "")
        if not text:
            return None
        if len(text) > LONGEST or not NUMBER.fullmatch(text):
            raise forms.ValidationError(self.error_messages["number"], "number")
        return Decimal(text)


def in_money(number: Decimal, currency: str) -> Money:
    """Raises ValidationError for a fraction of the smallest unit, and for nothing or less."""
    minor = number.scaleb(EXPONENTS[currency])
    if minor != minor.to_integral_value():
        raise forms.ValidationError(
            _("%(currency)s has no such small part."), params={"currency": currency}
        )
    if not 0 < minor <= LARGEST:
        raise forms.ValidationError(_("The amount must be more than nothing, and not huge."))
    return Money(int(minor), currency)


def typed(amount: Money) -> str:
    """As the field shows it: 1234.50"""
    return f"{Decimal(amount.minor).scaleb(-EXPONENTS[amount.currency]):f}"
