"""A refund of what renews by itself: the renewal ends with it, or goes on, as it was said."""

import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.books.renewing import charged_again, end_renewal
from portal.donations.tests.givers import Provider, letters, make_paid, scene_of
from portal.lib.models import OutboxMail
from portal.payments.models import LedgerEntry, Subscription
from portal.payments.tests.scene import DAY
from tests.supporters import SECRET, make_draft, make_tier, may_open, running_twin

pytestmark = pytest.mark.django_db


def subscribed(twin: Any, client: Client) -> LedgerEntry:
    draft = make_draft(make_tier())
    may_open(client, draft)
    chosen = {"pays_by": "card", "is_recurring": "on"}
    hosted = client.post(f"/join/{draft.reference}/payment/", chosen)["Location"]
    twin.sessions.pay(hosted.rstrip("/").rpartition("/")[2])
    twin.courier.deliver_due()
    return LedgerEntry.objects.get()


@pytest.mark.parametrize(
    ("amount", "ends", "told"),
    [("20000", True, False), ("20000", False, False), ("5000", True, True)],
)
def test_the_renewal_of_a_support_ends_with_its_refund_where_that_is_wished(
    amount: str,
    ends: bool,
    told: bool,
    erin: User,
    client: Client,
    client_for: Callable[[User], Client],
    settings: Any,
    tmp_path: Path,
) -> None:
    settings.STRIPE_WEBHOOK_SECRET = SECRET
    with running_twin(tmp_path, client) as twin:
        settings.TWIN_URL = twin.url
        path = f"/books/entries/{subscribed(twin, client).pk}/refund/"
        keeper = client_for(erin)
        assert "Else 20,000" in keeper.get(path).content.decode()
        given = {"amount": amount, "reason": "moved", "key": str(uuid.uuid4())}
        given |= {"ends_renewal": "on"} if ends else {}
        look = keeper.post(path, given | {"step": "look"}).content.decode()
        assert ("renewal ends now too" in look, "renewal goes on" in look) == (ends, not ends)
        assert f'name="ends_renewal" value="{ends}"' in look
        page = keeper.post(path, given | {"step": "refund"}, follow=True).content.decode()
        assert ("No more money is taken by itself" in page) == ends
        twin.courier.deliver_due()
        with twin.state.changing() as change:
            [subscription] = change.find("subscription")
        assert subscription["cancel_at_period_end"] == ends
    refunded = OutboxMail.objects.get(key__startswith="application.refunded")
    assert ("No more money is taken" in refunded.text) == (ends and not told)
    assert (Subscription.objects.get().renews_at() is None) == ends
    stopped = OutboxMail.objects.filter(key__startswith="renewal.stopped")
    assert stopped.exists() == told, "that letter says that the support goes on"


def test_a_donation_ends_at_once_and_what_is_given_once_is_left_alone(
    erin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now()
    donation = make_paid("month")
    scene = scene_of(donation)
    scene.subscribed("deleted", "canceled", DAY)
    source = Provider(cancel_subscription=scene.events[0]["data"]["object"])
    monkeypatch.setattr("portal.donations.hosted.provider", lambda: source)
    assert charged_again(donation.order) is not None
    end_renewal(actor=erin, order=donation.order, at=now, ends_support=True)
    assert letters("ended") == 1
    donation.order.refresh_from_db()
    end_renewal(actor=erin, order=donation.order, at=now, ends_support=True)
    assert [verb for verb, _ in source.asked] == ["cancel_subscription"]
