"""The tax of this foundation: `portal/payments/tax.py` with the seller of the settings."""

from django.conf import settings
from django.utils.translation import gettext as _

from portal.lib import languages
from portal.lib.money import Money
from portal.payments.tax import Seller, Taxed, Treatment, on_net


def seller() -> Seller:
    return Seller(settings.SELLER_COUNTRY, settings.SELLER_VAT_RATE_BP)


def taxed(net: Money, *, country: str, vat_number: str) -> Taxed:
    """The price with the tax that a buyer pays; `vat_number` is a checked one or empty."""
    return on_net(net, seller(), country, vat_number)


@languages.for_the_record
def tax_note(treatment: Treatment) -> str:
    """What an invoice must say about its tax, empty where the amounts say it."""
    notes = {
        Treatment.REVERSE_CHARGE: _(
            "Reverse charge: the recipient is liable for VAT (article 196, Directive 2006/112/EC)."
        ),
        Treatment.OUTSIDE: _("Not subject to VAT in the seller's country: supplied abroad."),
    }
    return notes.get(treatment, "")


@languages.for_the_record
def seller_lines() -> str:
    """Who issues invoices: name, address, number, as they are printed."""
    number = settings.SELLER_VAT_NUMBER
    lines = [
        settings.SELLER_NAME,
        *(line.strip() for line in settings.SELLER_ADDRESS.split(";")),
        _("VAT number %(number)s") % {"number": number} if number else "",
    ]
    return "\n".join(line for line in lines if line)
