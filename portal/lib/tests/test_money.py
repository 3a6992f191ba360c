import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.lib.money import EXPONENTS, Money

minors = st.integers(min_value=-(10**12), max_value=10**12)


@pytest.mark.parametrize(
    ("money", "text"),
    [
        (Money(1250000, "EUR"), "12,500\N{NO-BREAK SPACE}€"),
        (Money(1250050, "EUR"), "12,500.50\N{NO-BREAK SPACE}€"),
        (Money(-5, "USD"), "\N{MINUS SIGN}0.05\N{NO-BREAK SPACE}US$"),
        (Money(1000, "JPY"), "1,000\N{NO-BREAK SPACE}¥"),
        (Money(100, "CHF"), "1\N{NO-BREAK SPACE}CHF"),
    ],
)
def test_money_is_written_for_people(money: Money, text: str) -> None:
    assert str(money) == text


@given(minors, minors, st.sampled_from(sorted(EXPONENTS)))
def test_money_adds_up(one: int, other: int, currency: str) -> None:
    first, second = Money(one, currency), Money(other, currency)
    assert first + second - second == first
    assert first + -first == Money(0, currency)
    assert (first < second) == (one < other)


def test_currencies_do_not_mix() -> None:
    with pytest.raises(ValueError, match="cannot add USD to EUR"):
        Money(1, "EUR") + Money(1, "USD")
    with pytest.raises(ValueError, match="unknown currency"):
        Money(1, "eur")
