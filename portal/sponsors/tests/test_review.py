"""Staff read an application, look at its logo, and answer; both answers go out as letters."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.models import OutboxMail
from portal.members.actions.logo import keep_logo
from portal.members.models import Tier
from portal.members.pictures import check
from portal.sponsors.actions.application import approve_application, reject_application
from portal.sponsors.models import Application
from tests.shared import shared
from tests.supporters import LOGO, make_application, make_draft, make_tier, may_open

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(frank: User, client_for: Callable[[User], Client]) -> Client:
    return client_for(frank)


@shared
def waiting(frank: User) -> Application:
    """Of a company that wants one of five places, and brings a logo."""
    made = make_application(make_tier(needs_review=True, capacity=5))
    made.logo = keep_logo(picture=check(LOGO))
    made.save()
    return made


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


def answered(client: Client, application: Application, **data: str) -> str:
    answer = client.post(f"/staff/applications/{application.reference}/", data, follow=True)
    application.refresh_from_db()
    return answer.content.decode()


def test_all_staff_get_a_letter_that_leads_to_the_application(
    waiting: Application, staff: Client, frank: User
) -> None:
    letter = OutboxMail.objects.get(key__startswith="application.to_review:")
    assert letter.recipient == frank.email
    assert letter.about == "", "what staff are told is no letter to the company"
    path = f"/staff/applications/{waiting.reference}/"
    assert path in letter.text
    assert path in letter.html
    shown = page(staff, path)
    for said in ("Acme GmbH", "Germany", "DE811907980", "alice@example.org", "Places left", "4"):
        assert said in shown, said


def test_the_list_shows_what_waits_first_and_the_rest_on_request(
    waiting: Application, staff: Client
) -> None:
    assert "1 application waits for an answer" in page(staff, "/staff/applications/")
    assert "Acme GmbH" in page(staff, "/staff/applications/?state=nonsense")
    assert "Acme GmbH" not in page(staff, "/staff/applications/?state=rejected")
    Application.objects.update(state="rejected")
    assert "Nothing waits for an answer" in page(staff, "/staff/applications/")
    assert "Acme GmbH" in page(staff, "/staff/applications/?state=rejected")


def test_the_logo_is_shown_to_staff_before_it_is_public(
    waiting: Application, staff: Client
) -> None:
    path = f"/staff/applications/{waiting.reference}/logo"
    assert path in page(staff, f"/staff/applications/{waiting.reference}/")
    answer = staff.get(path)
    assert answer["Content-Type"] == "image/svg+xml"
    assert "public" not in answer["Cache-Control"]


def test_an_approval_leads_the_owner_to_the_payment(waiting: Application, staff: Client) -> None:
    said = answered(staff, waiting, answer="approve", **{"approve-words": "Welcome aboard."})
    assert "Approved. The owner gets a letter" in said
    assert waiting.state == "payment"
    letter = OutboxMail.objects.get(key__startswith="application.approved:")
    assert "Welcome aboard." in letter.text


def test_a_rejection_needs_a_reason_which_the_owner_reads(
    waiting: Application, staff: Client
) -> None:
    assert "“Reason” is still empty: fill it in." in answered(staff, waiting, answer="reject")
    assert waiting.state == "review"
    reason = {"reject-reason": "We know no such company."}
    assert "Rejected." in answered(staff, waiting, answer="reject", **reason)
    assert waiting.state == "rejected"
    assert reason["reject-reason"] in OutboxMail.objects.get(key__contains=".rejected:").text
    assert reason["reject-reason"] in page(staff, f"/staff/applications/{waiting.reference}/")


def test_a_second_answer_says_that_there_is_one(
    waiting: Application, staff: Client, frank: User
) -> None:
    approve_application(actor=frank, application=waiting, reason="", at=timezone.now())
    said = answered(staff, waiting, answer="reject", **{"reject-reason": "Too late."})
    assert waiting.state == "payment"
    assert 'role="alert"' in said
    other = make_application(Tier.objects.get())
    reject_application(actor=frank, application=other, reason="No.")
    assert 'role="alert"' in answered(staff, other, answer="approve")
    assert other.state == "rejected"


@pytest.mark.parametrize("part", ["owner_email", "technical_email"])
def test_staff_do_not_answer_for_their_own_company(
    waiting: Application, staff: Client, frank: User, part: str
) -> None:
    Application.objects.filter(pk=waiting.pk).update(**{part: frank.email.upper()})
    for answer in ({"answer": "approve"}, {"answer": "reject", "reject-reason": "Not them."}):
        assert "somebody else of the staff answers" in answered(staff, waiting, **answer)
        assert waiting.state == "review"


def test_who_must_wait_for_the_staff_is_not_promised_an_invoice_at_once(client: Client) -> None:
    draft = make_draft(make_tier(needs_review=True))
    may_open(client, draft)
    shown = page(client, f"/join/{draft.reference}/payment/")
    assert "Invoice: once the staff have approved it" in shown
    assert "by mail at once" not in shown
    assert "kept for 23 hours" not in shown
