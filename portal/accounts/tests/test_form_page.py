"""Who was signed out while they wrote comes back to the page with the form."""

import pytest
from django.test import Client
from django.urls import reverse

from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role

pytestmark = pytest.mark.django_db
FORM = "/accounts/profile/"
ELSEWHERE = "https://elsewhere.example/accounts/profile/"


def sent_to(client: Client, path: str, referer: str) -> str:
    headers = {"Referer": referer} if referer else {}
    return client.post(path, {"name": "Ada"}, headers=headers)["Location"]


@pytest.mark.parametrize(
    ("referer", "wanted"),
    [
        ("http://testserver/news/?page=2", "%2Fnews%2F%3Fpage%3D2"),
        ("http://testserver/news/", "%2Fnews%2F"),
        (ELSEWHERE, "%2Faccounts%2Fprofile%2F"),
        ("", "%2Faccounts%2Fprofile%2F"),
    ],
)
def test_signing_in_leads_to_the_page_of_the_form(
    client: Client, referer: str, wanted: str
) -> None:
    assert sent_to(client, FORM, referer) == f"/accounts/login/?next={wanted}"


def test_a_page_that_was_asked_for_stays_the_one(client: Client) -> None:
    answer = client.get(FORM, headers={"Referer": "http://testserver/news/"})
    assert answer["Location"] == "/accounts/login/?next=/accounts/profile/"


def test_the_second_factor_comes_between_as_well(client: Client, alice: User) -> None:
    RoleGrant.objects.create(user=alice, role=Role.EDITOR)
    client.force_login(alice)
    where = sent_to(client, FORM, "http://testserver/governance/own/")
    assert where == f"{reverse('mfa_reauthenticate')}?next=%2Fgovernance%2Fown%2F"
