"""A donor, a browser and the payment twin: given, renewed at the provider, ended."""

from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from portal.donations.models import Donation
from portal.donations.tests.givers import letters, make_currency
from portal.lib.money import Money
from portal.payments.models import LedgerEntry
from portal.payments.twin import desk
from tests.supporters import SECRET, running_twin

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("often", ["once", "month"])
def test_a_donor_gives_through_the_twin_and_may_end_it(
    client: Client, settings: Any, tmp_path: Path, often: str
) -> None:
    cache.clear()
    settings.STRIPE_WEBHOOK_SECRET = SECRET
    make_currency()
    given = {"amount": "25", "name": "Ada Byron", "email": "ada@donors.example"}
    with running_twin(tmp_path, client) as twin:
        settings.TWIN_URL = twin.url
        hosted = client.post(f"/donate/?often={often}", given)["Location"]
        assert hosted.startswith(twin.url)
        twin.sessions.pay(hosted.rstrip("/").rpartition("/")[2])
        donation = Donation.objects.get()
        twin.courier.deliver_due()
        page = client.get(donation.get_absolute_url()).content.decode()
        assert "Thank you for your donation" in page
        assert (LedgerEntry.objects.count(), letters("paid")) == (1, 1)
        if often == "month":
            assert "End it now" in page
            assert client.post(f"{donation.get_absolute_url()}card/")["Location"]
            page = change_amount(client, donation, "1")
            assert "The least is" in page
            page = change_amount(client, donation, "40")
            assert "40\N{NO-BREAK SPACE}€ is taken from the next payment on" in page
            twin.courier.deliver_due()
            donation.refresh_from_db()
            assert donation.amount == Money(40_00, "EUR")
            turned_by_a_month(twin)
            amounts = LedgerEntry.objects.order_by("pk").values_list("amount_minor", flat=True)
            assert list(amounts) == [25_00, 40_00]
            client.post(f"{donation.get_absolute_url()}end/")
            twin.courier.deliver_due()
            page = client.get(donation.get_absolute_url()).content.decode()
            assert "Your recurring donation has ended" in page
            assert letters("ended") == 1
    assert letters() == (3 if often == "month" else 1)


def change_amount(client: Client, donation: Donation, amount: str) -> str:
    path = f"{donation.get_absolute_url()}amount/"
    return client.post(path, {"amount": amount}, follow=True).content.decode()


def turned_by_a_month(twin: Any) -> None:
    """The clock of the twin: what becomes due on the way is taken."""
    desk.turn_clock(twin.state, {"by": "month"}, twin.url)
    twin.courier.deliver_due()
