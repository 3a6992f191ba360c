"""The catalogue: staff write tiers, prices and benefits, and copy a year into the next."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.money import Money
from portal.members.actions.benefit import NothingLeftError, TooLateError, use_benefit
from portal.members.actions.term import end_term
from portal.members.actions.tier import define_kind, offer_year, save_tier, sentences
from portal.members.models import Benefit, BenefitKind, Entitlement, SupporterKind, Tier
from portal.members.terms import add_months
from portal.members.tests.people import make_organisation, make_term, make_tier

pytestmark = pytest.mark.django_db
TICKETS = Benefit(kind=BenefitKind.TICKETS, quantity=3, months_to_use=6)


@pytest.fixture
def staff(frank: User, client_for: Callable[[User], Client]) -> Client:
    return client_for(frank)


def make_kind() -> SupporterKind:
    return define_kind(
        actor=None, slug="sponsor", name="sponsor", plural="sponsors", takes_part=False
    )


def sent(**more: Any) -> dict[str, Any]:
    """The form as a browser sends it, with one benefit and two empty rows."""
    kind = make_kind()
    return {
        "name": "Bronze",
        "slug": "bronze",
        "year": 2031,
        "kind": kind.pk,
        "rank": 4,
        "logo_size": "low",
        "months": 12,
        "price_EUR": "1250.50",
        "price_JPY": "90000",
        "benefits-TOTAL_FORMS": 3,
        "benefits-INITIAL_FORMS": 0,
        "benefits-0-kind": "tickets",
        "benefits-0-quantity": 2,
        "benefits-0-text": "",
        "benefits-0-months_to_use": 6,
        "benefits-0-is_included": "on",
        "benefits-1-kind": "text",
        "benefits-1-is_included": "on",
        "benefits-2-kind": "text",
        "benefits-2-is_included": "on",
        **more,
    }


def test_staff_write_a_tier_with_prices_and_benefits(staff: Client) -> None:
    answer = staff.post("/staff/tiers/new/", sent(is_offered="on"))
    assert answer.status_code == 302, answer.content.decode()
    tier = Tier.objects.get(slug="bronze")
    assert tier.price("EUR") == Money(1250_50, "EUR")
    assert tier.price("JPY") == Money(90_000, "JPY")
    assert [str(benefit) for benefit in tier.benefits.all()] == ["2 tickets"]
    page = staff.get("/staff/tiers/?year=2031").content.decode()
    for words in ("Bronze", "1,250.50", "90,000", "2 tickets", "on offer"):
        assert words in page


def test_what_is_wrong_is_told_and_nothing_is_lost(staff: Client) -> None:
    wrong = sent(is_offered="on", price_EUR="-500", price_JPY="1.5", **{"benefits-0-quantity": ""})
    page = staff.post("/staff/tiers/new/", wrong).content.decode()
    for words in ("greater than or equal to 1", "no more than 0 decimal", "How many?", "Bronze"):
        assert words in page
    assert not Tier.objects.filter(slug="bronze").exists()
    priceless = staff.post("/staff/tiers/new/", sent(is_offered="on", price_EUR="", price_JPY=""))
    assert "Give it a price" in priceless.content.decode()
    wordless = {"benefits-0-kind": "text", "benefits-0-quantity": ""}
    assert "Say in words" in staff.post("/staff/tiers/new/", sent(**wordless)).content.decode()


def test_a_benefit_is_taken_out_and_a_price_withdrawn(staff: Client) -> None:
    tier = make_tier("gold", seats=2)
    path = f"/staff/tiers/{tier.pk}/"
    assert 'value="100' in staff.get(path).content.decode()
    gone = {"benefits-0-kind": "seats", "benefits-0-DELETE": "on", "price_EUR": ""}
    kept = {"benefits-1-text": "A badge", "benefits-INITIAL_FORMS": 1}
    answer = staff.post(path, sent(**gone, **kept))
    assert answer.status_code == 302, answer.content.decode()
    assert [str(benefit) for benefit in tier.benefits.all()] == ["A badge"]
    assert [price.currency for price in tier.prices.all()] == ["JPY"]


def test_a_year_is_copied_reviewed_and_offered(staff: Client) -> None:
    gold, silver = make_tier("gold", year=2026), make_tier("silver", year=2026)
    save_tier(actor=None, tier=gold, benefits=[*sentences("A badge"), TICKETS], conflicts=[silver])
    staff.post("/staff/tiers/2026/clone/", {"year": "2027"})
    copy = Tier.objects.get(slug="gold", year=2027)
    assert not copy.is_offered
    assert copy.price("EUR") == gold.price("EUR")
    assert [str(benefit) for benefit in copy.benefits.all()] == ["A badge", "3 tickets"]
    assert [str(tier) for tier in copy.conflicts.all()] == ["Silver 2027"]
    assert "Gold 2027" not in staff.get("/join/").content.decode()
    again = staff.post("/staff/tiers/2026/clone/", {"year": "2027"}, follow=True)
    assert "has tiers already" in again.content.decode()
    staff.post("/staff/tiers/2027/offer/", {"tier": [copy.pk]})
    assert [str(tier) for tier in Tier.objects.offered()] == ["Gold 2027"]
    nonsense = staff.post("/staff/tiers/2027/clone/", {"year": "soon"}, follow=True)
    assert "Give a year" in nonsense.content.decode()


def test_a_tier_without_a_price_is_not_offered(staff: Client) -> None:
    tier = make_tier("gold", year=2026)
    save_tier(actor=None, tier=tier, prices=[])
    page = staff.post("/staff/tiers/2026/offer/", {"tier": tier.pk}, follow=True).content.decode()
    assert "Gold 2026 has no price yet" in page


def test_tiers_are_kept_by_staff_alone(
    charlie: User, client_for: Callable[[User], Client], frank: User
) -> None:
    assert client_for(charlie).get("/staff/tiers/").status_code == 403
    assert "No tier yet" in client_for(frank).get("/staff/tiers/").content.decode()
    offer_year(actor=frank, year=2040, tiers=[])


def bought(months: int | None = 6) -> Entitlement:
    tier = make_tier()
    benefit = Benefit(kind=BenefitKind.TICKETS, quantity=3, months_to_use=months)
    save_tier(actor=None, tier=tier, benefits=[benefit, *sentences("No vote", included=False)])
    term = make_term(make_organisation(), tier, timezone.now() - timedelta(days=1))
    return term.entitlements.get()


def test_a_term_keeps_its_benefits_with_their_deadlines() -> None:
    entitlement = bought()
    assert entitlement.use_by == add_months(entitlement.term.starts_at, 6)
    save_tier(actor=None, tier=entitlement.term.tier, benefits=[])
    assert entitlement.term.benefits == ["3 tickets"]


def test_a_benefit_is_used_up_and_not_more(erin: User) -> None:
    entitlement, now = bought(), timezone.now()
    use_benefit(actor=erin, entitlement=entitlement, quantity=2, note="Spring", at=now)
    with pytest.raises(NothingLeftError) as told:
        use_benefit(actor=erin, entitlement=entitlement, quantity=2, note="Autumn", at=now)
    assert told.value.left == 1
    assert Entitlement.objects.with_used().get().left == 1
    assert Entitlement.objects.open_on(now).exists()
    use_benefit(actor=erin, entitlement=entitlement, quantity=1, note="Autumn", at=now)
    assert not Entitlement.objects.open_on(now).exists()


def test_a_benefit_is_not_used_after_its_time_or_its_term(erin: User) -> None:
    entitlement, now = bought(), timezone.now()
    late = entitlement.use_by
    for at in (late, late + timedelta(days=1)):
        with pytest.raises(TooLateError):
            use_benefit(actor=erin, entitlement=entitlement, quantity=1, note="", at=at)
    end_term(term=entitlement.term, at=now, reason="refunded")
    with pytest.raises(TooLateError):
        use_benefit(actor=erin, entitlement=entitlement, quantity=1, note="", at=now)


def test_the_database_refuses_a_benefit_that_gives_nothing() -> None:
    tier = make_tier(seats=0)
    with pytest.raises(IntegrityError, match="benefit_has_words"):
        Benefit.objects.create(tier=tier, kind=BenefitKind.TEXT)
