"""Which tax is charged to whom, and which numbers are believed."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.lib.money import Money
from portal.payments.tax import (
    Seller,
    Taxed,
    TaxNumberError,
    Treatment,
    checked_number,
    on_net,
    treatment,
    within,
)
from portal.payments.taxation import seller_lines, tax_note, taxed

FINLAND = Seller("FI", 2550)
NUMBER = "DE811907980"


@pytest.mark.parametrize(
    ("seller", "country", "number", "expected"),
    [
        (FINLAND, "FI", "", Treatment.DOMESTIC),
        (FINLAND, "FI", "FI20774740", Treatment.DOMESTIC),
        (FINLAND, "DE", NUMBER, Treatment.REVERSE_CHARGE),
        (FINLAND, "DE", "", Treatment.UNION_CONSUMER),
        (FINLAND, "US", "", Treatment.OUTSIDE),
        (FINLAND, "GB", "GB980780684", Treatment.OUTSIDE),
        (Seller("FR", 2000), "MC", "", Treatment.DOMESTIC),
        (Seller("CH", 810), "DE", NUMBER, Treatment.OUTSIDE),
        (Seller("CH", 810), "CH", "", Treatment.DOMESTIC),
        (Seller("US", 0), "US", "", Treatment.UNTAXED),
        (Seller(), "DE", NUMBER, Treatment.UNTAXED),
    ],
)
def test_where_buyer_and_seller_are_decides(
    seller: Seller, country: str, number: str, expected: Treatment
) -> None:
    assert treatment(seller, country, number) == expected


def test_tax_is_added_where_it_is_charged_and_rounded_half_up() -> None:
    at_home = on_net(Money(10_00, "EUR"), FINLAND, "FI", "")
    assert (at_home.tax, at_home.total) == (Money(2_55, "EUR"), Money(12_55, "EUR"))
    assert on_net(Money(10, "JPY"), FINLAND, "FI", "").tax == Money(3, "JPY")
    abroad = on_net(Money(10_00, "EUR"), FINLAND, "DE", NUMBER)
    assert (abroad.tax.minor, abroad.rate_bp) == (0, 0)


@given(minor=st.integers(1, 10**10), rate=st.integers(0, 3000))
def test_what_was_added_is_found_again(minor: int, rate: int) -> None:
    price = on_net(Money(minor, "EUR"), Seller("FI", rate), "FI", "")
    assert within(price.total, price.rate_bp, price.treatment) == Taxed(
        price.net, price.tax, price.rate_bp, price.treatment
    )


@pytest.mark.parametrize(
    ("country", "text", "number"),
    [
        ("DE", "DE811907980", NUMBER),
        ("DE", " 811 907 980", NUMBER),
        ("GR", "094259216", "EL094259216"),
        ("GR", "EL 094259216", "EL094259216"),
        ("AT", "u13585627", "ATU13585627"),
        ("MC", "FR40303265045", "FR40303265045"),
        ("GB", "980780684", "GB980780684"),
        ("CH", "CHE-107.787.577 IVA", "CHE-107.787.577IVA"),
        ("US", "12-3456789", "12-3456789"),
        ("DE", "", ""),
    ],
)
def test_a_number_is_kept_as_invoices_print_it(country: str, text: str, number: str) -> None:
    assert checked_number(country, text) == number


@pytest.mark.parametrize(
    ("country", "text", "reason"),
    [
        ("DE", "DE811907981", "checksum"),
        ("DE", "DE8119079", "length"),
        ("FI", "abc", "format"),
        ("FI", "1234567A", "format"),
        ("DE", "FR40303265045", "country"),
        ("AT", "13585627", "format"),
    ],
)
def test_a_wrong_number_says_what_is_wrong(country: str, text: str, reason: str) -> None:
    with pytest.raises(TaxNumberError) as error:
        checked_number(country, text)
    assert error.value.reason == reason


def test_the_seller_is_the_one_of_the_settings(settings: Any) -> None:
    assert taxed(Money(100, "EUR"), country="DE", vat_number="").treatment == Treatment.UNTAXED
    settings.SELLER_COUNTRY, settings.SELLER_VAT_RATE_BP = "FI", 2550
    settings.SELLER_VAT_NUMBER = "FI20774740"
    settings.SELLER_ADDRESS = "1 Harbour Street; 00100 Helsinki"
    assert taxed(Money(100, "EUR"), country="FI", vat_number="").tax == Money(26, "EUR")
    assert seller_lines().splitlines()[1:] == [
        *("1 Harbour Street", "00100 Helsinki"),
        "VAT number FI20774740",
    ]
    assert "196" in tax_note(Treatment.REVERSE_CHARGE)
    assert tax_note(Treatment.DOMESTIC) == ""
