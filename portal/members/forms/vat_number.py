"""VAT numbers as people type them."""

from __future__ import annotations

import re

from django import forms
from django.utils.translation import gettext_lazy as _

from portal.payments.tax import TaxNumberError, checked_number

NUMBER_WORDS = {
    "country": _("This is a number of another country than the one above."),
    "format": _("This is not how numbers of that country are written."),
    "length": _("This number is too short or too long for that country."),
    "checksum": _("The check digits do not fit: look for a typing error."),
}


def clean_vat_number(country: str, typed: str) -> str:
    """With its check digits, which catch a typing error; the office's answer is not asked."""
    number = re.sub(r"[\s.-]", "", typed).upper()
    try:
        return checked_number(country, number)[:20]
    except TaxNumberError as error:
        raise forms.ValidationError(NUMBER_WORDS[error.reason]) from error
