"""An applicant takes it back: a draft is deleted, what was sent gives its place up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.models import AuditEntry
from portal.members.actions.cancellation import cancel_support
from portal.members.actions.logo import keep_logo
from portal.members.models import Logo, Organisation
from portal.members.pictures import check
from portal.members.tests.people import letters
from portal.payments.actions.invoice import issue_invoice
from portal.payments.models import Checkout, Invoice
from portal.sponsors import withdrawing
from portal.sponsors.actions.application import set_logo
from portal.sponsors.actions.ordering import NotPossibleError
from portal.sponsors.actions.withdrawal import drop_draft, withdraw_application
from portal.sponsors.models import Application
from portal.sponsors.places import places_left
from portal.sponsors.withdrawing import withdraw, withdraw_cancelled
from tests.supporters import (
    LOGO,
    make_application,
    make_draft,
    make_tier,
    may_open,
    post_event,
    running_twin,
    session_event,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("signed_webhooks")]


@pytest.fixture
def twin(tmp_path: Path, settings: Any) -> Iterator[Any]:
    with running_twin(tmp_path) as running:
        settings.TWIN_URL = running.url
        yield running


def page(application: Application) -> str:
    return f"/join/{application.reference}/withdraw/"


def text(answer: Any) -> str:
    return str(answer.content.decode())


def test_a_draft_is_deleted_with_its_logo_after_a_question(client: Client) -> None:
    draft = make_draft(make_tier())
    set_logo(application=draft, logo=keep_logo(picture=check(LOGO)))
    may_open(client, draft)
    assert "cannot be taken back" in text(client.get(page(draft)))
    assert Application.objects.exists()
    assert "The draft is deleted" in text(client.post(page(draft), follow=True))
    assert not Application.objects.exists()
    assert not Logo.objects.exists()
    assert AuditEntry.objects.filter(verb="application.drop").exists()


def test_what_is_in_review_gives_its_place_up_and_takes_one_again(client: Client) -> None:
    tier = make_tier(needs_review=True, capacity=1)
    application = make_application(tier)
    assert places_left(tier) == 0
    may_open(client, application)
    page_after = text(client.post(page(application), {"reason": "Budget."}, follow=True))
    assert "Withdrawn" in page_after
    assert "Take a place again" in page_after
    assert places_left(tier) == 1
    assert letters("alice@example.org")[-1] == "The application of Acme is withdrawn"
    assert AuditEntry.objects.get(verb="application.withdraw").detail == {"reason": "Budget."}
    client.post(f"/join/{application.reference}/payment/", {"pays_by": "card", "coupon_code": ""})
    application.refresh_from_db()
    assert application.state == "review"


def test_its_payment_page_is_closed_and_its_order_too(client: Client, twin: Any) -> None:
    application = make_application()
    may_open(client, application)
    client.post(f"/join/{application.reference}/pay/")
    client.post(page(application))
    application.refresh_from_db()
    assert application.state == "released"
    assert application.order is not None
    assert application.order.closed_at is not None
    session = Checkout.objects.get().session_id
    assert twin.sessions.fetch(session)["status"] == "expired"


def test_its_invoice_is_void(client: Client) -> None:
    application = make_application()
    assert application.order is not None
    issue_invoice(actor=None, order=application.order, at=timezone.now())
    may_open(client, application)
    client.post(page(application))
    assert Invoice.objects.get().voided_at is not None


def test_what_was_paid_cannot_be_withdrawn(client: Client, charlie: User) -> None:
    application = make_application()
    stale = Application.objects.get(pk=application.pk)
    post_event(client, session_event(application))
    may_open(client, application)
    assert "It is not open any more" in text(client.get(page(application), follow=True))
    with pytest.raises(NotPossibleError):
        withdraw(actor=charlie, application=stale, reason="", at=timezone.now())
    assert Organisation.objects.active_on(timezone.now()).exists()


def test_a_bank_payment_that_is_under_way_is_waited_for(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    application = make_application()
    assert application.order is not None
    application.order.checkouts.create(provider="twin", session_id="cs_1", state="processing")
    may_open(client, application)
    monkeypatch.setattr(withdrawing, "close_hosted_pages", lambda **_: False)
    assert "A payment is under way" in text(client.post(page(application), follow=True))
    with pytest.raises(NotPossibleError):
        withdraw_application(actor=None, application=application, reason="", at=timezone.now())
    application.refresh_from_db()
    assert application.state == "payment"


def test_what_changed_meanwhile_is_not_withdrawn(client: Client) -> None:
    now = timezone.now()
    draft, sent = make_draft(make_tier()), make_application(make_tier("silver"))
    with pytest.raises(NotPossibleError):
        withdraw_application(actor=None, application=draft, reason="", at=now)
    with pytest.raises(NotPossibleError):
        drop_draft(actor=None, application=sent)
    drop_draft(actor=None, application=Application.objects.get(pk=draft.pk))
    with pytest.raises(NotPossibleError):
        drop_draft(actor=None, application=draft)


def test_a_silent_provider_withdraws_nothing(client: Client, settings: Any) -> None:
    settings.TWIN_URL = "http://127.0.0.1:9"
    application = make_application()
    assert application.order is not None
    application.order.checkouts.create(provider="twin", session_id="cs_1", state="open")
    may_open(client, application)
    assert "it is not withdrawn" in text(client.post(page(application), follow=True))
    application.refresh_from_db()
    assert application.state == "payment"


def test_an_ordered_renewal_goes_with_the_support(client: Client, alice: User) -> None:
    first = make_application()
    post_event(client, session_event(first))
    acme = Organisation.objects.get()
    renewal = make_application(make_tier("silver"))
    renewal.organisation, renewal.renews = acme, acme.terms.get()
    renewal.save()
    assert withdraw_cancelled(at=timezone.now()) == 0
    cancel_support(actor=alice, organisation=acme, reason="", at=timezone.now())
    assert withdraw_cancelled(at=timezone.now()) == 1
    renewal.refresh_from_db()
    assert renewal.state == "released"
    assert withdraw_cancelled(at=timezone.now()) == 0
