"""The life of a support after its first term: letters, renewal, grace, lapse, coming back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.models import AuditEntry, OutboxMail
from portal.lib.money import Money
from portal.members.actions.tier import clone_year, offer_year, save_tier
from portal.members.correspondence import letters_of
from portal.members.electorate import of_organisations
from portal.members.eligibility_words import explain, summary
from portal.members.models import Organisation, Term, Tier
from portal.members.terms import add_months
from portal.payments.actions.refund import record_offline_refund
from portal.sponsors import renewal_letters, renewals
from portal.sponsors.actions.agreement import publish_agreement
from portal.sponsors.actions.application import TierFullError, submit_application
from portal.sponsors.actions.ordering import NotPossibleError
from portal.sponsors.actions.renewal import begin_renewal
from portal.sponsors.actions.settlement import settle_order
from portal.sponsors.models import Application, RenewalNotice
from portal.sponsors.places import places_left
from portal.sponsors.tests.renewing import DAY, notices, ordered, pay, renewed, supported_since
from tests.shared import shared
from tests.supporters import make_draft, make_tier

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]


@shared
def term() -> Term:
    """One that ends in fifty days; billing has an address of its own."""
    since = add_months(timezone.now() + 50 * DAY, -12)
    return supported_since(since, billing_name="Bo", billing_email="bills@example.org")


def shown(at: object) -> bool:
    return Organisation.objects.supported(at).exists()  # type: ignore[arg-type]


def next_years_gold(staff: User) -> Tier:
    clone_year(actor=staff, source=2026, target=2027)
    tier = Tier.objects.get(year=2027, slug="gold")
    save_tier(actor=staff, tier=tier, prices=[Money(25_000_00, "EUR")])
    offer_year(actor=staff, year=2027, tiers=[tier.pk])
    return tier


# --- letters ---


def test_each_letter_goes_once_to_billing_and_owner(term: Term) -> None:
    for days in (60, 59, 30, 7, 0, -1, -14, -20):
        at = term.ends_at - timedelta(days=days)
        for _ in range(2):
            renewals.remind_all(at=at)
    owner, billing = "alice@example.org", "bills@example.org"
    assert notices() == [
        f"{days}:{email}" for days in (60, 30, 7, 0, -14) for email in (billing, owner)
    ]
    known = letters_of(term.organisation).filter(key__startswith="renewal:")
    assert known.count() == 10


def test_who_missed_some_days_gets_the_newest_letter_alone(term: Term) -> None:
    renewals.remind_all(at=term.ends_at - 5 * DAY)
    assert notices() == ["7:bills@example.org", "7:alice@example.org"]
    renewals.remind_all(at=term.ends_at - 4 * DAY)
    assert RenewalNotice.objects.count() == 1


def test_a_renewed_or_cancelled_term_gets_no_letter(term: Term) -> None:
    cancellation = term.cancellations.create()
    renewals.remind_all(at=term.ends_at - 5 * DAY)
    cancellation.delete()
    renewed(term, timezone.now())
    renewals.remind_all(at=term.ends_at - 5 * DAY)
    assert notices() == []


def test_a_letter_that_was_cut_off_is_written_by_the_next_run(
    term: Term, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = term.ends_at - 30 * DAY
    with monkeypatch.context() as patch:
        patch.setattr(renewal_letters, "own_page", _power_cut)
        assert renewals.remind_all(at=at) == 0
    assert not RenewalNotice.objects.exists()
    assert renewals.remind_all(at=at) == 1
    assert len(notices()) == 2


def _power_cut(term: Term) -> str:
    raise RuntimeError("the power went out")


# --- renewing ---


def test_the_link_of_a_letter_leads_to_a_paid_renewal(
    term: Term, frank: User, client: Client
) -> None:
    tier = next_years_gold(frank)
    renewals.remind_all(at=timezone.now())
    letter = OutboxMail.objects.get(key=f"renewal:{term.pk}:60:bills@example.org")
    link = next(line for line in letter.text.splitlines() if "/join/renew/" in line)
    path = urlsplit(link).path
    page = client.get(path).content.decode()
    assert "Gold 2027" in page
    assert "25,000" in page
    payment = client.post(path, {"tier": tier.key}, follow=True)
    assert payment.redirect_chain[-1][0].endswith("/payment/")  # the agreement is the same
    assert "12 months from" in payment.content.decode()
    client.post(payment.redirect_chain[-1][0], {"pays_by": "invoice"})
    application = Application.objects.get(renews=term)
    assert (application.state, application.legal_name) == ("payment", "Acme GmbH")
    again = client.get(path)
    assert again["Location"] == application.get_absolute_url()
    waits = client.get(again["Location"]).content.decode()
    assert "It is yours from the moment the money is here" in waits
    told = OutboxMail.objects.get(key=f"application.received:{application.reference}").text
    assert "thank you for going on as a supporter: Gold" in told
    assert "You are a supporter from the moment" not in waits + told, "they are one"
    new = pay(application, timezone.now())
    assert (new.starts_at, new.ends_at) == (term.ends_at, add_months(term.ends_at, 12))
    assert (new.renews, new.tier_name, new.price) == (term, "Gold", Money(25_000_00, "EUR"))
    assert "goes on as a supporter" in client.get(again["Location"]).content.decode()
    assert "is renewed until" in client.get(path).content.decode()
    assert Organisation.objects.count() == 1
    assert OutboxMail.objects.filter(subject__startswith="Renewed, thank you").count() == 1


def test_a_new_version_of_the_agreement_is_read_before_renewing(
    term: Term, alice: User, client_for: SignIn
) -> None:
    publish_agreement(actor=None, title="Agreement", text="New.", in_force_from=timezone.now())
    path = f"/organisation/acme/terms/{term.pk}/renew/"
    answer = client_for(alice).post(path, {"tier": term.tier.key})
    assert answer["Location"].endswith("/agreement/")


def test_a_wrong_or_old_link_opens_nothing(client: Client) -> None:
    assert client.get("/join/renew/17:abc:def/").status_code == 404


def test_nothing_can_be_renewed_twice_at_once(term: Term) -> None:
    first = ordered(term, timezone.now())
    again = partial(begin_renewal, actor=None, term=term, tier=term.tier, currency="EUR")
    assert again(at=timezone.now()) == first
    renewed(term, timezone.now())
    with pytest.raises(NotPossibleError):
        again(at=timezone.now())


def test_another_tier_at_the_renewal_begins_where_the_old_one_ends(term: Term) -> None:
    now = timezone.now()
    silver = make_tier("silver", rank=3, price=Money(5_000_00, "EUR"))
    new = renewed(term, now, silver)
    assert (new.tier_name, new.starts_at) == ("Silver", term.ends_at)
    assert places_left(make_tier("bronze", capacity=1)) == 1


# --- grace, lapse, coming back ---


def test_a_supporter_in_its_grace_is_shown_and_told(
    term: Term, alice: User, client_for: SignIn
) -> None:
    Term.objects.update(ends_at=timezone.now() - DAY, grace_until=timezone.now() + 29 * DAY)
    client = client_for(alice)
    assert "Acme" in client.get("/supporters/").content.decode()
    page = client.get("/organisation/acme/").content.decode()
    assert "Time to renew" in page
    assert f"/organisation/acme/terms/{term.pk}/renew/" in page


def test_paid_in_the_grace_there_is_no_gap(term: Term) -> None:
    new = renewed(term, term.ends_at + 10 * DAY)
    assert new.starts_at == term.ends_at


def test_a_lapse_ends_everything_by_its_date_and_is_told_once(term: Term) -> None:
    Term.objects.update(advisory_seats=2)
    before, after = term.grace_until - DAY, term.grace_until
    assert shown(before)
    assert not shown(after)  # without any sweep
    assert [term.organisation.advisory_seats(at) for at in (before, after)] == [2, 0]
    for _ in range(2):
        renewals.lapse_all(at=after)
    assert Application.objects.get().state == "lapsed"
    assert notices() == ["lapsed:bills@example.org", "lapsed:alice@example.org"]
    assert AuditEntry.objects.filter(verb="application.lapse").count() == 1


def test_a_record_date_in_grace_and_after_it_is_explained(term: Term) -> None:
    organisations = Organisation.objects.all()
    in_grace = of_organisations(organisations, term.ends_at + DAY)[0].answer
    assert in_grace.steps[0].met
    assert "it counts on until" in explain(in_grace.steps[0])
    late = of_organisations(organisations, term.grace_until + DAY)[0].answer
    assert not late.steps[0].met
    assert "and the time to renew it on" in summary(late)


def test_a_cancelled_term_ends_on_its_last_day(term: Term) -> None:
    term.cancellations.create()
    assert shown(term.ends_at - DAY)
    assert not shown(term.ends_at)
    assert not of_organisations(Organisation.objects.all(), term.ends_at)[0].answer.steps[0].met
    renewals.lapse_all(at=term.ends_at)
    assert Application.objects.get().state == "lapsed"
    assert notices() == []  # who cancelled has a letter of its own


def test_a_late_payment_brings_everything_back_from_its_day(term: Term) -> None:
    application = ordered(term, term.ends_at - DAY)
    renewals.lapse_all(at=term.grace_until)
    paid_at = term.grace_until + 40 * DAY
    # the ledger books nothing in the future: play it in the past instead
    shift = paid_at - timezone.now() + DAY
    Term.objects.update(
        starts_at=term.starts_at - shift,
        ends_at=term.ends_at - shift,
        grace_until=term.grace_until - shift,
    )
    first = term.order
    first.paid_at = first.paid_at - shift if first.paid_at else None
    first.save()
    new = pay(application, paid_at - shift)
    assert new.starts_at == paid_at - shift
    assert shown(timezone.now())
    assert Application.objects.get(pk=application.pk).state == "active"


def test_a_refunded_renewal_leaves_no_grace(term: Term, erin: User) -> None:
    new = renewed(term, timezone.now())
    order = new.order
    settle_order(
        order=record_offline_refund(
            actor=erin, order=order, amount=order.amount, statement_ref="r/1", at=timezone.now()
        )
    )
    term.refresh_from_db()
    assert shown(term.ends_at - DAY)
    assert not shown(term.ends_at)


# --- places ---


def test_a_renewer_keeps_the_place_until_the_end_of_the_grace(term: Term, frank: User) -> None:
    Tier.objects.update(capacity=1)
    tier = next_years_gold(frank)
    other = make_draft(tier, legal_name="Other Ltd", vat_number="", country="US")
    with pytest.raises(TierFullError):
        submit_application(actor=None, application=other, at=term.grace_until - DAY)
    assert places_left(tier, term.grace_until) == 1
    assert ordered(term, timezone.now(), tier).state == "payment"
    assert places_left(tier) == 0


def test_only_owner_and_billing_renew(term: Term, bob: User, client_for: SignIn) -> None:
    assert client_for(bob).get(f"/organisation/acme/terms/{term.pk}/renew/").status_code == 404
