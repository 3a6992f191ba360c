"""The owner names contacts; each sees and does its part only."""

from __future__ import annotations

import pytest
from django.test import Client

from portal.accounts.models import User
from portal.accounts.roles import Role, Scope, has_role
from portal.lib.models import AuditEntry
from portal.members.actions.contact import (
    ContactExistsError,
    LastOwnerError,
    change_contact,
    decline_contact,
    invite_contact,
    remove_contact,
    take_contact,
)
from portal.members.actions.logo import keep_logo
from portal.members.models import Contact, Organisation
from portal.members.pictures import check
from portal.members.tests.people import (
    letters,
    make_organisation,
    make_secured,
)
from tests.cast import sign_in
from tests.shared import shared
from tests.supporters import LOGO

pytestmark = pytest.mark.django_db


@shared
def acme(alice: User) -> Organisation:
    """Alice owns it and is its owner contact."""
    return make_organisation(owner=alice)


def invite(
    acme: Organisation, actor: User, role: Role = Role.BILLING, email: str = "tom@example.org"
) -> Contact:
    return invite_contact(actor=actor, organisation=acme, role=role, name="Tom", email=email)


def holds(user: User, *roles: Role) -> bool:
    return has_role(user, *roles, scope_kind=Scope.ORGANISATION, scope_slug="acme")


@shared
def tom() -> User:
    return make_secured("tom")


def test_an_invited_person_gets_a_letter_and_takes_the_role(
    acme: Organisation, alice: User, tom: User
) -> None:
    contact = invite(acme, alice)
    assert letters(tom.email) == ["Acme names you as contact"]
    assert not holds(tom, Role.BILLING)
    take_contact(user=tom, contact=contact)
    assert holds(tom, Role.BILLING)
    with pytest.raises(ContactExistsError):
        invite(acme, alice, email="TOM@example.org")


def test_another_role_takes_the_place_of_the_one_before(
    acme: Organisation, alice: User, tom: User
) -> None:
    contact = invite(acme, alice)
    take_contact(user=tom, contact=contact)
    change_contact(actor=alice, contact=contact, role=Role.TECHNICAL, name="Tom", email=tom.email)
    assert holds(tom, Role.TECHNICAL)
    assert not holds(tom, Role.BILLING)
    assert len(letters(tom.email)) == 1, "it is the same person: no new invitation"


def test_another_address_is_another_person(acme: Organisation, alice: User, tom: User) -> None:
    contact = invite(acme, alice)
    take_contact(user=tom, contact=contact)
    change_contact(
        actor=alice, contact=contact, role=Role.BILLING, name="Uma", email="uma@example.org"
    )
    assert not holds(tom, Role.BILLING)
    assert letters("uma@example.org") == ["Acme names you as contact"]
    contact.refresh_from_db()
    assert contact.user is None


def test_a_change_to_what_is_there_is_refused(acme: Organisation, alice: User) -> None:
    invite(acme, alice)
    other = invite(acme, alice, email="uma@example.org")
    with pytest.raises(ContactExistsError):
        change_contact(
            actor=alice, contact=other, role=Role.BILLING, name="Uma", email="tom@example.org"
        )


def test_a_removed_contact_loses_the_role_and_is_told(
    acme: Organisation, alice: User, tom: User
) -> None:
    contact = invite(acme, alice)
    take_contact(user=tom, contact=contact)
    remove_contact(actor=alice, contact=contact)
    assert not holds(tom, Role.BILLING)
    assert letters(tom.email)[-1] == "Acme does not name you as contact any more"
    verbs = AuditEntry.objects.filter(verb__startswith="contact.")
    assert list(verbs.order_by("pk").values_list("verb", flat=True)) == [
        "contact.add",
        "contact.take",
        "contact.remove",
    ]


def test_a_role_by_two_addresses_ends_with_the_second(
    acme: Organisation, alice: User, tom: User
) -> None:
    first, second = invite(acme, alice), invite(acme, alice, email="tom@work.example.org")
    take_contact(user=tom, contact=first)
    Contact.objects.filter(pk=second.pk).update(user=tom)
    remove_contact(actor=alice, contact=first)
    assert holds(tom, Role.BILLING)
    remove_contact(actor=alice, contact=second)
    assert not holds(tom, Role.BILLING)


def test_the_last_owner_stays(acme: Organisation, alice: User, tom: User) -> None:
    own = acme.contacts.get()
    with pytest.raises(LastOwnerError):
        remove_contact(actor=alice, contact=own)
    with pytest.raises(LastOwnerError):
        change_contact(actor=alice, contact=own, role=Role.BILLING, name="Alice", email=alice.email)
    second = invite(acme, alice, Role.OWNER)
    with pytest.raises(LastOwnerError):
        remove_contact(actor=alice, contact=own)  # named is not enough: tom has not accepted
    take_contact(user=tom, contact=second)
    remove_contact(actor=tom, contact=own)
    assert not holds(alice, Role.OWNER)
    assert holds(tom, Role.OWNER)


def test_who_is_named_may_decline(acme: Organisation, alice: User, tom: User, bob: User) -> None:
    contact = invite(acme, alice)
    with pytest.raises(PermissionError):
        decline_contact(user=bob, contact=contact)
    client = sign_in(tom)
    assert "names you" not in text(client, "/organisation/")
    declined = client.post(f"/organisation/contacts/{contact.pk}/decline/", follow=True)
    assert "does not name you any more" in declined.content.decode()
    assert not Contact.objects.filter(pk=contact.pk).exists()


# --- pages ---


def text(client: Client, path: str, data: dict[str, str] | None = None) -> str:
    answer = client.post(path, data, follow=True) if data else client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


PAGE = "/organisation/acme/contacts/"
TOM = {"name": "Tom", "email": "tom@example.org", "role": "billing"}


def test_the_owner_keeps_the_contacts_on_their_page(acme: Organisation, alice: User) -> None:
    client = sign_in(alice)
    assert "Tom gets an invitation" in text(client, PAGE, TOM)
    assert "named in this role already" in text(client, PAGE, TOM)
    wrong = text(client, PAGE, {**TOM, "email": "nobody"})
    assert "valid email" in wrong
    assert 'value="Tom"' in wrong
    tom = acme.contacts.get(name="Tom")
    one = f"{PAGE}{tom.pk}/"
    for _ in range(2):
        assert "sent again" in text(client, f"{one}remind/", {"x": "y"})
    assert len(letters("tom@example.org")) == 2, "the invitation, and one reminder a day"
    assert "Saved" in text(client, one, {**TOM, "name": "Tom Tully"})
    own = acme.contacts.get(role="owner")
    refused = text(client, f"{PAGE}{own.pk}/", {**TOM, "email": alice.email})
    assert "This is the last owner" in refused
    taken = text(client, f"{PAGE}{own.pk}/", {**TOM, "role": "billing"})
    assert "named in this role already" in taken
    assert "This is the last owner" in text(client, f"{PAGE}{own.pk}/remove/", {"x": "y"})
    assert "The role ended" in text(client, f"{one}remove/", {"x": "y"})


@pytest.mark.parametrize("role", [Role.BILLING, Role.TECHNICAL, Role.MARKETING])
def test_other_contacts_see_and_do_their_part_only(
    acme: Organisation, alice: User, tom: User, role: Role
) -> None:
    take_contact(user=tom, contact=invite(acme, alice, role))
    client = sign_in(tom)
    page = text(client, "/organisation/acme/")
    assert tom.email in page
    assert alice.email not in page, "addresses of others are the owner's to see"
    assert ("/organisation/acme/invoices/" in page) == (role == Role.BILLING)
    marketing = role == Role.MARKETING
    assert (client.get("/organisation/acme/logo/").status_code == 200) == marketing
    listing = client.post("/organisation/acme/listing/", {"listed": "no"})
    assert (listing.status_code == 302) == marketing
    for path in (PAGE, f"{PAGE}{acme.contacts.all()[0].pk}/", "/organisation/acme/transfer/"):
        assert client.get(path).status_code == 404
    keep_logo(picture=check(LOGO))
    acme.refresh_from_db()
    assert acme.logo is None
