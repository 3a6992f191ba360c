"""A postal address as somebody types it, in lines."""

from __future__ import annotations

from typing import Final

from django import forms
from django.utils.translation import gettext_lazy as _

LINES: Final = 6  # as an envelope has them
HELP: Final = _("Street, postal code, town: as invoices should print it.")


def postal_address_widget() -> forms.Textarea:
    return forms.Textarea({"rows": 4, "autocomplete": "street-address"})


def clean_postal_address(typed: str) -> str:
    """Without empty lines and spaces around; raises ValidationError for too many lines."""
    lines = [line.strip() for line in typed.splitlines()]
    kept = [line for line in lines if line]
    if len(kept) > LINES:
        raise forms.ValidationError(_("Six lines are enough for an address."))
    return "\n".join(kept)
