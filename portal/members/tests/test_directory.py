"""Members who agreed to be named: searched, filtered, and for other sites."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from portal.members.models import Organisation
from portal.members.tests.people import DAY, YEAR, make_organisation, make_term, make_tier
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def members() -> None:
    """Acme in Gold since two years, with a break; Sol in Platinum; Nix is not named."""
    now = timezone.now()
    gold, platinum = make_tier("gold"), make_tier("platinum")
    acme, sol, nix = (make_organisation(name) for name in ("Acme", "Sol", "Nix"))
    make_term(acme, gold, now - 2 * YEAR)
    make_term(acme, gold, now - DAY)
    make_term(sol, platinum, now)
    make_term(nix, gold, now)
    Organisation.objects.filter(pk=sol.pk).update(country="FR", website="https://sol.example")
    Organisation.objects.filter(pk=nix.pk).update(is_listed=False)
    make_term(make_organisation("Giver"), make_tier("silver", takes_part=False), now)


def names(client: Client, query: str = "") -> list[str]:
    return [member["name"] for member in client.get(f"/members.json{query}").json()["members"]]


def test_the_longest_member_stands_first_and_each_once(members: None, client: Client) -> None:
    assert names(client) == ["Acme", "Sol"]
    page = client.get("/members/").content.decode()
    assert page.index("Acme") < page.index("Sol")
    assert "Nix" not in page
    assert "Giver" not in page


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?q=sO", ["Sol"]),
        ("?country=DE", ["Acme"]),
        ("?tier=Platinum", ["Sol"]),
        ("?tier=Platinum&country=DE", []),
        ("?country=nonsense", ["Acme", "Sol"]),
    ],
)
def test_page_and_json_are_narrowed_alike(
    members: None, client: Client, query: str, found: list[str]
) -> None:
    assert names(client, query) == found
    page = client.get(f"/members/{query}").content.decode()
    assert [name for name in ("Acme", "Sol") if f"{name}</" in page] == found
    assert ("No member like this" in page) == (found == [])


def test_other_sites_read_it_and_ask_whether_it_changed(members: None, client: Client) -> None:
    first = client.get("/members.json")
    assert first["Access-Control-Allow-Origin"] == "*"
    sol = first.json()["members"][1]
    assert (sol["url"], sol["country"], sol["tier"]) == ("https://sol.example", "FR", "Platinum")
    again = client.get("/members.json", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    Organisation.objects.filter(name="Sol").update(is_listed=False)
    changed = client.get("/members.json", headers={"If-None-Match": first["ETag"]})
    assert changed.status_code == 200


def test_an_empty_directory_says_how_to_begin(client: Client) -> None:
    assert "No members yet" in client.get("/members/").content.decode()
