"""The automatic renewal alone is ended and taken up again; the support goes on."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.accounts.roles import Role
from portal.lib.models import AuditEntry, OutboxMail
from portal.members import renewing
from portal.members.actions.cancellation import cancel_support
from portal.members.actions.renewal_stop import NothingToResumeError, note_resumed
from portal.members.models import Organisation, RenewalStop, Term
from portal.members.renewing import tell_of_stops
from portal.members.tests.people import DAY, letters, make_organisation, make_term, make_tier
from portal.members.tests.test_ending import Provider, text
from portal.payments import asking
from portal.payments.models import Subscription
from portal.payments.tests.factories import make_subscription
from tests.cast import sign_in

pytestmark = pytest.mark.django_db
PAGE = "/organisation/acme/renewal/"


@pytest.fixture
def acme(alice: User) -> Organisation:
    return make_organisation(owner=alice)


@pytest.fixture
def term(acme: Organisation) -> Term:
    return make_term(acme, make_tier(), timezone.now())


@pytest.fixture
def subscription(term: Term) -> Subscription:
    now = timezone.now()
    made = make_subscription(
        subscription_id="sub_1",
        current_period_start=now,
        current_period_end=now + timedelta(days=365),
        told_at=now - DAY,
    )
    term.order.subscription = made
    term.order.save()
    return made


@pytest.fixture
def source(monkeypatch: pytest.MonkeyPatch) -> Provider:
    source = Provider()
    monkeypatch.setattr(renewing, "provider", lambda: source)
    return source


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A provider that says that the last charge was refused."""
    source = SimpleNamespace(fetch_subscription=lambda _: {"status": "past_due"})
    monkeypatch.setattr(asking, "provider", lambda: source)


def press(client: Client, subscription: Subscription, what: str) -> str:
    sent = {"subscription": subscription.reference, "what": what}
    return text(client.post(PAGE, sent, follow=True))


def test_it_is_ended_alone_and_taken_up_again(
    acme: Organisation, term: Term, subscription: Subscription, alice: User, source: Provider
) -> None:
    client = sign_in(alice)
    before = text(client.get(PAGE))
    assert f"{subscription.price} will be charged on" in before
    assert "End the automatic renewal" in text(client.get("/organisation/acme/"))
    assert "no more money is taken by itself" in press(client, subscription, "stop")
    subscription.refresh_from_db()
    assert subscription.cancel_at_period_end
    assert RenewalStop.objects.get().told_at is not None
    assert "The automatic renewal was ended" in text(client.get("/organisation/acme/"))
    assert "It renews by itself again" in press(client, subscription, "resume")
    assert not Subscription.objects.get().cancel_at_period_end
    assert not RenewalStop.objects.standing().exists()
    assert source.asked == ["end", "keep"]
    assert [one.partition(" of Acme ")[2] for one in letters(alice.email)] == [
        "does not renew by itself any more",
        f"renews by itself on {subscription.current_period_end:%-d %b %Y}",
    ]
    verbs = AuditEntry.objects.filter(verb__startswith="renewal.").order_by("pk")
    assert list(verbs.values_list("verb", flat=True)) == ["renewal.stop", "renewal.resume"]


def test_the_support_keeps_its_grace_and_may_be_renewed_by_hand(
    term: Term, subscription: Subscription, alice: User, source: Provider
) -> None:
    press(sign_in(alice), subscription, "stop")
    term.refresh_from_db()
    in_grace = term.ends_at + DAY
    assert list(Term.objects.active_on(in_grace)) == [term], "as every other that may be renewed"
    assert list(Term.objects.running_out(in_grace)) == [term], "reminders are written"
    RenewalStop.objects.all().delete()
    assert not Term.objects.active_on(in_grace).exists(), "cancelled on the provider's own pages"


def test_a_provider_that_is_silent_is_told_later_and_once(
    subscription: Subscription, alice: User, source: Provider
) -> None:
    source.answers = False
    client = sign_in(alice)
    assert "has not confirmed it yet" in press(client, subscription, "stop")
    press(client, subscription, "stop")
    assert RenewalStop.objects.count() == 1
    assert tell_of_stops(at=timezone.now()) == 0
    source.answers = True
    assert tell_of_stops(at=timezone.now()) == 1
    assert tell_of_stops(at=timezone.now()) == 0


def test_what_the_provider_took_back_is_stopped_anew(
    subscription: Subscription, alice: User, source: Provider
) -> None:
    client = sign_in(alice)
    press(client, subscription, "stop")
    Subscription.objects.update(cancel_at_period_end=False)
    assert "will be charged on" in text(client.get(PAGE)), "the provider's pages were used since"
    press(client, subscription, "stop")
    assert RenewalStop.objects.count() == 2
    assert RenewalStop.objects.standing().count() == 1


def test_the_return_needs_the_provider(
    subscription: Subscription, alice: User, source: Provider
) -> None:
    client = sign_in(alice)
    press(client, subscription, "stop")
    source.answers = False
    assert "Nothing was changed" in press(client, subscription, "resume")
    assert RenewalStop.objects.standing().exists()


def test_nothing_is_charged_for_what_was_paid_by_hand_or_cancelled(
    acme: Organisation, term: Term, subscription: Subscription, alice: User, source: Provider
) -> None:
    client = sign_in(alice)
    press(client, subscription, "stop")
    after = make_term(acme, make_tier("silver"), term.ends_at)
    Term.objects.filter(pk=after.pk).update(renews=term)
    assert "Renew automatically again" not in text(client.get(PAGE))
    assert "cannot be taken up again" in press(client, subscription, "resume")
    Term.objects.filter(pk=after.pk).update(renews=None)
    cancel_support(actor=alice, organisation=acme, reason="", at=timezone.now())
    assert "cannot be taken up again" in press(client, subscription, "resume")
    assert source.asked == ["end"]


def test_what_the_provider_does_not_take_up_is_not_said_to_renew(
    acme: Organisation, subscription: Subscription, alice: User
) -> None:
    Subscription.objects.update(state="canceled")
    with pytest.raises(NothingToResumeError):
        note_resumed(actor=alice, organisation=acme, subscription=subscription, at=timezone.now())
    assert not OutboxMail.objects.exists()


def test_only_owner_and_billing_contact_and_only_their_own(
    acme: Organisation, subscription: Subscription, alice: User, bob: User, source: Provider
) -> None:
    acme.contacts.create(role=Role.MARKETING, name="Bob", email=bob.email, user=bob)
    assert sign_in(bob).post(PAGE, {}).status_code == 404
    other = make_subscription(subscription_id="sub_2")
    sent: dict[str, Any] = {"subscription": other.reference, "what": "stop"}
    assert sign_in(alice).post(PAGE, sent).status_code == 404
    assert "press the button on this page once more" in text(
        sign_in(alice).post(PAGE, {"what": "else"}, follow=True)
    )
    assert source.asked == []


def test_a_refused_charge_is_not_said_to_renew(
    acme: Organisation, term: Term, subscription: Subscription, alice: User, refusing: Any
) -> None:
    Subscription.objects.update(state="past_due")
    client = sign_in(alice)
    page = text(client.get(PAGE))
    assert "The bank refused the last charge" in page
    assert "will be charged on" not in page
    again = text(client.get(PAGE))
    assert "may have been taken since" in again, "it was asked a moment ago: nobody knows"
    assert 'data-await="1"' in again
    papers = text(client.get("/organisation/acme/invoices/"))
    assert "A charge for the renewal was refused" in papers
    assert "Nothing is to be paid" not in papers


def test_without_a_subscription_the_page_says_so(term: Term, alice: User) -> None:
    assert "Nothing renews by itself" in text(sign_in(alice).get(PAGE))


def test_a_renewal_is_stopped_once_in_the_database(subscription: Subscription) -> None:
    RenewalStop.objects.create(subscription=subscription)
    with pytest.raises(IntegrityError), transaction.atomic():
        RenewalStop.objects.create(subscription=subscription)
