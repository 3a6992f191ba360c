"""Who began to give and never paid is forgotten after 30 days."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from portal.donations.actions.donation import forget_donation
from portal.donations.models import Donation
from portal.donations.sweeps import forget_unpaid
from portal.donations.tests.givers import deliver, make_donation, make_paid, scene_of
from portal.lib.models import AuditEntry, OutboxMail
from portal.payments.actions.checkout import record_checkout
from portal.payments.models import Checkout, Order, ProviderEvent, Subscription
from portal.payments.tests import stories
from portal.tasks import forget_abandoned_drafts

pytestmark = pytest.mark.django_db


def aged(donation: Donation, days: int = 31) -> Donation:
    Donation.objects.filter(pk=donation.pk).update(created_at=timezone.now() - timedelta(days=days))
    return donation


@pytest.mark.parametrize("interval", ["", "month"])
def test_a_donation_that_was_never_paid_is_gone_with_its_donor(interval: str) -> None:
    donation = aged(make_donation(interval))
    scene = scene_of(donation)
    stories.async_failed(scene)
    deliver(*scene.events)
    assert OutboxMail.objects.filter(recipient="ada@donors.example").exists()
    forget_abandoned_drafts()
    left: list[Any] = [Donation, Order, Subscription, Checkout, OutboxMail, ProviderEvent]
    assert [model.objects.count() for model in left] == [0] * len(left)
    assert not AuditEntry.objects.filter(subject_name__contains="Ada").exists()
    assert forget_unpaid(at=timezone.now()) == 0


def test_what_was_paid_is_under_way_or_young_stays() -> None:
    aged(make_paid())
    ProviderEvent.objects.all().delete()  # the ids of a story are always the same
    waiting = aged(make_donation())
    record_checkout(
        actor=None, order=waiting.order, provider="twin", session_id="cs_w", url="https://x.example"
    )
    short = aged(make_donation())
    scene = scene_of(short)
    scene.session("completed", 2, id="cs_s", payment_intent="pi_s", amount_total=1_00)
    deliver(*scene.events)
    aged(make_donation(), days=29)
    before = Donation.objects.count()
    assert forget_unpaid(at=timezone.now()) == 0
    assert Donation.objects.count() == before == 4


def test_one_that_cannot_be_forgotten_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    stuck, other = aged(make_donation()), aged(make_donation())

    def forget(*, donation: Donation, before: datetime) -> bool:
        if donation.pk == stuck.pk:
            raise ValueError("cannot be deleted")
        return forget_donation(donation=donation, before=before)

    monkeypatch.setattr("portal.donations.sweeps.forget_donation", forget)
    assert forget_unpaid(at=timezone.now()) == 1
    assert list(Donation.objects.all()) == [stuck]
    assert not Donation.objects.filter(pk=other.pk).exists()
