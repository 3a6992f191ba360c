"""Value added tax on a service sold to an organisation; pure.

Rules: Directive 2006/112/EC, articles 44 (place of supply), 45 (buyers without a number) and 196
(reverse charge). Numbers are checked by python-stdnum, without asking anybody.
"""

from dataclasses import dataclass
from enum import StrEnum

from stdnum import get_cc_module
from stdnum.exceptions import (
    InvalidChecksum,
    InvalidComponent,
    InvalidFormat,
    InvalidLength,
    ValidationError,
)

from portal.lib.money import Money

UNION = frozenset(
    (
        *("AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU"),
        *("IE", "IT", "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK"),
    )
)
SAME_TERRITORY = {"MC": "FR", "IM": "GB"}  # for this tax they are one
PREFIXES = {country: country for country in UNION} | {"GR": "EL", "GB": "GB"}  # of numbers
FULL = 10_000  # basis points


class Treatment(StrEnum):
    UNTAXED = "untaxed"  # the seller charges no tax at all
    DOMESTIC = "domestic"
    UNION_CONSUMER = "union_consumer"  # elsewhere in the Union, without a number
    REVERSE_CHARGE = "reverse_charge"
    OUTSIDE = "outside"


TAXED = frozenset({Treatment.DOMESTIC, Treatment.UNION_CONSUMER})


class TaxNumberError(ValueError):
    """`reason`: country, format, length or checksum."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Seller:
    """Where the foundation is and what it charges there; without a country it charges nothing."""

    country: str = ""
    rate_bp: int = 0


@dataclass(frozen=True, slots=True)
class Taxed:
    """An amount with its tax: `net` + `tax` = `total`."""

    net: Money
    tax: Money
    rate_bp: int
    treatment: Treatment

    @property
    def total(self) -> Money:
        return self.net + self.tax


def treatment(seller: Seller, country: str, vat_number: str) -> Treatment:
    """How a sale to a buyer in `country` is taxed; `vat_number` is a checked one or empty."""
    if not seller.country or not seller.rate_bp:
        return Treatment.UNTAXED
    here, there = _territory(seller.country), _territory(country)
    if here == there:
        return Treatment.DOMESTIC
    if here not in UNION or there not in UNION:
        return Treatment.OUTSIDE
    return Treatment.REVERSE_CHARGE if vat_number else Treatment.UNION_CONSUMER


def on_net(net: Money, seller: Seller, country: str, vat_number: str) -> Taxed:
    """The tax on top of a price, rounded half up."""
    how = treatment(seller, country, vat_number)
    rate = seller.rate_bp if how in TAXED else 0
    tax = (net.minor * rate + FULL // 2) // FULL
    return Taxed(net, Money(tax, net.currency), rate, how)


def within(total: Money, rate_bp: int, how: Treatment) -> Taxed:
    """The tax that a total holds already."""
    net = (total.minor * FULL + (FULL + rate_bp) // 2) // (FULL + rate_bp)
    net_money = Money(net, total.currency)
    return Taxed(net_money, total - net_money, rate_bp, how)


def checked_number(country: str, text: str) -> str:
    """The number as it is written on invoices, with the country's letters in Europe's way.

    Raises TaxNumberError. A country whose numbers nobody describes gives it as it came.
    """
    number = "".join(text.split()).upper()
    if not number:
        return ""
    territory = _territory(country)
    module = get_cc_module(territory.lower(), "vat")
    if module is None:
        return number
    try:
        compact = str(module.validate(number))
    except ValidationError as error:
        raise TaxNumberError(_reason(error, territory, number)) from error
    prefix = PREFIXES.get(territory)
    return number if prefix is None else prefix + compact.removeprefix(prefix)


def _reason(error: ValidationError, territory: str, number: str) -> str:
    """A number that is right somewhere else was given with the wrong country."""
    other = next((c for c in sorted(UNION) if number.startswith(PREFIXES[c])), "")
    if other and other != territory:
        return "country"
    if isinstance(error, InvalidLength):
        return "length"
    if isinstance(error, InvalidChecksum):
        return "checksum"
    return "format" if isinstance(error, InvalidFormat | InvalidComponent) else "checksum"


def _territory(country: str) -> str:
    return SAME_TERRITORY.get(country, country)
