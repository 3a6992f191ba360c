"""Amounts as people type them, and the currencies that the staff keep."""

from collections.abc import Callable

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from portal.accounts.models import User
from portal.donations.amounts import plain, typed_amount
from portal.donations.tests.givers import make_currency, make_paid
from portal.lib.money import Money

pytestmark = pytest.mark.django_db


def test_amounts_are_read_and_said_as_people_do() -> None:
    assert typed_amount("25,5", "EUR") == Money(25_50, "EUR")
    assert typed_amount(" 3000 ", "JPY") == Money(3_000, "JPY")
    assert [plain(Money(m, "EUR")) for m in (25_00, 25_50)] == ["25", "25.50"]
    with pytest.raises(ValueError, match="no amount"):
        typed_amount("3.5", "JPY")


def test_suggestions_lie_between_the_least_and_the_most() -> None:
    offer = make_currency()
    offer.full_clean()
    for wrong in ("1", "a b", "20000", " "):
        offer.once = wrong
        with pytest.raises(ValidationError):
            offer.full_clean()


def test_the_staff_keep_the_currencies(
    erin: User, frank: User, client_for: Callable[[User], Client]
) -> None:
    offer = make_currency()
    path = f"/staff/donations/donationcurrency/{offer.pk}/change/"
    fields = ("currency", "rank", "minimum_minor", "maximum_minor", "once", "monthly", "yearly")
    values = {name: getattr(offer, name) for name in fields} | {
        "minimum_minor": 500,
        "monthly": "5 9",
    }
    assert client_for(erin).post(path, values)["Location"].startswith("/staff/login/")
    client_for(frank).post(path, values)
    offer.refresh_from_db()
    assert offer.minimum == Money(5_00, "EUR")
    make_paid()
    assert "Ada Byron" in client_for(frank).get("/staff/donations/donation/").content.decode()
