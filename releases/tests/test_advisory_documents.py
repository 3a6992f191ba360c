"""OSV, CSAF and the feed, checked against the schemas of their standards."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from defusedxml import ElementTree
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from releases.actions.advisory import change_advisory, withdraw_advisory
from releases.advisories import csaf, osv
from releases.advisories.facts import Range
from releases.models import Advisory
from releases.tests import advisories
from tests.shared import shared

CVSS_4 = "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N"
FOLDER = "/advisories/csaf/"


@shared(keeps="release_files")
def advisory(dana: User, release_files: Path) -> Advisory:
    return advisories.published(actor=dana, at=timezone.now())


def _documents(client: Client, advisory: Advisory) -> tuple[Any, Any]:
    """The OSV entry and the CSAF document, each valid."""
    entry = client.get(f"/advisories/osv/{advisory.identifier}.json").json()
    advisories.validate(entry, "osv.json")
    year = timezone.now().year
    document = client.get(f"{FOLDER}{year}/{csaf.file_name(advisory.identifier)}").json()
    advisories.validate(document, "csaf_json_schema.json")
    return entry, document


def test_the_entry_names_versions_ranges_and_the_other_names(
    advisory: Advisory, client: Client
) -> None:
    entry, document = _documents(client, advisory)
    assert entry["id"] == f"x_{advisory.identifier}", "its prefix is not registered"
    assert entry["aliases"] == ["CVE-2026-12345"]
    (affected,) = entry["affected"]
    assert affected["versions"] == ["12.3.1", "12.3.2"]
    assert affected["ranges"][0]["events"] == [{"introduced": "12.3.1"}, {"fixed": "12.3.10"}]
    (fault,) = document["vulnerabilities"]
    assert fault["cve"] == "CVE-2026-12345"
    assert fault["product_status"] == {
        "known_affected": ["exampledb-12.3.1", "exampledb-12.3.2"],
        "fixed": ["exampledb-12.3.10"],
    }
    assert fault["scores"][0]["cvss_v3"]["baseScore"] == 6.5
    assert fault["remediations"][0]["category"] == "vendor_fix"


def test_an_unfixed_fault_without_a_number_and_with_a_newer_vector(
    advisory: Advisory, dana: User, client: Client
) -> None:
    spans = [type(span)(span.series, "", None) for span in advisories.statement().spans]
    said = advisories.statement(vector=CVSS_4, cve_ids=[], spans=spans)
    now = timezone.now()
    change_advisory(actor=dana, advisory=advisory, statement=said, at=now, reason="More is known.")
    entry, document = _documents(client, advisory)
    assert entry["severity"] == [{"type": "CVSS_V4", "score": CVSS_4}]
    assert entry["affected"][0]["ranges"][0]["events"] == [
        {"introduced": "12.3.0-0"},
        {"last_affected": "12.3.10"},
    ]
    (fault,) = document["vulnerabilities"]
    assert fault["ids"] == [{"system_name": "Advisory", "text": advisory.identifier}]
    assert fault["remediations"][0]["category"] == "none_available"
    assert "scores" not in fault
    assert [found["number"] for found in document["document"]["tracking"]["revision_history"]] == [
        "1",
        "2",
    ]


def test_a_withdrawn_advisory_stays_and_says_so(
    advisory: Advisory, dana: User, client: Client
) -> None:
    withdraw_advisory(actor=dana, advisory=advisory, reason="A mistake.", at=timezone.now())
    entry, document = _documents(client, advisory)
    assert entry["withdrawn"] == entry["modified"]
    assert document["document"]["notes"][-1]["text"] == "A mistake."
    assert "This advisory is withdrawn" in client.get(advisory.get_absolute_url()).content.decode()
    assert b"Withdrawn: EXAMPLEDB" in client.get("/advisories/feed.atom").content


def test_all_entries_come_as_one_list_and_as_files(advisory: Advisory, client: Client) -> None:
    listed = client.get("/advisories/osv/all.json").json()
    with zipfile.ZipFile(io.BytesIO(client.get("/advisories/osv/all.zip").content)) as archive:
        (name,) = archive.namelist()
        assert [json.loads(archive.read(name))] == listed
    assert name == f"x_{advisory.identifier}.json"


def test_the_folder_of_csaf_is_that_of_a_provider(advisory: Advisory, client: Client) -> None:
    provider = client.get("/.well-known/csaf/provider-metadata.json")
    advisories.validate(provider.json(), "provider_json_schema.json")
    assert provider["Access-Control-Allow-Origin"] == "*"
    (path,) = client.get(f"{FOLDER}index.txt").content.decode().split()
    body = client.get(FOLDER + path).content
    for algorithm in ("sha256", "sha512"):
        line = client.get(f"{FOLDER}{path}.{algorithm}").content.decode()
        assert line == f"{hashlib.new(algorithm, body).hexdigest()}  {path.rpartition('/')[2]}\n"
    (change,) = client.get(f"{FOLDER}changes.csv").content.decode().splitlines()
    assert change.split(",")[0] == f'"{path}"'
    assert json.loads(body)["document"]["references"][0]["url"].endswith(FOLDER + path)


def test_the_feed_has_the_text_and_the_names(advisory: Advisory, client: Client) -> None:
    root = ElementTree.fromstring(client.get("/advisories/feed.atom").content)
    space = {"a": "http://www.w3.org/2005/Atom"}
    (entry,) = root.findall("a:entry", space)
    assert entry.findtext("a:title", "", space).startswith(advisory.identifier)
    terms = [found.get("term") for found in entry.findall("a:category", space)]
    assert terms == ["exampledb", "medium", "CVE-2026-12345"]


def test_a_file_name_of_csaf_has_only_the_characters_of_the_standard() -> None:
    assert csaf.file_name("EX/2026:0001 é") == "ex_2026_0001_.json"


def test_a_series_without_a_release_has_an_open_range() -> None:
    assert osv.events(Range("13.0", "", "", [])) == [{"introduced": "13.0.0-0"}]


def test_a_document_reads_one_advisory_however_many_there_are(
    advisory: Advisory, dana: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _number in range(3):
        advisories.published(actor=dana, at=timezone.now())
    loaded: list[str] = []
    read = Advisory.from_db.__func__  # type: ignore[attr-defined]

    def counted(cls: type[Advisory], db: Any, names: Any, values: Any) -> Advisory:
        found: Advisory = read(cls, db, names, values)
        loaded.append(found.identifier)
        return found

    monkeypatch.setattr(Advisory, "from_db", classmethod(counted))
    year = timezone.now().year
    path = f"{FOLDER}{year}/{csaf.file_name(advisory.identifier)}"
    assert client.get(path).status_code == 200
    assert client.get("/.well-known/csaf/provider-metadata.json").status_code == 200
    assert set(loaded) == {advisory.identifier}


def test_a_document_is_found_only_by_its_own_year_and_name(
    advisory: Advisory, client: Client
) -> None:
    year, name = timezone.now().year, csaf.file_name(advisory.identifier)
    assert client.get(f"{FOLDER}{year}/{name}").status_code == 200
    assert client.get(f"{FOLDER}{year - 1}/{name}").status_code == 404
    assert client.get(f"{FOLDER}0000/{name}").status_code == 404
    assert client.get(f"{FOLDER}{year}/{name.replace('-', '_')}").status_code == 404


def test_what_did_not_change_is_not_sent_again(advisory: Advisory, client: Client) -> None:
    year, name = timezone.now().year, csaf.file_name(advisory.identifier)
    for path in (
        f"{FOLDER}{year}/{name}",
        f"{FOLDER}{year}/{name}.sha256",
        f"{FOLDER}index.txt",
        f"{FOLDER}changes.csv",
        "/.well-known/csaf/provider-metadata.json",
        "/advisories/osv/all.json",
        "/advisories/osv/all.zip",
        f"/advisories/osv/{advisory.identifier}.json",
    ):
        etag = client.get(path)["ETag"]
        again = client.get(path, headers={"If-None-Match": etag})
        assert (again.status_code, again.content) == (304, b""), path
