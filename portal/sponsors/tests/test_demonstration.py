from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from portal import demonstration
from portal.accounts import demonstration as people
from portal.accounts.roles import Role, Scope, has_role
from portal.lib.models import AuditEntry
from portal.members.models import Organisation
from portal.payments.models import LedgerEntry
from portal.sponsors import demonstration as supporters
from portal.sponsors.actions.renewal import begin_renewal
from tests.cast import PASSWORD
from tests.shared import shared

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _demonstration(settings: Any) -> None:
    settings.DEMONSTRATION = True
    settings.DEMONSTRATION_PASSWORD = PASSWORD


@shared
def loaded(_demonstration: None) -> None:
    from portal.members import demonstration as offer

    at = demonstration._first_loaded()
    people.load(actor=None, at=at)
    load_again(offer.load, supporters.load)


def load_again(*loads: Any) -> None:
    for load in loads:
        load(actor=people.person(people.FRANK), at=demonstration._first_loaded())


def test_twelve_supporters_with_drawn_logos_are_shown(loaded: None, client: Client) -> None:
    shown = Organisation.objects.supported(timezone.now())
    assert shown.count() == 12
    assert all(organisation.logo for organisation in shown)
    page = client.get("/supporters/").content.decode()
    assert all(company.name in page for company in supporters.COMPANIES)
    wall = client.get("/supporters/wall.svg").content.decode()
    assert wall.count("<g>") >= 12


def test_alice_owns_the_first_of_them(loaded: None) -> None:
    slug = Organisation.objects.get(name="Northwind Data").slug
    assert has_role(
        people.person(people.ALICE),
        Role.OWNER,
        scope_kind=Scope.ORGANISATION,
        scope_slug=slug,
    )


def test_loading_again_leaves_what_a_visitor_began_for_a_company(loaded: None) -> None:
    northwind = Organisation.objects.get(name="Northwind Data")
    begun = begin_renewal(
        actor=people.person(people.ALICE),
        term=northwind.terms.get(),
        tier=northwind.terms.get().tier,
        currency="EUR",
        at=timezone.now(),
    )
    load_again(supporters.load)
    begun.refresh_from_db()
    assert begun.state == "draft"


def test_loading_again_changes_nothing(loaded: None) -> None:
    before = AuditEntry.objects.count(), LedgerEntry.objects.count()
    load_again(supporters.load)
    assert (AuditEntry.objects.count(), LedgerEntry.objects.count()) == before
