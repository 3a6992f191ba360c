"""The staff pages of this domain."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.members.models import Organisation
from portal.payments.models import LedgerEntry
from portal.sponsors.models import Agreement, Application
from tests.supporters import make_application, make_tier

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(frank: User, client_for: Callable[[User], Client]) -> Client:
    return client_for(frank)


def decide(staff: Client, application: Application, decision: str, words: str) -> str:
    path = f"/staff/sponsors/application/{application.pk}/change/"
    answer = staff.post(path, {"decision": decision, "words": words}, follow=True)
    application.refresh_from_db()
    return answer.content.decode()


def test_staff_approve_and_book_a_transfer(staff: Client) -> None:
    application = make_application(make_tier(needs_review=True))
    decide(staff, application, "approve", "")
    assert application.state == "payment"
    assert "Write the reason" in decide(staff, application, "record", "")
    decide(staff, application, "record", "statement 12, line 3")
    assert application.state == "active"
    assert LedgerEntry.objects.get().provider_ref == "statement 12, line 3"
    assert Organisation.objects.supported(timezone.now()).exists()


def test_staff_reject_with_a_reason(staff: Client) -> None:
    application = make_application(make_tier(needs_review=True))
    decide(staff, application, "reject", "")
    assert application.state == "review"
    decide(staff, application, "reject", "Not a real company.")
    assert application.state == "rejected"


def test_nobody_changes_or_deletes_the_ledger_on_the_staff_pages(staff: Client) -> None:
    assert staff.get("/staff/payments/ledgerentry/").status_code == 200
    assert staff.get("/staff/payments/ledgerentry/add/").status_code == 403
    assert staff.get("/staff/payments/order/add/").status_code == 403


def test_staff_publish_an_agreement(staff: Client) -> None:
    written = {"title": "Terms", "text": "Be kind.", "in_force_from_0": "2026-01-01"}
    answer = staff.post("/staff/sponsors/agreement/add/", {**written, "in_force_from_1": "00:00"})
    assert answer.status_code == 302, answer.content.decode()
    assert Agreement.objects.get().sha256
