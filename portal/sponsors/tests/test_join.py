"""The steps of the sign-up, as requests."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.models import OutboxMail
from portal.lib.money import Money
from portal.members.models import TierPrice
from portal.payments.models import Order
from portal.sponsors.actions.agreement import publish_agreement
from portal.sponsors.actions.application import (
    approve_application,
    reject_application,
    save_organisation,
    submit_application,
)
from portal.sponsors.actions.ordering import NotPossibleError
from portal.sponsors.billing import billed
from portal.sponsors.letters import resume_url
from portal.sponsors.models import Application
from tests.supporters import (
    LOGO,
    VALUES,
    make_agreement,
    make_application,
    make_draft,
    make_tier,
    may_open,
)

pytestmark = pytest.mark.django_db
FORM = {name: value for name, value in VALUES.items() if value is not False}


def text(answer: object) -> str:
    return answer.content.decode()  # type: ignore[attr-defined,no-any-return]


def begun(client: Client) -> Application:
    tier = make_tier()
    answer = client.post(f"/join/new/{tier.key}/", FORM)
    assert answer.status_code == 302, text(answer)
    return Application.objects.get()


def test_the_first_step_speaks_of_vat_only_where_some_may_come(
    client: Client, settings: Any
) -> None:
    path = f"/join/new/{make_tier().key}/"
    for country, is_said in (("", False), ("FI", True)):
        settings.SELLER_COUNTRY = country
        assert ("which depends on your country" in text(client.get(path))) == is_said


def test_an_address_is_asked_for_because_invoices_print_it(client: Client) -> None:
    draft = begun(client)
    assert billed(draft).lines == "Musterweg 1\n10115 Berlin\nGermany\nDE811907980"
    path = f"/join/{draft.reference}/organisation/"
    assert "is still empty: fill it in." in text(client.post(path, {**FORM, "address": " "}))
    draft.refresh_from_db()
    assert draft.address == "Musterweg 1\n10115 Berlin"


def test_an_empty_offer_says_what_will_be_here(client: Client) -> None:
    assert "No tier is on offer yet" in text(client.get("/join/"))


def test_prices_are_shown_in_the_currency_of_choice(client: Client) -> None:
    tier = make_tier()
    TierPrice.objects.create(tier=tier, currency="JPY", amount_minor=3_200_000)
    assert "20,000\N{NO-BREAK SPACE}€" in text(client.get("/join/"))
    assert "3,200,000\N{NO-BREAK SPACE}¥" in text(client.get("/join/?currency=JPY"))
    assert "20,000" in text(client.get("/join/?currency=XXX"))


def test_a_draft_is_kept_and_its_link_mailed(client: Client) -> None:
    draft = begun(client)
    assert draft.state == "draft"
    letter = OutboxMail.objects.get()
    assert letter.recipient == "alice@example.org"
    link = re.search(r"http\S+(/join/resume/\S+)", letter.text)
    assert link is not None
    stranger = Client()
    assert stranger.get(f"/join/{draft.reference}/organisation/").status_code == 404
    assert stranger.get(link[1], follow=True).status_code == 200
    assert "Acme GmbH" in text(stranger.get(f"/join/{draft.reference}/organisation/"))


def test_a_changed_or_old_link_opens_nothing(client: Client) -> None:
    link = resume_url(make_draft(make_tier())).partition("localhost:8000")[2]
    assert client.get(link[:-3] + "x/").status_code == 404
    assert client.get("/join/resume/nothing/").status_code == 404


def test_a_draft_belongs_to_the_account_that_began_it(
    charlie: User, client_for: Callable[[User], Client]
) -> None:
    draft = begun(client_for(charlie))
    other_browser = client_for(charlie)
    assert other_browser.get(f"/join/{draft.reference}/logo/").status_code == 200
    assert "Acme, Gold: draft" in text(other_browser.get("/join/"))


def test_errors_keep_the_input(client: Client) -> None:
    tier = make_tier()
    wrong = {**FORM, "vat_number": "DE811907981", "billing_name": "Bo", "owner_email": "nowhere"}
    page = text(client.post(f"/join/new/{tier.key}/", wrong))
    assert "check digits do not fit" in page
    assert "Add the address of this contact" in page
    assert 'value="nowhere"' in page
    assert not Application.objects.exists()


@pytest.mark.parametrize("field", ["legal_name", "address"])
def test_what_invoices_could_not_print_is_told_before_it_is_ordered(
    client: Client, field: str
) -> None:
    path = f"/join/new/{make_tier().key}/"
    page = text(client.post(path, {**FORM, field: "株式会社 Acme"}))
    assert "Papers cannot print 株式会社" in page
    assert not Application.objects.exists()
    shown = {**FORM, "name": "株式会社 Acme"}
    assert client.post(path, shown).status_code == 302, "pages can show it"


def test_a_tier_that_is_not_offered_has_no_form(client: Client) -> None:
    tier = make_tier(is_offered=False)
    assert client.get(f"/join/new/{tier.key}/").status_code == 404
    assert client.get("/join/new/none-2026/").status_code == 404


def test_the_form_cannot_name_a_price(client: Client) -> None:
    draft = begun(client)
    client.post(f"/join/{draft.reference}/organisation/", {**FORM, "amount": "-500", "price": "1"})
    make_agreement()
    client.post(f"/join/{draft.reference}/agreement/", _accepted())
    draft.refresh_from_db()
    submit_application(actor=None, application=draft, at=timezone.now())
    assert Order.objects.get().amount == Money(20_000_00, "EUR")


def test_nobody_orders_at_a_price_that_they_did_not_see(client: Client) -> None:
    draft = make_draft(make_tier())
    may_open(client, draft)
    path = f"/join/{draft.reference}/payment/"
    seen = client.get(path).context["form"]["seen"].value()
    TierPrice.objects.update(amount_minor=21_000_00)
    order = {"pays_by": "invoice", "seen": seen}
    answer = client.post(path, order)
    assert "it is 21,000\N{NO-BREAK SPACE}€ now" in text(answer)
    assert "Order for 21,000" in text(answer)
    assert not Order.objects.exists()
    order["seen"] = answer.context["form"]["seen"].value()
    assert client.post(path, order).status_code == 302
    assert Order.objects.get().amount == Money(21_000_00, "EUR")


def test_an_application_keeps_the_price_of_the_day_on_which_it_was_sent(frank: User) -> None:
    application = make_application(make_tier(needs_review=True))
    TierPrice.objects.update(amount_minor=21_000_00)
    read = Application.objects.get()
    assert read.price == Money(20_000_00, "EUR")
    approve_application(actor=frank, application=read, reason="", at=timezone.now())
    application.refresh_from_db()
    assert application.order is not None
    assert application.order.amount == Money(20_000_00, "EUR")


def _accepted() -> dict[str, str]:
    return {"accepted_by": "Alice", "accepted": "on", "sha256": make_agreement().sha256}


def test_a_logo_is_kept_when_a_later_one_is_refused(client: Client) -> None:
    draft = begun(client)
    path = f"/join/{draft.reference}/logo/"
    client.post(path, {"logo": SimpleUploadedFile("a.svg", LOGO)})
    refused = client.post(path, {"logo": SimpleUploadedFile("a.gif", b"GIF89a")})
    assert "neither PNG nor SVG" in text(refused)
    assert "This is how it will look" in text(refused)
    shown = client.get(f"{path}file")
    assert shown["Content-Type"] == "image/svg+xml"
    assert shown["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert shown["X-Content-Type-Options"] == "nosniff"


def test_what_was_taken_out_of_a_logo_is_told_above_its_preview(client: Client) -> None:
    draft = begun(client)
    path = f"/join/{draft.reference}/logo/"
    hostile = LOGO.replace(b"<path", b"<script>alert(1)</script><path")
    page = text(client.post(path, {"logo": SimpleUploadedFile("a.svg", hostile)}, follow=True))
    assert "taken out of your file: scripts." in page
    assert "This is how it will look" in page
    assert b"alert" not in client.get(f"{path}file").content


def test_going_on_without_a_logo_is_fine(client: Client) -> None:
    draft = begun(client)
    answer = client.post(f"/join/{draft.reference}/logo/")
    assert answer.headers["Location"].endswith("/agreement/")


def test_acceptance_keeps_version_and_digest(client: Client) -> None:
    draft = begun(client)
    agreement = make_agreement()
    path = f"/join/{draft.reference}/agreement/"
    assert "Accept the agreement to go on" in text(
        client.post(path, {"accepted_by": "Alice", "sha256": agreement.sha256})
    )
    assert client.post(path, _accepted()).status_code == 302
    draft.refresh_from_db()
    assert draft.agreement == agreement
    assert draft.agreement_sha256 == agreement.sha256
    pdf = client.get(f"/join/{draft.reference}/agreement.pdf")
    assert pdf.content.startswith(b"%PDF-")


def test_an_agreement_that_changed_meanwhile_must_be_read_again(client: Client) -> None:
    draft = begun(client)
    accepted = _accepted()
    publish_agreement(
        actor=None, title="Agreement", text="New.", in_force_from=timezone.now() - timedelta(1)
    )
    page = text(client.post(f"/join/{draft.reference}/agreement/", accepted))
    assert "has changed since" in page
    assert client.get(f"/join/{draft.reference}/payment/").status_code == 302


def test_without_an_agreement_nothing_can_be_sent(client: Client) -> None:
    draft = begun(client)
    answer = client.get(f"/join/{draft.reference}/agreement/", follow=True)
    assert "No agreement is in force yet" in text(answer)
    assert "No agreement is in force yet" in text(client.get("/join/agreement/"))


def test_another_tier_can_be_chosen_until_it_is_sent(client: Client) -> None:
    draft = begun(client)
    silver = make_tier("silver", price=Money(500_000, "EUR"), member=False)
    path = f"/join/{draft.reference}/tier/"
    assert "Silver" in text(client.get(path))
    assert client.post(path, {"tier": "platinum-2026"}).status_code == 200
    assert client.post(path, {"tier": silver.key}).status_code == 302
    draft.refresh_from_db()
    assert draft.tier == silver


def test_what_was_sent_cannot_be_edited(client: Client) -> None:
    application = make_application()
    may_open(client, application)
    for step in ("organisation", "logo", "agreement", "tier"):
        assert client.get(f"/join/{application.reference}/{step}/").status_code == 404
    with pytest.raises(NotPossibleError):
        save_organisation(
            actor=None,
            application=application,
            tier=application.tier,
            currency="EUR",
            values=VALUES,
        )
    assert client.get(f"/join/{application.reference}/payment/").status_code == 302


def test_too_many_drafts_from_one_address_are_refused(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("portal.sponsors.views.join.DRAFTS_AN_HOUR", 0)
    tier = make_tier()
    for _ in range(2):
        answer = client.post(f"/join/new/{tier.key}/", FORM, REMOTE_ADDR="192.0.2.77")
    assert "Too many applications" in text(answer)


def test_a_reviewed_application_is_paid_after_the_approval(client: Client, frank: User) -> None:
    application = make_application(make_tier(needs_review=True))
    assert application.state == "review"
    assert application.order is None
    may_open(client, application)
    assert "Staff look at your application" in text(client.get(f"/join/{application.reference}/"))
    approve_application(actor=frank, application=application, reason="", at=timezone.now())
    assert "Pay 20,000\N{NO-BREAK SPACE}€" in text(client.get(f"/join/{application.reference}/"))
    assert OutboxMail.objects.filter(key__startswith="application.approved:").count() == 1
    with pytest.raises(NotPossibleError):
        reject_application(actor=frank, application=application, reason="Too late")


def test_a_rejection_says_why_in_a_letter_of_its_own(client: Client, frank: User) -> None:
    application = make_application(make_tier(needs_review=True))
    with pytest.raises(ValueError, match="say why"):
        reject_application(actor=frank, application=application, reason=" ")
    reject_application(actor=frank, application=application, reason="You sell weapons.")
    letter = OutboxMail.objects.get(key__startswith="application.rejected:")
    assert "You sell weapons." in letter.text
    may_open(client, application)
    assert "You sell weapons." in text(client.get(f"/join/{application.reference}/"))


def test_no_redirect_leads_to_another_site(client: Client) -> None:
    tier = make_tier()
    answer = client.post(f"/join/new/{tier.key}/?next=https://evil.example/", FORM)
    assert answer.headers["Location"].startswith("/join/")
    answer = client.get("/join/resume/x/?next=//evil.example")
    assert answer.status_code == 404
