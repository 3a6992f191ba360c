"""Rows of this app for tests, made by its own actions, and the provider's events about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.test import Client
from django.utils import timezone

from portal.donations import letters as donor_letters
from portal.donations.actions.donation import Donor, place_donation
from portal.donations.models import Donation, DonationCurrency
from portal.inbox import process_event
from portal.lib.models import OutboxMail
from portal.lib.money import Money
from portal.payments.actions.event import store_event
from portal.payments.tests.scene import Scene
from portal.payments.tests.shapes import Thing

FIFTY = Money(50_00, "EUR")


def make_currency(code: str = "EUR", **fields: Any) -> DonationCurrency:
    values = {
        "minimum_minor": 200,
        "maximum_minor": 10_000_00,
        "once": "25 50 100",
        "monthly": "5 10 25",
        "yearly": "50 100",
    }
    return DonationCurrency.objects.create(currency=code, **values | fields)


def make_donation(interval: str = "", amount: Money = FIFTY, **fields: Any) -> Donation:
    actor = fields.pop("actor", None)
    donor = Donor(**{"name": "Ada Byron", "email": "ada@donors.example"} | fields)
    return place_donation(
        actor=actor, donor=donor, amount=amount, interval=interval, provider="twin"
    )


def scene_of(donation: Donation) -> Scene:
    """Its story, to be told event by event."""
    subscription = donation.subscription
    return Scene(
        reference=str(donation.order.reference),
        amount=donation.order.amount,
        subscription=str(subscription.reference) if subscription else "",
    )


def deliver(*events: Thing) -> None:
    for body in events:
        stored = store_event(provider="twin", event=body)
        assert process_event(stored.pk, at=timezone.now())


def letters(name: str = "") -> int:
    return OutboxMail.objects.filter(key__startswith=f"donation.{name}").count()


def make_paid(interval: str = "", **fields: Any) -> Donation:
    donation = make_donation(interval, **fields)
    scene = scene_of(donation)
    if interval:
        scene.begun()
    else:
        scene.session("completed", 2)
    deliver(*scene.events)
    donation.refresh_from_db()
    return donation


def opened(client: Client, donation: Donation) -> str:
    answer = client.get(donor_letters.manage_url(donation).partition("8000")[2])
    assert answer.status_code == 302
    return str(answer["Location"])


class Provider:
    """Answers with what a test wants; the requests are kept."""

    name = "twin"

    def __init__(self, **answers: Any) -> None:
        self.answers = answers
        self.asked: list[tuple[str, tuple[Any, ...]]] = []

    def __getattr__(self, verb: str) -> Callable[..., Any]:
        def answer(*given: Any, **more: Any) -> Any:
            self.asked.append((verb, given))
            found = self.answers[verb]
            if isinstance(found, Exception):
                raise found
            return found

        return answer
