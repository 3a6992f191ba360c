"""A support is cancelled, taken back until it takes effect, and ends with its term."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.models import AuditEntry
from portal.members import ending
from portal.members.actions.cancellation import (
    NothingToEndError,
    TooLateError,
    cancel_support,
    take_cancellation_back,
    tell_of_ends,
)
from portal.members.ending import end_renewals
from portal.members.models import Cancellation, Organisation, Term
from portal.members.tests.people import DAY, letters, make_organisation, make_term, make_tier
from portal.payments.models import Subscription
from portal.payments.providers import ProviderError
from portal.payments.tests.factories import make_subscription
from tests.cast import sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db
PAGE = "/organisation/acme/end/"


@shared
def acme(alice: User) -> Organisation:
    return make_organisation(owner=alice)


@shared
def term(acme: Organisation) -> Term:
    return make_term(acme, make_tier(), timezone.now())


class Provider:
    """Answers as the provider does, or not at all."""

    name = "twin"

    def __init__(self) -> None:
        self.answers = True
        self.asked: list[str] = []

    def cancel_subscription(self, subscription_id: str, *, at_period_end: bool) -> dict[str, Any]:
        return self._said("end" if at_period_end else "now", subscription_id)

    def keep_subscription(self, subscription_id: str) -> dict[str, Any]:
        return self._said("keep", subscription_id)

    def _said(self, what: str, subscription_id: str) -> dict[str, Any]:
        if not self.answers:
            raise ProviderError("no answer")
        self.asked.append(what)
        return told(subscription_id, ends=what == "end")


def told(subscription_id: str, *, ends: bool) -> dict[str, Any]:
    """A subscription as the provider describes it."""
    now = int(timezone.now().timestamp())
    price = {"unit_amount": 100_00, "currency": "eur"}
    recurring = {"interval": "year", "interval_count": 1}
    item = {
        "current_period_start": now,
        "current_period_end": now + 31_536_000,
        "price": {**price, "recurring": recurring},
        "quantity": 1,
    }
    return {
        "id": subscription_id,
        "object": "subscription",
        "status": "active",
        "cancel_at_period_end": ends,
        "customer": "cus_1",
        "items": {"data": [item]},
        "metadata": {},
    }


@pytest.fixture
def source(monkeypatch: pytest.MonkeyPatch) -> Provider:
    source = Provider()
    monkeypatch.setattr(ending, "provider", lambda: source)
    return source


@shared
def subscription(term: Term) -> Subscription:
    """The term renews by itself."""
    made = make_subscription(state="active", provider="twin", subscription_id="sub_1")
    term.order.subscription = made
    term.order.save()
    return made


def text(answer: Any) -> str:
    return str(answer.content.decode())


def test_the_page_says_what_ends_when_before_anything_is_done(term: Term, alice: User) -> None:
    page = text(sign_in(alice).get(PAGE))
    assert "Nothing ends today" in page
    assert "End the support of Acme" in page
    assert not Cancellation.objects.exists()


def test_a_support_is_cancelled_and_taken_back(
    acme: Organisation, term: Term, alice: User, source: Provider
) -> None:
    client = sign_in(alice)
    client.post(PAGE, {"reason": "We merge."})
    kept = Cancellation.objects.get()
    assert (kept.reason, kept.cancelled_by, kept.ends_renewal) == ("We merge.", alice, False)
    now = timezone.now()
    assert Organisation.objects.active_on(now).get() == acme, "until its end it is a supporter"
    assert "Your support ends on" in text(client.get(PAGE))
    assert "It was cancelled" in text(client.get("/organisation/acme/"))
    client.post(PAGE, {"reason": ""})
    assert Cancellation.objects.count() == 1, "once is enough"
    client.post(f"{PAGE}undo/")
    kept.refresh_from_db()
    assert kept.undone_by == alice
    assert letters(alice.email)[0].startswith("The support of Acme ends on ")
    assert letters(alice.email)[1] == "The support of Acme goes on"
    verbs = AuditEntry.objects.filter(verb__startswith="support.").order_by("pk")
    assert list(verbs.values_list("verb", flat=True)) == ["support.cancel", "support.keep"]
    assert source.asked == [], "nothing renewed by itself"


def test_the_provider_takes_no_more_money_and_goes_on_when_it_is_taken_back(
    subscription: Subscription, alice: User, source: Provider
) -> None:
    client = sign_in(alice)
    client.post(PAGE)
    subscription.refresh_from_db()
    assert subscription.cancel_at_period_end
    assert Cancellation.objects.get().ends_renewal
    client.post(f"{PAGE}undo/")
    assert not Subscription.objects.get().cancel_at_period_end
    assert source.asked == ["end", "keep"]


def test_a_provider_that_is_silent_is_told_later(
    subscription: Subscription, alice: User, source: Provider
) -> None:
    source.answers = False
    client = sign_in(alice)
    client.post(PAGE)
    assert Cancellation.objects.standing().exists(), "what was said, stands"
    subscription.refresh_from_db()
    assert not subscription.cancel_at_period_end
    assert end_renewals(at=timezone.now()) == 0
    source.answers = True
    assert end_renewals(at=timezone.now()) == 1
    assert end_renewals(at=timezone.now()) == 0, "it was told"


def test_taking_it_back_needs_the_provider(
    subscription: Subscription, alice: User, source: Provider
) -> None:
    client = sign_in(alice)
    client.post(PAGE)
    source.answers = False
    assert "it is not taken back" in text(client.post(f"{PAGE}undo/", follow=True))
    assert Cancellation.objects.standing().exists()


def test_a_renewal_that_was_ended_before_stays_ended(
    subscription: Subscription, alice: User, source: Provider
) -> None:
    Subscription.objects.update(cancel_at_period_end=True)
    client = sign_in(alice)
    client.post(PAGE)
    client.post(f"{PAGE}undo/")
    assert source.asked == []
    subscription.refresh_from_db()
    assert subscription.cancel_at_period_end


def test_every_term_that_runs_or_will_run_is_ended(
    acme: Organisation, term: Term, alice: User
) -> None:
    later = make_term(acme, make_tier("silver"), term.ends_at)
    over = make_term(acme, make_tier("bronze"), timezone.now() - 400 * DAY)
    made = cancel_support(actor=alice, organisation=acme, reason="", at=timezone.now())
    assert [one.term for one in made] == [term, later]
    with pytest.raises(NothingToEndError):
        cancel_support(actor=alice, organisation=acme, reason="", at=timezone.now())
    assert over.cancellations.count() == 0


def test_what_has_taken_effect_cannot_be_taken_back(
    acme: Organisation, term: Term, alice: User
) -> None:
    cancel_support(actor=alice, organisation=acme, reason="", at=timezone.now())
    with pytest.raises(TooLateError):
        take_cancellation_back(actor=alice, organisation=acme, at=term.ends_at)
    assert not Organisation.objects.active_on(term.ends_at).exists()


def test_the_end_is_told_once(acme: Organisation, term: Term, alice: User) -> None:
    cancel_support(actor=alice, organisation=acme, reason="", at=timezone.now())
    assert tell_of_ends(at=term.ends_at - DAY) == 0
    assert tell_of_ends(at=term.ends_at) == 1
    tell_of_ends(at=term.ends_at + DAY)
    assert letters(alice.email)[1:] == ["The support of Acme has ended"]
    assert tell_of_ends(at=term.ends_at + 40 * DAY) == 0


def test_a_term_is_cancelled_once_in_the_database(term: Term, alice: User) -> None:
    Cancellation.objects.create(term=term, cancelled_by=alice)
    with pytest.raises(IntegrityError), transaction.atomic():
        Cancellation.objects.create(term=term, cancelled_by=alice)


def test_without_a_term_there_is_nothing_to_end(acme: Organisation, alice: User) -> None:
    client = sign_in(alice)
    assert "There is nothing to end" in text(client.get(PAGE))
    client.post(PAGE)
    client.post(f"{PAGE}undo/")
    assert not Cancellation.objects.exists()


def test_in_the_grace_it_ends_at_once(acme: Organisation, term: Term, alice: User) -> None:
    over = timezone.now() - 400 * DAY
    Term.objects.update(starts_at=over, ends_at=timezone.now() - DAY)
    now = timezone.now()
    assert Organisation.objects.active_on(now).exists(), "still named, to be renewed"
    client = sign_in(alice)
    page = text(client.get(PAGE))
    assert "What you paid ended on" in page
    assert "End it now" in page
    assert "Ended. A letter says so." in text(client.post(PAGE, {"reason": ""}, follow=True))
    assert not Organisation.objects.active_on(timezone.now()).exists()
    assert letters(alice.email) == ["The support of Acme has ended"]
    tell_of_ends(at=timezone.now())
    assert len(letters(alice.email)) == 1, "the sweep says nothing twice"
    assert "There is nothing to end" in text(client.get(PAGE))
    client.post(f"{PAGE}undo/")
    assert Cancellation.objects.standing().exists(), "nothing is shown again without a payment"
    assert list(Term.objects.renewable()) == [term], "it may come back"
