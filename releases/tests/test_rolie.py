"""The CSAF documents as a ROLIE feed, and security.txt, as programs find them."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from releases import tasks
from releases.actions.advisory import publish_advisory
from releases.advisories import csaf
from releases.models import Advisory
from releases.signer.local import LocalSigner
from releases.tests import advisories

FEED = "/advisories/csaf/csaf-feed-tlp-white.json"
PROVIDER = "/.well-known/csaf/provider-metadata.json"
HOUR = dt.timedelta(hours=1)


@pytest.fixture(autouse=True)
def _over_https(settings: LazySettings) -> None:
    settings.BASE_URL = "https://portal.example.org"


@pytest.fixture
def advisory(dana: User, signer: LocalSigner) -> Advisory:
    return advisories.published(actor=dana, at=timezone.now())


def feed(client: Client) -> dict[str, Any]:
    """The feed, as the standard wants it."""
    answer = client.get(FEED)
    assert answer["Access-Control-Allow-Origin"] == "*"
    told = answer.json()
    advisories.validate(told, "rolie_feed_json_schema.json")
    found: dict[str, Any] = told["feed"]
    return found


def here(address: str) -> str:
    """The path of an address of ours."""
    return address[address.index("/", len("https://")) :]


def test_each_link_of_an_entry_leads_to_what_it_names(advisory: Advisory, client: Client) -> None:
    tasks.sweep()
    (entry,) = feed(client)["entry"]
    document = client.get(here(entry["content"]["src"])).json()
    assert entry["id"] == document["document"]["tracking"]["id"] == advisory.identifier
    assert entry["title"] == document["document"]["title"]
    assert entry["published"] == document["document"]["tracking"]["initial_release_date"]
    assert entry["updated"] == document["document"]["tracking"]["current_release_date"]
    kinds = [link["rel"] for link in entry["link"]]
    assert kinds == ["self", "hash", "hash", "signature"]
    assert all(client.get(here(link["href"])).status_code == 200 for link in entry["link"])


def test_a_document_without_its_signature_yet_names_none(
    advisory: Advisory, client: Client
) -> None:
    (entry,) = feed(client)["entry"]
    assert [link["rel"] for link in entry["link"]] == ["self", "hash", "hash"]


def test_the_newest_change_stands_first_and_an_embargo_is_kept(
    advisory: Advisory, dana: User, client: Client
) -> None:
    now = timezone.now()
    later = advisories.published(actor=dana, at=now + dt.timedelta(seconds=1))
    secret = advisories.draft(actor=dana, at=now)
    publish_advisory(actor=dana, advisory=secret, at=now, public_from=now + HOUR)
    Advisory.objects.filter(pk=later.pk).update(published_at=now)
    found = feed(client)
    assert [entry["id"] for entry in found["entry"]] == [later.identifier, advisory.identifier]
    assert found["updated"] == found["entry"][0]["updated"]


@pytest.mark.django_db
def test_without_an_advisory_there_is_an_empty_feed(client: Client) -> None:
    assert feed(client)["entry"] == []
    told = client.get("/advisories/csaf/category-white.json").json()
    assert told == {"categories": {"category": []}}


def test_provider_service_and_folder_name_the_feed(advisory: Advisory, client: Client) -> None:
    provider = client.get(PROVIDER).json()
    advisories.validate(provider, "provider_json_schema.json")
    (told,) = (found["rolie"] for found in provider["distributions"] if "rolie" in found)
    (named,) = told["feeds"]
    assert here(named["url"]) == FEED
    assert named["tlp_label"] == "WHITE"
    service = client.get(here(told["services"][0])).json()["service"]
    assert [one["href"] for one in service["workspace"][0]["collection"]] == [named["url"]]
    categories = client.get(here(told["categories"][0])).json()["categories"]["category"]
    (entry,) = feed(client)["entry"]
    assert entry["category"] == categories == [{"term": "ExampleDB"}]
    assert FEED.rpartition("/")[2] in client.get("/advisories/csaf/").content.decode()
    assert csaf.file_name(advisory.identifier) in entry["content"]["src"]


@pytest.mark.parametrize(
    ("contact", "shown"),
    [
        ("security@example.org", "mailto:security@example.org"),
        ("https://example.org/report", "https://example.org/report"),
    ],
)
def test_who_found_a_weakness_reads_whom_to_tell(
    contact: str, shown: str, client: Client, settings: LazySettings
) -> None:
    settings.SECURITY_CONTACT = contact
    answer = client.get("/.well-known/security.txt")
    assert answer["Content-Type"].startswith("text/plain")
    fields = dict(line.split(": ", 1) for line in answer.content.decode().splitlines())
    assert fields["Contact"] == shown
    assert here(fields["CSAF"]) == PROVIDER
    assert here(fields["Canonical"]) == "/.well-known/security.txt"
    ends = dt.datetime.fromisoformat(fields["Expires"])
    assert dt.timedelta(days=30) < ends - timezone.now() < dt.timedelta(days=365)
