"""Another tier for an organisation: beside what it holds, in its place, or at the renewal."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.money import Money
from portal.members.models import Organisation, Term
from portal.members.terms import add_months
from portal.payments.actions.refund import record_offline_refund
from portal.sponsors.actions.settlement import settle_order
from portal.sponsors.models import Application
from portal.sponsors.supporters import supporters
from portal.sponsors.tests.renewing import DAY, pay, renewed, supported_since
from tests.shared import shared
from tests.supporters import make_tier

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]
PATH = "/organisation/acme/tiers/"


@shared
def silver() -> Term:
    """One that has half of its year to go."""
    tier = make_tier("silver", rank=3, price=Money(5_000_00, "EUR"))
    since = timezone.now() - (add_months(timezone.now(), 6) - timezone.now())
    return supported_since(since, tier)


def chosen(client: Client, key: str) -> Application:
    answer = client.post(PATH, {"tier": key}, follow=True)
    path = answer.redirect_chain[-1][0]
    assert path.endswith("/payment/")
    client.post(path, {"pays_by": "invoice"})
    return Application.objects.get(state="payment")


def test_a_larger_tier_takes_the_place_of_the_old_one_and_is_longer_for_it(
    silver: Term, alice: User, erin: User, client_for: SignIn
) -> None:
    make_tier("gold", price=Money(10_000_00, "EUR"))
    client = client_for(alice)
    assert "takes the place of Silver" in client.get(PATH).content.decode()
    application = chosen(client, "gold-2026")
    assert application.replaces == silver
    gold = pay(application, timezone.now())
    silver.refresh_from_db()
    assert (silver.ended_at, silver.end_reason) == (gold.starts_at, "upgraded")
    extra = gold.ends_at - add_months(gold.starts_at, 12)
    assert 85 * DAY < extra < 97 * DAY  # half of a year at half of the price
    assert [supporter.tier for supporter in supporters(timezone.now())] == ["Gold"]
    order = gold.order
    about = {"actor": erin, "order": order, "amount": order.amount, "at": timezone.now()}
    settle_order(order=record_offline_refund(**about, statement_ref="r/1"))  # type: ignore[arg-type]
    silver.refresh_from_db()
    assert silver.ended_at is None
    assert [supporter.tier for supporter in supporters(timezone.now())] == ["Silver"]


def test_a_tier_of_another_kind_runs_beside(silver: Term, alice: User, client_for: SignIn) -> None:
    make_tier("patron", member=False)
    application = chosen(client_for(alice), "patron-2026")
    patron = pay(application, timezone.now())
    assert patron.line != silver.line
    assert Term.objects.active_on(timezone.now()).count() == 2
    assert Organisation.objects.count() == 1


def test_a_larger_tier_that_excludes_what_is_held_takes_its_place_whatever_its_kind(
    alice: User, client_for: SignIn
) -> None:
    sponsor = make_tier("silver", member=False, rank=3, price=Money(5_000_00, "EUR"))
    silver = supported_since(timezone.now() - 30 * DAY, sponsor)
    gold = make_tier("gold", price=Money(10_000_00, "EUR"))
    gold.conflicts.set([sponsor])
    client = client_for(alice)
    assert "takes the place of Silver" in client.get(PATH).content.decode()
    assert pay(chosen(client, "gold-2026"), timezone.now()).line == silver.line
    assert [supporter.tier for supporter in supporters(timezone.now())] == ["Gold"]


def test_what_was_renewed_before_its_end_is_held_as_before(alice: User, client_for: SignIn) -> None:
    silver = make_tier("silver", rank=3, price=Money(5_000_00, "EUR"))
    patron = make_tier("patron", member=False, rank=9)
    gold = make_tier("gold", price=Money(10_000_00, "EUR"))
    patron.conflicts.set([silver])
    term = supported_since(timezone.now() - 330 * DAY, silver)
    later = renewed(term, timezone.now())
    client = client_for(alice)
    page = client.get(PATH).content.decode()
    assert "you have it" in page
    assert "at the renewal" in page
    assert "beside what you have" not in page
    bought = pay(chosen(client, gold.key), timezone.now())
    later.refresh_from_db()
    assert later.end_reason == "upgraded"
    assert bought.line == later.line
    extra = bought.ends_at - add_months(bought.starts_at, 12)
    assert extra > 180 * DAY, "a year and a month of half the price"


def test_a_smaller_tier_that_excludes_what_is_held_waits_too(
    silver: Term, alice: User, client_for: SignIn
) -> None:
    small = make_tier("friend", member=False, rank=9)
    small.conflicts.set([silver.tier])
    client = client_for(alice)
    assert "at the renewal" in client.get(PATH).content.decode()
    assert "choose it at the renewal" in client.post(PATH, {"tier": "friend-2026"}).content.decode()


def test_the_choice_is_changed_where_it_was_made(
    silver: Term, alice: User, client_for: SignIn
) -> None:
    make_tier("gold", price=Money(10_000_00, "EUR"))
    make_tier("bronze", rank=9, price=Money(1_000_00, "EUR"))
    client = client_for(alice)
    client.post(PATH, {"tier": "gold-2026"})
    draft = Application.objects.get(state="draft")
    answer = client.post(f"/join/{draft.reference}/tier/", {"tier": "bronze-2026"})
    assert answer["Location"] == PATH
    draft.refresh_from_db()
    assert draft.tier.slug == "gold"


def test_a_smaller_tier_waits_for_the_renewal(
    silver: Term, alice: User, client_for: SignIn
) -> None:
    make_tier("bronze", rank=9, price=Money(1_000_00, "EUR"))
    client = client_for(alice)
    for key in ("bronze-2026", "silver-2026"):
        page = client.post(PATH, {"tier": key}).content.decode()
        assert "choose it at the renewal" in page
    assert Application.objects.count() == 1
