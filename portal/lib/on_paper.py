"""Names and addresses that invoices, receipts and agreements print."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from portal.lib.pdf_letters import unprintable


def check_printable(text: str) -> None:
    """For fields that papers print: a name must not come out of it as a row of squares."""
    letters = unprintable(text)
    if letters:
        words = _(
            "Papers cannot print %(letters)s. Write it in Latin, Greek or Cyrillic letters, as in"
            " your register or passport."
        )
        raise ValidationError(words % {"letters": letters}, code="unprintable")
