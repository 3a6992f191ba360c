"""Who is invited and opens an account finds the invitation, in whichever browser."""

from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.accounts.roles import Role
from portal.lib.models import OutboxMail
from portal.members.actions.contact import invite_contact
from portal.members.actions.transfer import offer_transfer
from portal.members.models import Organisation
from portal.members.offers import offers_to
from portal.members.tests.people import make_contributor, make_organisation
from tests.cast import PASSWORD, make_person, sign_in

pytestmark = pytest.mark.django_db
EMAIL = "tom@example.org"


@pytest.fixture(autouse=True)
def _fresh_counters() -> None:
    cache.clear()


@pytest.fixture
def acme(alice: User) -> Organisation:
    found = make_organisation(owner=alice)
    invite_contact(actor=alice, organisation=found, role=Role.BILLING, name="Tom", email=EMAIL)
    return found


def path_in(text: str) -> str:
    """The first link of a letter, without the site before it."""
    found = re.search(r"https?://[^/\s]+(/\S+)", text)
    assert found, text
    return found[1]


def open_account(window: Client, next_page: str) -> OutboxMail:
    """The letter with the link that confirms the address."""
    given = {"name": "Tom", "email": EMAIL, "password1": PASSWORD, "password2": PASSWORD}
    assert window.post("/accounts/signup/", {**given, "next": next_page}).status_code == 302
    return OutboxMail.objects.filter(recipient=EMAIL).latest("id")


def test_the_link_is_confirmed_in_another_browser_and_leads_to_the_invitation(
    acme: Organisation,
) -> None:
    invitation = "/organisation/"
    first, second = Client(), Client()
    signup = path_in(OutboxMail.objects.get(recipient=EMAIL).text)
    assert f'name="next" value="{invitation}"' in first.get(signup).content.decode()
    letter = open_account(first, invitation)

    link = path_in(letter.text)
    assert f'name="next" value="{invitation}"' in second.get(link).content.decode()
    key, _, query = link.partition("?")
    answer = second.post(key, {"next": invitation}, follow=True)
    assert query
    assert answer.redirect_chain[-1][0] == f"/accounts/login/?next={invitation}"
    given = {"login": EMAIL, "password": PASSWORD, "next": invitation}
    page = second.post("/accounts/login/", given, follow=True)
    assert page.redirect_chain[-1][0] == invitation
    assert "Acme named you: Billing contact" in page.content.decode()


def test_the_link_leads_to_no_other_site(acme: Organisation) -> None:
    letter = open_account(Client(), "https://evil.example/")
    assert "evil.example" not in letter.text
    assert "evil.example" not in letter.html


def test_who_has_no_account_yet_is_led_to_open_one(
    acme: Organisation, alice: User, bob: User
) -> None:
    now = timezone.now()
    offer_transfer(actor=alice, organisation=acme, name="Tom", email=EMAIL, stays_as="", at=now)
    make_contributor(alice, bob, now, name="Tom", email=EMAIL)
    welcome = OutboxMail.objects.get(recipient=EMAIL, key__startswith="contributor.welcome:")
    assert "would like you as contributor until" in welcome.text
    assert "you are a contributor" not in welcome.text + welcome.html, "not before they accept"
    for page in ("/organisation/", "/contributors/own/"):
        way_in = f"/accounts/signup/?{urlencode({'email': EMAIL, 'next': page})}"
        assert OutboxMail.objects.filter(recipient=EMAIL, text__contains=way_in).exists(), page


def test_the_page_of_the_account_says_what_waits_for_an_answer(
    acme: Organisation, alice: User, bob: User
) -> None:
    tom = make_person("tom")
    now = timezone.now()
    offer_transfer(actor=alice, organisation=acme, name="Tom", email=EMAIL, stays_as="", at=now)
    make_contributor(alice, bob, now - timedelta(days=1), name="Tom", email=EMAIL)
    page = sign_in(tom).get("/accounts/").content.decode()
    assert "3 things wait for your answer" in page
    assert "Acme named you: Billing contact" in page
    assert "Acme is offered to you" in page
    assert '<a href="/contributors/own/">You are invited to be a contributor</a>' in page


def test_who_is_not_asked_reads_nothing_of_it(acme: Organisation, charlie: User) -> None:
    assert offers_to(charlie, timezone.now()) == []
    assert "for your answer" not in sign_in(charlie).get("/accounts/").content.decode()
