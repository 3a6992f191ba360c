"""The first page of an organisation: what it bought, until when, what comes next."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.accounts.roles import Role, Scope
from portal.members.actions.benefit import use_benefit
from portal.members.actions.term import end_term
from portal.members.actions.tier import save_tier
from portal.members.models import Benefit, Organisation, Term
from portal.members.models.benefit import BenefitKind
from portal.members.rights import RIGHTS, Part
from portal.members.tests.people import DAY, YEAR, make_organisation, make_term, make_tier
from portal.payments.tests.factories import make_subscription
from tests.cast import make_person, sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]

# One address for each part of the rights, and who is let in.
ADDRESSES = {
    Part.OVERVIEW: ("", {"owner", "billing", "technical", "marketing"}),
    Part.LETTERS: ("letters/", {"owner", "billing", "technical", "marketing"}),
    Part.MONEY: ("invoices/", {"owner", "billing"}),
    Part.PROFILE: ("logo/", {"owner", "marketing"}),
    Part.WHOLE: ("contacts/", {"owner"}),
}


@shared
def acme(alice: User) -> Organisation:
    return make_organisation(owner=alice)


@shared
def term(acme: Organisation) -> Term:
    return make_term(acme, make_tier(), timezone.now() - DAY)


@pytest.fixture
def page(term: Term, alice: User, client_for: SignIn) -> Callable[[], str]:
    client = client_for(alice)

    def shown() -> str:
        return client.get("/organisation/acme/").content.decode()

    return shown


def subscribe(term: Term, *, ends: bool = False) -> None:
    now = timezone.now()
    term.order.subscription = make_subscription(
        current_period_start=now - DAY, current_period_end=now + YEAR, cancel_at_period_end=ends
    )
    term.order.save()


def test_a_term_without_subscription_ends_unless_it_is_renewed(page: Callable[[], str]) -> None:
    assert "unless you renew it; no money is taken by itself" in page()


def test_a_subscription_renews_by_itself_and_says_for_how_much(
    term: Term, page: Callable[[], str]
) -> None:
    subscribe(term)
    assert "It renews by itself on" in page()
    assert str(term.order.subscription and term.order.subscription.price) in page()


def test_what_is_charged_is_the_business_of_owner_and_billing_alone(
    term: Term, client_for: SignIn
) -> None:
    subscribe(term)
    assert term.order.subscription is not None
    mara = make_person("mara", (Role.MARKETING, Scope.ORGANISATION, "acme"))
    seen = client_for(mara).get("/organisation/acme/").content.decode()
    assert "It renews by itself on" in seen
    assert str(term.order.subscription.price) not in seen
    assert str(term.price) not in seen


def test_a_cancelled_subscription_says_that_no_more_money_is_taken(
    term: Term, page: Callable[[], str]
) -> None:
    subscribe(term, ends=True)
    assert "You cancelled: it ends on" in page()


def test_benefits_show_what_is_left_for_what_and_until_when(
    acme: Organisation, erin: User, alice: User, client_for: SignIn
) -> None:
    tier = make_tier()
    tickets = Benefit(kind=BenefitKind.TICKETS, quantity=3, months_to_use=6)
    save_tier(actor=None, tier=tier, benefits=[tickets])
    entitlement = make_term(acme, tier, timezone.now() - DAY).entitlements.get()
    client = client_for(alice)
    use_benefit(actor=erin, entitlement=entitlement, quantity=2, note="Spring", at=timezone.now())
    shown = client.get("/organisation/acme/").content.decode()
    for part in ("Not used yet: 3 tickets", "2 / 3", "Spring"):
        assert part in shown
    use_benefit(actor=erin, entitlement=entitlement, quantity=1, note="Autumn", at=timezone.now())
    assert "Not used yet" not in client.get("/organisation/acme/").content.decode()


def test_terms_of_other_times_are_listed_with_what_became_of_them(
    acme: Organisation, page: Callable[[], str]
) -> None:
    now = timezone.now()
    tier = make_tier("silver")
    make_term(acme, tier, now - 2 * YEAR)
    make_term(acme, tier, now + YEAR)
    refunded = make_term(acme, tier, now - timedelta(days=20))
    end_term(term=refunded, at=now, reason="refunded")
    shown = page()
    for word in ("over", "begins later", "refunded"):
        assert word in shown


def test_prices_are_for_those_who_handle_the_money(term: Term, acme: Organisation) -> None:
    person = make_person("marketing", (Role.MARKETING, Scope.ORGANISATION, "acme"))
    shown = sign_in(person).get("/organisation/acme/").content.decode()
    assert "Gold" in shown
    assert str(term.price) not in shown


@pytest.mark.parametrize("role", ["owner", "billing", "technical", "marketing"])
def test_each_contact_opens_the_pages_of_its_part_alone(term: Term, role: str) -> None:
    person = make_person(f"{role}-person", (Role(role), Scope.ORGANISATION, "acme"))
    client = sign_in(person)
    overview = client.get("/organisation/acme/").content.decode()
    for part, (path, roles) in ADDRESSES.items():
        opens = client.get(f"/organisation/acme/{path}").status_code == 200
        assert opens == (role in roles), part
        assert {held.value for held in RIGHTS[part]} == roles
        assert (f'href="/organisation/acme/{path}"' in overview) == opens, part
