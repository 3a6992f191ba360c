"""An owner offers, the other accepts in time, and owns alone; every step is on record."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.accounts.roles import Role, Scope, has_role
from portal.lib.models import AuditEntry, OutboxMail
from portal.members.actions.transfer import (
    NotOpenError,
    NotOwnerError,
    OfferOpenError,
    OwnAddressError,
    accept_transfer,
    decline_transfer,
    expire_transfers,
    offer_transfer,
    withdraw_transfer,
)
from portal.members.electorate import eligible_voters
from portal.members.models import Organisation, Transfer
from portal.members.tests.people import (
    DAY,
    letters,
    make_organisation,
    make_secured,
    make_term,
    make_tier,
)
from portal.tasks import tend_organisations
from tests.cast import sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def acme(alice: User) -> Organisation:
    return make_organisation(owner=alice)


@shared
def tom() -> User:
    return make_secured("tom")


def offer(
    acme: Organisation, actor: User, *, stays_as: str = "", at: datetime | None = None
) -> Transfer:
    return offer_transfer(
        actor=actor,
        organisation=acme,
        name="Tom",
        email="tom@example.org",
        stays_as=stays_as,
        at=at or timezone.now(),
    )


def holds(user: User, role: Role) -> bool:
    return has_role(user, role, scope_kind=Scope.ORGANISATION, scope_slug="acme")


def test_the_other_accepts_and_owns_it_alone(acme: Organisation, alice: User, tom: User) -> None:
    transfer = offer(acme, alice)
    assert letters(tom.email) == ["Acme is offered to you"]
    accept_transfer(user=tom, transfer=transfer, at=timezone.now())
    assert holds(tom, Role.OWNER)
    assert not holds(alice, Role.OWNER)
    assert [contact.user for contact in acme.contacts.all()] == [tom]
    assert letters(alice.email) == ["Acme has another owner now"]
    verbs = AuditEntry.objects.filter(verb__startswith="transfer.").order_by("pk")
    assert list(verbs.values_list("verb", flat=True)) == ["transfer.offer", "transfer.accepted"]


def test_the_former_owner_may_stay_in_another_role(
    acme: Organisation, alice: User, tom: User
) -> None:
    accept_transfer(user=tom, transfer=offer(acme, alice, stays_as="billing"), at=timezone.now())
    assert holds(alice, Role.BILLING)
    assert not holds(alice, Role.OWNER)
    assert set(acme.contacts.values_list("user__name", "role")) == {
        ("Tom", "owner"),
        ("Alice", "billing"),
    }
    told = OutboxMail.objects.get(recipient=alice.email).text
    assert "You stay with it: Billing contact." in told


def test_an_owner_by_grant_alone_may_stay_too(alice: User, tom: User) -> None:
    acme = make_organisation()  # alice has the role, and is no contact
    accept_transfer(user=tom, transfer=offer(acme, alice, stays_as="technical"), at=timezone.now())
    assert holds(alice, Role.TECHNICAL)
    assert acme.contacts.filter(role="technical", user=alice).exists()


def test_who_has_that_role_already_keeps_one_contact(
    acme: Organisation, alice: User, tom: User
) -> None:
    acme.contacts.create(role="billing", name="Alice", email=alice.email, user=alice)
    accept_transfer(user=tom, transfer=offer(acme, alice, stays_as="billing"), at=timezone.now())
    assert acme.contacts.filter(user=alice).count() == 1


def test_the_vote_goes_over_with_the_organisation(
    acme: Organisation, alice: User, tom: User
) -> None:
    make_term(acme, make_tier(), timezone.now())
    accept_transfer(user=tom, transfer=offer(acme, alice), at=timezone.now())
    [candidate] = eligible_voters(timezone.now())
    assert candidate.answer.voter == tom.pk


def test_an_offer_expires(acme: Organisation, alice: User, tom: User) -> None:
    start = timezone.now() - 15 * DAY
    transfer = offer(acme, alice, at=start)
    for act in (accept_transfer, decline_transfer):
        with pytest.raises(NotOpenError):
            act(user=tom, transfer=transfer, at=timezone.now())
    offer(acme, alice)
    transfer.refresh_from_db()
    assert transfer.state == "expired"


def test_one_offer_at_a_time(acme: Organisation, alice: User) -> None:
    transfer = offer(acme, alice)
    with pytest.raises(OfferOpenError):
        offer(acme, alice)
    withdraw_transfer(actor=alice, transfer=transfer, at=timezone.now())
    assert letters("tom@example.org")[-1] == "The offer of Acme was taken back"
    offer(acme, alice)
    with pytest.raises(IntegrityError), transaction.atomic():
        Transfer.objects.update(state="offered")


def test_only_the_named_person_answers(
    acme: Organisation, alice: User, tom: User, bob: User
) -> None:
    transfer = offer(acme, alice)
    for act in (accept_transfer, decline_transfer):
        with pytest.raises(NotOpenError):
            act(user=bob, transfer=transfer, at=timezone.now())
    decline_transfer(user=tom, transfer=transfer, at=timezone.now())
    with pytest.raises(NotOpenError):
        accept_transfer(user=tom, transfer=transfer, at=timezone.now())
    assert letters(alice.email) == ["Tom declined to own Acme"]
    assert holds(alice, Role.OWNER)


def test_who_owns_it_no_longer_cannot_give_it_away(
    acme: Organisation, alice: User, tom: User, bob: User
) -> None:
    with pytest.raises(NotOwnerError):
        offer(acme, bob)
    transfer = offer(acme, alice)
    with pytest.raises(NotOwnerError):
        withdraw_transfer(actor=bob, transfer=transfer, at=timezone.now())
    alice.role_grants.update(until=timezone.now())
    with pytest.raises(NotOwnerError):
        accept_transfer(user=tom, transfer=transfer, at=timezone.now())
    assert not holds(tom, Role.OWNER)


def test_nobody_transfers_to_themselves(acme: Organisation, alice: User) -> None:
    with pytest.raises(OwnAddressError):
        offer_transfer(
            actor=alice,
            organisation=acme,
            name="Me",
            email="ALICE@example.org",
            stays_as="",
            at=timezone.now(),
        )


# --- pages ---


def text(client: Client, path: str, data: dict[str, str] | None = None) -> str:
    answer = client.post(path, data, follow=True) if data else client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


PAGE = "/organisation/acme/transfer/"
TOM = {"name": "Tom", "email": "tom@example.org", "stays_as": ""}


def test_from_offer_to_acceptance_on_the_pages(acme: Organisation, alice: User, tom: User) -> None:
    owner, other = sign_in(alice), sign_in(tom)
    assert "your own address" in text(owner, PAGE, {**TOM, "email": alice.email})
    assert "Offered to Tom" in text(owner, PAGE, TOM)
    assert "Another offer is open" in owner.post(PAGE, TOM).content.decode()
    assert "The offer is taken back" in text(owner, f"{PAGE}withdraw/", {"x": "y"})
    assert "No offer is open" in text(owner, f"{PAGE}withdraw/", {"x": "y"})
    text(owner, PAGE, TOM)
    assert "Acme is offered to you" in text(other, "/organisation/")
    path = f"/organisation/transfers/{Transfer.objects.all()[0].pk}/"
    assert "Declined" in text(other, f"{path}decline/", {"x": "y"})
    text(owner, PAGE, TOM)
    path = f"/organisation/transfers/{Transfer.objects.all()[0].pk}/"
    assert "You own Acme now" in text(other, f"{path}accept/", {"x": "y"})
    assert "withdrawn" in text(other, PAGE)
    assert owner.get(PAGE).status_code == 404


def test_an_offer_that_does_not_stand_any_more_is_told(
    acme: Organisation, alice: User, tom: User
) -> None:
    transfer = offer(acme, alice)
    alice.role_grants.update(until=timezone.now())
    path = f"/organisation/transfers/{transfer.pk}/accept/"
    assert "does not stand any more" in text(sign_in(tom), path, {"x": "y"})


def test_offering_asks_for_a_fresh_proof_of_who_one_is(acme: Organisation, alice: User) -> None:
    client = sign_in(alice)
    session = client.session
    session["account_authentication_methods"] = [{"method": "mfa", "at": 1.0}]
    session.save()
    answer = client.post(PAGE, TOM)
    assert answer.status_code == 302
    assert "reauthenticate" in answer["Location"] or "2fa" in answer["Location"]
    assert not Transfer.objects.exists()


def test_an_offer_that_nobody_answers_ends_and_its_owner_is_told_once(
    acme: Organisation, alice: User, tom: User
) -> None:
    transfer = offer(acme, alice)
    assert expire_transfers(at=transfer.expires_at - DAY) == 0
    assert expire_transfers(at=transfer.expires_at) == 1
    assert expire_transfers(at=transfer.expires_at) == 0
    assert letters(alice.email) == ["Tom did not answer: Acme stays yours"]
    transfer.refresh_from_db()
    assert (transfer.state, transfer.decided_at) == ("expired", transfer.expires_at)
    with pytest.raises(NotOpenError):
        accept_transfer(user=tom, transfer=transfer, at=transfer.expires_at)


def test_a_new_offer_tells_of_the_one_that_ended(acme: Organisation, alice: User) -> None:
    first = offer(acme, alice)
    offer(acme, alice, at=first.expires_at)
    assert letters(alice.email) == ["Tom did not answer: Acme stays yours"]


def test_the_worker_ends_what_is_over(acme: Organisation, alice: User) -> None:
    offer(acme, alice, at=timezone.now() - 20 * DAY)
    tend_organisations()
    assert Transfer.objects.get().state == "expired"
