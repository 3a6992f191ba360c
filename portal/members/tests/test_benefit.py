"""Benefits are used one by one under a lock, taken back, and read by the organisation."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.models import AuditEntry
from portal.members.actions.benefit import (
    NothingLeftError,
    TakenBackError,
    take_use_back,
    use_benefit,
)
from portal.members.models import BenefitUse, Entitlement
from portal.members.tests.people import DAY, make_organisation, make_term, make_tier
from tests.cast import sign_in
from tests.shared import shared


@shared
def tickets(alice: User) -> Entitlement:
    """Four of them, to be used within ninety days."""
    now = timezone.now()
    term = make_term(make_organisation(owner=alice), make_tier(), now)
    return term.entitlements.create(kind="tickets", quantity=4, use_by=now + 90 * DAY)


def page_of(tickets: Entitlement) -> str:
    return f"/staff/organisations/acme/benefits/{tickets.pk}/"


def text(answer: Any) -> str:
    return str(answer.content.decode())


@pytest.mark.django_db
def test_staff_record_a_use_and_take_it_back(
    tickets: Entitlement, alice: User, frank: User
) -> None:
    staff, owner = sign_in(frank), sign_in(alice)
    page = page_of(tickets)
    assert "Recorded" in text(
        staff.post(page, {"quantity": "3", "note": "Conference"}, follow=True)
    )
    assert "3 / 4" in text(owner.get("/organisation/acme/benefits/"))
    assert "Conference" in text(owner.get("/organisation/acme/"))
    refused = text(staff.post(page, {"quantity": "2", "note": "Dinner"}))
    assert "Only 1 is left." in refused
    assert "Dinner" in refused
    use = BenefitUse.objects.get()
    back = f"/staff/organisations/acme/uses/{use.pk}/take-back/"
    assert "it is left again" in text(staff.post(back, follow=True))
    assert "taken back already" in text(staff.post(back, follow=True))
    own = text(owner.get("/organisation/acme/benefits/"))
    assert "0 / 4" in own
    assert "(taken back)" in own
    verbs = AuditEntry.objects.filter(verb__startswith="benefit.").order_by("pk")
    assert list(verbs.values_list("verb", "actor__name")) == [
        ("benefit.use", "Frank"),
        ("benefit.take_back", "Frank"),
    ]


@pytest.mark.django_db
def test_what_is_left_is_counted_without_what_was_taken_back(
    tickets: Entitlement, frank: User
) -> None:
    now = timezone.now()
    use = use_benefit(actor=frank, entitlement=tickets, quantity=4, note="", at=now)
    assert not Entitlement.objects.open_on(now).filter(pk=tickets.pk).exists()
    with pytest.raises(NothingLeftError):
        use_benefit(actor=frank, entitlement=tickets, quantity=1, note="", at=now)
    take_use_back(actor=frank, use=use, at=now)
    with pytest.raises(TakenBackError):
        take_use_back(actor=frank, use=use, at=now)
    assert Entitlement.objects.open_on(now).get(pk=tickets.pk).left == 4
    with pytest.raises(IntegrityError), transaction.atomic():
        BenefitUse.objects.filter(pk=use.pk).update(taken_back_by=None)


@pytest.mark.django_db
def test_a_benefit_whose_time_is_over_takes_no_use(tickets: Entitlement, frank: User) -> None:
    Entitlement.objects.filter(pk=tickets.pk).update(use_by=timezone.now())
    page = text(sign_in(frank).post(page_of(tickets), {"quantity": "1", "note": ""}))
    assert "Its time is over" in page
    assert not BenefitUse.objects.exists()


@pytest.mark.django_db
def test_an_organisation_without_a_term_is_told_what_will_be_there(alice: User) -> None:
    make_organisation(owner=alice)
    assert "Nothing was bought yet" in text(sign_in(alice).get("/organisation/acme/benefits/"))


@pytest.mark.django_db(transaction=True)
def test_two_members_of_the_staff_cannot_use_the_same_twice(
    tickets: Entitlement, frank: User
) -> None:
    outcome: list[str] = []
    together = threading.Barrier(3)

    def take() -> None:
        together.wait()
        try:
            use_benefit(actor=frank, entitlement=tickets, quantity=2, note="", at=timezone.now())
            outcome.append("used")
        except NothingLeftError:
            outcome.append("nothing left")
        finally:
            connection.close()

    threads = [threading.Thread(target=take) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcome) == ["nothing left", "used", "used"]
