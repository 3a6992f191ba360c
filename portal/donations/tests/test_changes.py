"""A running donation is changed: another amount, another card, and what is not possible says so."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.donations.actions.dedication import judge_dedication
from portal.donations.hosted import NotPossibleError, card_page, change_amount, hosted_page
from portal.donations.models import Donation
from portal.donations.tests.givers import (
    Provider,
    make_currency,
    make_donation,
    make_paid,
    opened,
    scene_of,
)
from portal.lib.models import AuditEntry
from portal.lib.money import Money
from portal.payments.models import Checkout, Subscription
from portal.payments.providers import HostedCheckout, ProviderError
from portal.payments.tests.scene import DAY

pytestmark = pytest.mark.django_db
Provided = Callable[..., Provider]


def changed(client: Client, path: str, amount: str) -> str:
    return client.post(f"{path}amount/", {"amount": amount}, follow=True).content.decode()


def session(donation: Donation, session_id: str, status: str) -> HostedCheckout:
    """What the provider answers of a session that is not paid."""
    scene = scene_of(donation)
    scene.session("completed", 1, id=session_id, status=status, payment_status="unpaid")
    return HostedCheckout(session_id, "", scene.events[0]["data"]["object"])


def test_another_amount_is_taken_from_the_next_payment_on(
    client: Client,
    provided: Provided,
) -> None:
    make_currency()
    donation = make_paid("month")
    path = opened(client, donation)
    scene = scene_of(donation)
    scene.subscribed("updated", "active", DAY, price=70_00)
    provided(change_price=scene.events[0]["data"]["object"])
    assert "is taken from the next payment on" in changed(client, path, "70")
    assert Subscription.objects.get().price == Money(70_00, "EUR")
    entry = AuditEntry.objects.get(verb="donation.amount")
    assert "70" in str(entry.detail["after"])


def test_a_wrong_amount_is_told_beside_its_field_and_kept(client: Client) -> None:
    make_currency()
    path = opened(client, make_paid("month"))
    page = changed(client, path, "1")
    assert "The least is" in page
    assert 'value="1"' in page


def test_an_amount_stays_when_the_provider_is_silent_or_has_ended_it(
    client: Client,
    provided: Provided,
) -> None:
    make_currency()
    path = opened(client, make_paid("month"))
    provided(change_price=ProviderError("down"))
    assert "the amount stays" in changed(client, path, "70")
    Subscription.objects.update(subscription_id="")
    assert "There is no amount to change" in changed(client, path, "70")
    Subscription.objects.update(state="canceled")
    assert "There is no amount to change" in changed(client, path, "70")


def test_a_donation_that_is_given_once_has_neither_amount_nor_card_nor_end() -> None:
    donation = make_paid()
    with pytest.raises(NotPossibleError):
        change_amount(actor=None, donation=donation, amount=Money(5_00, "EUR"), at=timezone.now())
    with pytest.raises(NotPossibleError):
        card_page(donation)


def test_a_card_that_nobody_knows_yet_is_not_changed(client: Client) -> None:
    donation = make_paid("month")
    path = opened(client, donation)
    subscription = Subscription.objects.get()
    assert subscription.customer is not None
    subscription.customer.customer_id = ""
    subscription.customer.save()
    page = client.post(f"{path}card/", follow=True).content.decode()
    assert "No card is kept for this donation" in page


def test_a_payment_that_is_under_way_is_not_begun_again(
    client: Client,
    provided: Provided,
) -> None:
    donation = make_donation()
    hosted = HostedCheckout("cs_9", "https://pay.example/cs_9", {})
    at_work = session(donation, "cs_9", status="complete")
    provided(create_checkout=hosted, fetch_checkout=at_work)
    hosted_page(actor=None, donation=donation, at=timezone.now())
    path = opened(client, donation)
    page = client.post(f"{path}pay/", follow=True).content.decode()
    assert "There is nothing to pay now" in page
    assert Checkout.objects.get().state == "processing"


def test_a_session_that_ended_is_followed_by_a_new_one(provided: Provided) -> None:
    donation = make_donation()
    first = HostedCheckout("cs_1", "https://pay.example/cs_1", {})
    over = session(donation, "cs_1", status="expired")
    source = provided(create_checkout=first, fetch_checkout=over)
    hosted_page(actor=None, donation=donation, at=timezone.now())
    source.answers["create_checkout"] = HostedCheckout("cs_2", "https://pay.example/cs_2", {})
    found = hosted_page(actor=None, donation=Donation.objects.get(), at=timezone.now())
    assert found == "https://pay.example/cs_2"
    assert [asked[0].attempt for verb, asked in source.asked if verb == "create_checkout"] == [0, 1]


def test_the_page_stands_when_the_provider_does_not_answer(
    client: Client,
    provided: Provided,
) -> None:
    donation = make_donation()
    hosted = HostedCheckout("cs_9", "https://pay.example/cs_9", {})
    source = provided(create_checkout=hosted, fetch_checkout=ProviderError("down"))
    hosted_page(actor=None, donation=donation, at=timezone.now())
    path = opened(client, donation)
    Checkout.objects.update(asked_at=timezone.now() - timedelta(minutes=1))
    assert "Your payment is being confirmed" in client.get(path).content.decode()
    assert source.asked[-1][0] == "fetch_checkout"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"status": "past_due"}, "The last payment could not be taken"),
        ({"status": "active"}, "Your payment is being confirmed"),
        (ProviderError("down"), "Your payment is being confirmed"),
    ],
)
def test_a_refused_charge_is_told_only_while_the_provider_says_so(
    client: Client, provided: Provided, answer: object, said: str
) -> None:
    path = opened(client, make_paid("month"))
    Subscription.objects.update(state="past_due")
    source = provided(fetch_subscription=answer)
    assert said in client.get(path).content.decode()
    assert "Your payment is being confirmed" in client.get(path).content.decode()
    assert [verb for verb, _ in source.asked] == ["fetch_subscription"], "once in two seconds"


def test_a_decision_about_a_dedication_is_written_down_once(frank: User) -> None:
    donation = make_paid(is_named=True, dedication="For Bob")
    for shown in (True, True, False):
        judge_dedication(actor=frank, donation=donation, shown=shown)
    judge_dedication(actor=frank, donation=make_donation(), shown=True)
    told = AuditEntry.objects.filter(verb="donation.dedication").order_by("pk")
    assert [entry.detail["state"] for entry in told] == ["shown", "refused"]
