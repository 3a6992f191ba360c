"""An organisation reads what was written to it, each contact its part."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.accounts.roles import Role, Scope
from portal.lib import links, outbox
from portal.lib.models import OutboxMail
from portal.members.actions.subscriber import name_subscriber
from portal.members.correspondence import about, letters_of, letters_shown_to, text_for
from portal.members.models import Organisation
from portal.members.tests.people import make_organisation, make_term, make_tier
from tests.cast import make_person
from tests.shared import shared

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]


@shared
def acme(alice: User) -> Organisation:
    return make_organisation(owner=alice)


def write(organisation: Organisation, to: str, text: str = "Hello.") -> OutboxMail:
    key = f"{to}:{OutboxMail.objects.count()}"
    outbox.promise(to=to, subject=f"To {to}", text=text, key=key, about=about(organisation))
    return OutboxMail.objects.get(key=key)


def test_letters_of_seats_belong_to_the_organisation_that_sends_them(
    acme: Organisation, alice: User
) -> None:
    now = timezone.now()
    make_term(acme, make_tier(seats=2), now)
    name_subscriber(actor=alice, organisation=acme, name="Bo", email="bo@example.org", at=now)
    assert [letter.recipient for letter in letters_of(acme)] == ["bo@example.org"]


def test_a_letter_to_nobody_in_particular_is_in_no_history(acme: Organisation) -> None:
    outbox.promise(to="a@example.org", subject="Hello", text="Hello", key="x")
    assert not letters_of(acme).exists()


def test_the_owner_sees_all_and_others_what_went_to_their_role(
    acme: Organisation, alice: User
) -> None:
    billing = make_person("billing", (Role.BILLING, Scope.ORGANISATION, "acme"))
    acme.contacts.create(role=Role.BILLING, name="Ledger", email="Books@example.org")
    for address in ("alice@example.org", "books@example.org", billing.email):
        write(acme, address)
    now = timezone.now()
    assert letters_shown_to(alice, acme, now).count() == 3
    seen = letters_shown_to(billing, acme, now).values_list("recipient", flat=True)
    assert set(seen) == {"books@example.org", "billing@example.org"}


def test_the_letters_of_another_organisation_are_not_found(
    acme: Organisation, alice: User, client_for: SignIn
) -> None:
    letter = write(make_organisation("Zenith"), "alice@example.org")
    assert client_for(alice).get("/organisation/zenith/letters/").status_code == 404
    assert client_for(alice).get(f"/organisation/acme/letters/{letter.pk}/").status_code == 404


def test_links_that_open_without_a_login_are_for_their_recipient(
    acme: Organisation, alice: User, client_for: SignIn
) -> None:
    token = links.sign("12", purpose="test")
    text = f"Go on: https://portal.example/join/resume/{token}/ or call us at 10:30:15."
    own, other = write(acme, "Alice@example.org", text), write(acme, "bo@example.org", text)
    assert token in text_for(alice, own)
    page = client_for(alice).get(f"/organisation/acme/letters/{own.pk}/").content.decode()
    assert f'href="https://portal.example/join/resume/{token}/"' in page
    page = client_for(alice).get(f"/organisation/acme/letters/{other.pk}/").content.decode()
    assert token not in page
    assert "resume/[…]/ or call us at 10:30:15." in page
    assert 'href="https://portal.example' not in page, "it would lead nowhere"
    assert "for the recipient alone" in page


def test_a_letter_that_was_given_up_says_so(
    acme: Organisation, alice: User, client_for: SignIn
) -> None:
    letter = write(acme, "bo@example.org")
    OutboxMail.objects.update(given_up_at=timezone.now())
    client = client_for(alice)
    assert "did not get through" in client.get("/organisation/acme/letters/").content.decode()
    page = client.get(f"/organisation/acme/letters/{letter.pk}/").content.decode()
    assert "This letter did not get through" in page


def test_without_letters_the_page_says_what_will_be_here(
    acme: Organisation, alice: User, client_for: SignIn
) -> None:
    assert "No letter yet" in client_for(alice).get("/organisation/acme/letters/").content.decode()
