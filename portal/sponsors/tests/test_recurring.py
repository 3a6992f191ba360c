"""A support that renews by itself: chosen, charged again at the twin, refused, ended."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from portal.lib.models import OutboxMail
from portal.members.models import Organisation, Term
from portal.members.terms import add_months
from portal.payments.actions.coupon import create_coupon
from portal.payments.models import FailedCharge, Order, Subscription
from portal.payments.twin import clock
from portal.sponsors import renewals
from portal.sponsors.actions.application import choose_payment, submit_application
from portal.sponsors.actions.ordering import NotPossibleError
from portal.sponsors.actions.renewal import begin_renewal
from portal.sponsors.actions.settlement import settle_subscription
from portal.sponsors.models import Application
from portal.sponsors.tests.renewing import DAY, notices, supported_since
from tests.cast import make_person
from tests.shared import shared
from tests.supporters import SECRET, make_draft, make_tier, may_open, running_twin

pytestmark = pytest.mark.django_db


def test_a_card_is_charged_again_and_each_charge_extends_the_support_once(
    client: Client, settings: Any, tmp_path: Path
) -> None:
    settings.STRIPE_WEBHOOK_SECRET = SECRET
    since = timezone.now() - DAY
    create_coupon(actor=make_person("frank"), code="EARLY", percent=10, valid_from=since)
    draft = make_draft(make_tier())
    may_open(client, draft)
    chosen = {"pays_by": "card", "is_recurring": "on", "coupon_code": "early"}
    with running_twin(tmp_path, client) as twin:
        settings.TWIN_URL = twin.url
        hosted = client.post(f"/join/{draft.reference}/payment/", chosen)["Location"]
        twin.sessions.pay(hosted.rstrip("/").rpartition("/")[2])
        twin.courier.deliver_due()
        first = Term.objects.get()
        turn = int(add_months(timezone.now(), 12).timestamp()) + 3600
        clock.advance(twin.state, turn, twin.url)
        twin.courier.deliver_due()
    second = Term.objects.exclude(pk=first.pk).get()
    assert (second.starts_at, second.renews, second.line) == (first.ends_at, first, first.line)
    assert [order.amount_minor for order in Order.objects.order_by("pk")] == [18_000_00, 20_000_00]
    assert Application.objects.filter(state="active", is_recurring=True).count() == 2
    assert Organisation.objects.count() == Subscription.objects.count() == 1
    subjects = OutboxMail.objects.filter(key__startswith="application.paid:").order_by("pk")
    told = [subject.partition(",")[0] for subject in subjects.values_list("subject", flat=True)]
    assert told == ["Paid", "Renewed"]


def test_an_invoice_cannot_renew_by_itself(client: Client) -> None:
    draft = make_draft(make_tier())
    may_open(client, draft)
    path = f"/join/{draft.reference}/payment/"
    page = client.post(path, {"pays_by": "invoice", "is_recurring": "on"}).content.decode()
    assert "Only a card can be charged again" in page


def test_day_and_amount_of_the_next_charge_are_named_before_anybody_agrees(
    client: Client, settings: Any
) -> None:
    settings.SELLER_COUNTRY, settings.SELLER_VAT_RATE_BP = "DE", 1900
    create_coupon(
        actor=make_person("frank"), code="EARLY", percent=10, valid_from=timezone.now() - DAY
    )
    draft = make_draft(make_tier(), coupon_code="EARLY")
    may_open(client, draft)
    page = client.get(f"/join/{draft.reference}/payment/").content.decode()
    day = f"{add_months(timezone.now(), 12):%-d %b %Y}"
    assert f"the next 23,800\xa0€ will be charged on {day}" in page, "the coupon is for the first"
    assert "the new term itself runs" not in page


def test_who_renews_early_reads_that_the_charge_comes_before_the_end(client: Client) -> None:
    now = timezone.now()
    term = supported_since(add_months(now + 50 * DAY, -12))
    draft = begin_renewal(actor=None, term=term, tier=term.tier, currency="EUR", at=now)
    may_open(client, draft)
    page = client.get(f"/join/{draft.reference}/payment/").content.decode()
    assert f"will be charged on {add_months(now, 12):%-d %b %Y}" in page
    until = add_months(term.ends_at, 12)
    assert f"the new term itself runs until {until:%-d %b %Y}" in page


def test_who_changes_their_mind_is_not_charged_again() -> None:
    draft, now = make_draft(make_tier()), timezone.now()
    choose_payment(
        actor=None, application=draft, pays_by="card", coupon_code="", at=now, is_recurring=True
    )
    sent = submit_application(actor=None, application=draft, at=now)
    assert Subscription.objects.get().price == sent.price
    Application.objects.update(state="released")
    choose_payment(actor=None, application=sent, pays_by="card", coupon_code="", at=now)
    again = submit_application(actor=None, application=sent, at=now)
    assert not Subscription.objects.exists()
    assert Order.objects.get() == again.order


@shared
def subscribed() -> Term:
    """A term that ends in fifty days, and is charged for again ten days before."""
    now = timezone.now()
    term = supported_since(add_months(now + 50 * DAY, -12))
    subscription = Subscription.objects.create(
        provider="twin",
        subscription_id="sub_1",
        description="Gold",
        price_minor=20_000_00,
        currency="EUR",
        interval="year",
        state="active",
        current_period_start=now,
        current_period_end=now + 40 * DAY,
    )
    Order.objects.update(subscription=subscription)
    return Term.objects.get(pk=term.pk)


def test_letters_say_what_will_be_charged_and_when(subscribed: Term) -> None:
    charged_at = timezone.now() + 40 * DAY
    renewals.remind_all(at=charged_at - timedelta(days=7))
    letter = OutboxMail.objects.get(key__startswith="renewal:")
    assert "will be charged on" in letter.text
    assert "Renew it" not in letter.text
    renewals.remind_all(at=charged_at + DAY)  # under way: nothing is to be said
    assert notices() == ["7:alice@example.org"]
    with pytest.raises(NotPossibleError):
        begin_renewal(
            actor=None, term=subscribed, tier=subscribed.tier, currency="EUR", at=timezone.now()
        )


def test_a_failed_charge_is_told_once_with_a_way_to_pay(subscribed: Term) -> None:
    subscription = Subscription.objects.get()
    for attempt in (1, 2):
        FailedCharge.objects.create(
            subscription=subscription,
            provider="twin",
            provider_invoice_id="in_2",
            attempt=attempt,
            amount_minor=20_000_00,
            currency="EUR",
            failed_at=timezone.now(),
            pay_url="https://pay.example/in_2",
        )
        settle_subscription(subscription=subscription)
    letter = OutboxMail.objects.get(key__startswith="renewal.charge:")
    assert "https://pay.example/in_2" in letter.text
    Subscription.objects.update(state="past_due")
    renewals.remind_all(at=subscribed.ends_at + DAY)
    assert notices("renewal:") == ["0:alice@example.org"]  # the grace runs: please renew


def test_ended_at_the_provider_it_has_no_grace(subscribed: Term) -> None:
    Subscription.objects.update(cancel_at_period_end=True)
    settle_subscription(subscription=Subscription.objects.get())
    assert not Organisation.objects.supported(subscribed.ends_at).exists()
    renewals.lapse_all(at=subscribed.ends_at)
    assert "as you asked" in OutboxMail.objects.get(key__contains=":lapsed:").text
