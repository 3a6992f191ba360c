"""The letters of accounts speak as the others do, in text and HTML, and say whose they are."""

from __future__ import annotations

import re
from pathlib import Path

import allauth.account
import pytest
from django.conf import settings
from django.test import Client

from portal.accounts.models import User
from portal.lib.models import OutboxMail
from tests.cast import PASSWORD, sign_in

pytestmark = pytest.mark.django_db
NEW = {"email": "nina@example.org", "name": "Nina", "password1": "four words in a row"}
THEIRS = Path(allauth.account.__file__).parent.parent / "templates" / "account" / "email"
OURS = Path(settings.BASE_DIR) / "templates" / "account" / "email"
SENT = ("email_confirmation", "account_already_exists", "password_reset_key", "unknown_account")


def letter(to: str) -> OutboxMail:
    """The one letter to that address: nothing of a template or of the library is left in it."""
    found = OutboxMail.objects.get(recipient=to)
    assert found.text.startswith("Hello"), found.text
    for form in (found.subject, found.text, found.html):
        assert not re.search(r"\{\{|\{%|\bNone\b|You're receiving| on \.", form), form
    assert settings.FOUNDATION_NAME in found.text
    assert settings.FOUNDATION_NAME in found.html
    return found


def test_a_new_account_is_confirmed_by_a_letter(client: Client) -> None:
    client.post("/accounts/signup/", {**NEW, "password2": NEW["password1"]})
    found = letter(NEW["email"])
    link = re.search(r"https?://\S+/confirm-email/\S+", found.text)
    assert link is not None
    assert f'href="{link[0]}"' in found.html
    path = link[0].partition("/accounts/")[2]
    assert "Is this your address?" in client.get(f"/accounts/{path}").content.decode()
    assert client.post(f"/accounts/{path}").status_code == 302
    again = client.get("/accounts/confirm-email/expired/").content.decode()
    assert "This link does not work any more" in again


def test_an_address_that_is_taken_is_told_to_its_owner_alone(client: Client, dana: User) -> None:
    data = {**NEW, "email": dana.email, "password2": NEW["password1"]}
    answer = client.post("/accounts/signup/", data, follow=True)
    assert "Look into your mailbox" in answer.content.decode()
    assert "There is one already" in letter(dana.email).text


def test_a_forgotten_password_is_answered_for_known_and_unknown(
    client: Client, charlie: User
) -> None:
    for email in (charlie.email, "nobody@example.org"):
        client.post("/accounts/password/reset/", {"email": email})
    assert "/accounts/password/reset/key/" in letter(charlie.email).text
    assert "/accounts/signup/" in letter("nobody@example.org").text


def test_a_change_is_told_with_when_and_from_where(charlie: User) -> None:
    new = {
        "oldpassword": PASSWORD,
        "password1": "another long one",
        "password2": "another long one",
    }
    sign_in(charlie).post("/accounts/password/change/", new)
    found = letter(charlie.email)
    assert "password" in found.text
    assert "127.0.0.1" in found.text


@pytest.mark.parametrize("name", SENT)
def test_our_words_stand_in_the_place_of_the_library_s(name: str) -> None:
    for part in ("subject", "message"):
        assert (THEIRS / f"{name}_{part}.txt").exists(), "the library names it otherwise now"
        assert (OURS / f"{name}_{part}.txt").exists()
