"""A coupon lowers an order, no more often than it may."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from portal.accounts.models import User
from portal.lib.money import Money
from portal.payments.actions.coupon import CouponError, create_coupon, redeem_coupon
from portal.payments.actions.order import close_order, reopen_order
from portal.payments.models import Order
from portal.payments.tests.factories import AT, PRICE, make_coupon, make_order

pytestmark = pytest.mark.django_db


def bought(code: str = "early") -> Order:
    with transaction.atomic():
        discount = redeem_coupon(code=code, price=PRICE, at=AT)
        return make_order(PRICE - discount.amount, discount=discount)


def test_a_share_or_an_amount_is_taken_off(erin: User) -> None:
    create_coupon(actor=erin, code=" early ", percent=20, valid_from=AT)
    create_coupon(actor=erin, code="FIXED", amount=Money(30_00, "EUR"), valid_from=AT)
    assert (bought().amount, bought("Fixed ").discount) == (
        Money(400_00, "EUR"),
        Money(3000, "EUR"),
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"code": "OTHER"}, "no such coupon"),
        ({"valid_from": AT + timedelta(seconds=1)}, "not valid today"),
        ({"valid_from": AT - timedelta(days=2), "valid_until": AT}, "not valid today"),
        ({"uses": 0}, "as often as it may"),
        ({"amount_minor": 5, "currency": "USD"}, "another currency"),
        ({"amount_minor": 500_00, "currency": "EUR"}, "worth more"),
    ],
)
def test_a_code_that_does_nothing_says_why(fields: dict[str, Any], words: str) -> None:
    make_coupon(**{"code": "EARLY"} | fields)
    with pytest.raises(CouponError, match=words):
        bought()


def test_an_order_that_is_closed_gives_its_use_back() -> None:
    coupon = make_coupon(uses=1)
    first = bought()
    with pytest.raises(CouponError):
        bought()
    close_order(actor=None, order=first, at=AT)
    assert list(Order.objects.payable()) == []
    second = bought()
    assert second.coupon == coupon
    reopen_order(actor=None, order=first)
    assert coupon.uses_left == 0
    assert set(Order.objects.payable()) == {first, second}
