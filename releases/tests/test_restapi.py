"""The contract of /rest-api/, one row for each promise.

Written from the table of the contract and from what clients parse: `at(...)` walks an answer the
way their jq paths do. The catalogue beneath is one product with a long-term series, a candidate, an
ended series, a draft and debug symbols, and a connector.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from jsonschema import Draft202012Validator

from portal.accounts.models import User
from releases.actions.signature import sign_file
from releases.models import Mirror, Package, Product, Release
from releases.restapi import schemas
from releases.signer.local import LocalSigner
from releases.tests import factory
from tests.shared import shared

ROOT = "/rest-api/exampledb"
SOURCE = "exampledb-{}.tar.gz"
CONNECTOR = "/rest-api/exampledb-connector-c"
BY_PATH = {
    "/rest-api/mirrors/": schemas.MIRRORS,
    "/rest-api/products/": schemas.PRODUCTS,
    f"{ROOT}/": schemas.SERIES,
    f"{ROOT}/11.8/": schemas.OF_SERIES,
    f"{ROOT}/11.8/latest/": schemas.LATEST,
    f"{ROOT}/11.8.9/": schemas.ONE,
    f"{ROOT}/all-releases/": schemas.VERSIONS,
    f"{CONNECTOR}/all-releases/?olderReleases=true": schemas.VERSIONS_BY_SERIES,
    f"{ROOT}/11.8.9/exampledb-11.8.9.tar.gz/checksum/": schemas.CHECKSUMS,
    f"{ROOT}/11.8.9/exampledb-11.8.9.tar.gz/signature/": schemas.SIGNATURE,
}
FILES: dict[str, dict[str, str]] = {
    "exampledb-{}-winx64-debugsymbols.zip": {"os": "Windows", "cpu": "x86_64"},
    "exampledb-{}-winx64.zip": {"os": "Windows", "cpu": "x86_64"},
    "exampledb-{}-winx64.msi": {"os": "Windows", "cpu": "x86_64"},
    "exampledb-{}-linux-systemd-x86_64.tar.gz": {"os": "Linux", "cpu": "x86_64"},
    "exampledb-{}-linux-systemd-aarch64.tar.gz": {"os": "Linux", "cpu": "aarch64"},
    SOURCE: {"os": "Source"},
    "exampledb-galera-{}.tar.gz": {"os": "Source"},
    "exampledb-docs-{}.run": {"os": "Linux"},
}


@shared(keeps="release_files signer")
def catalogue(dana: User, signer: LocalSigner, release_files: Path) -> None:
    """Published out of order, so that an answer in the order of the rows is wrong."""
    today = timezone.now().date()
    year = dt.timedelta(days=365)
    factory.make_series("11.8", eol_on=today + 3 * year, released_on=today - year)
    factory.make_series("11.2", support="short", eol_on=today - year, released_on=today - 2 * year)
    factory.make_series("12.3", support="rolling")
    connector = "exampledb-connector-c"
    factory.make_series("3.4", connector)
    factory.make_series("3.10", connector)
    Product.objects.filter(slug=connector).update(kind=Product.Kind.CONNECTOR)
    for version, maturity in [
        ("11.8.9", "stable"),
        ("11.8.11-rc1", "rc"),
        ("11.8.10", "stable"),
        ("11.8.13", "stable"),
        ("11.2.6", "stable"),
        ("12.3.0", "beta"),
    ]:
        _publish(dana, signer, version, maturity)
    for version in ("3.4.7", "3.10.1", "3.4.10"):
        _publish(dana, signer, version, "stable", slug=connector)
    Release.objects.filter(version="11.8.13").update(
        yanked_at=timezone.now(), yank_reason="It loses rows."
    )
    _mirror("north", Mirror.Health.HEALTHY)
    _mirror("south", Mirror.Health.LAGGING)
    factory.make_draft("13.0.0", "alpha")
    hidden = factory.make_draft("11.8.12", "stable")
    factory.accept(actor=dana, release=hidden, name="hidden.tar.gz", data=b"x", os="Source")


def _mirror(slug: str, health: str) -> None:
    now = timezone.now()
    Mirror.objects.create(
        slug=slug,
        name=slug.title(),
        operator="Example University",
        contact_email="mirror@example.org",
        country="DE",
        base_url=f"https://{slug}.example.org/exampledb/",
        state=Mirror.State.ACTIVE,
        active_since=now,
        health=health,
        files_until=now + dt.timedelta(minutes=1),
    )


def _publish(dana: User, signer: LocalSigner, version: str, maturity: str, **what: Any) -> None:
    release = factory.make_draft(version, maturity, **what)
    wanted = FILES if version.startswith("11.8") else {SOURCE: FILES[SOURCE]}
    for name, fields in wanted.items():
        full = name.format(version)
        factory.accept(actor=dana, release=release, name=full, data=full.encode(), **fields)
    Release.objects.filter(pk=release.pk).update(published_at=timezone.now())
    for file in release.files.exclude(name__contains="galera"):
        sign_file(file_id=file.pk, signer=signer, at=timezone.now())


def at(document: Any, *path: Any) -> Any:
    """Walk down, `all` standing for every value, as `[]` does in jq."""
    for place, step in enumerate(path):
        if step is all:
            values = document.values() if isinstance(document, dict) else document
            return [at(value, *path[place + 1 :]) for value in values]
        document = document[step]
    return document


def first(document: Any, *path: Any) -> Any:
    """The first value there, as `first(.releases[])` takes it."""
    return next(iter(at(document, *path).values()))


STABLE = ["11.8.10", "11.8.11-rc1", "11.8.9"]
LINUX = "exampledb-11.8.9-linux-systemd-x86_64.tar.gz"
Look = Callable[[Any], Any]
SAYS: list[tuple[str, str, Look, Any]] = [
    ("every product is listed", "/rest-api/products/",
     lambda d: at(d, "products_list", all, "product_id"), ["exampledb", "exampledb-connector-c"]),
    ("a product has its license", "/rest-api/products/",
     lambda d: at(d, "products_list", 0, "license"), "GPL-2.0-only"),
    ("series are newest first by number", f"{ROOT}/",
     lambda d: at(d, "major_releases", all, "release_id"), ["12.3", "11.8", "11.2"]),
    ("a series is as mature as its first release, and old after its end", f"{ROOT}/",
     lambda d: at(d, "major_releases", all, "release_status"), ["Beta", "Stable", "Old Stable"]),
    ("support has the words of the image builders", f"{ROOT}/",
     lambda d: at(d, "major_releases", all, "release_support_type"),
     ["Rolling", "Long Term Support", "Short Term Support"]),
    ("an end of support is a date or nothing", f"{ROOT}/",
     lambda d: [len(found or "") for found in at(d, "major_releases", all, "release_eol_date")],
     [0, 10, 10]),
    ("releases of a series are keyed by version, the stable one first", f"{ROOT}/11.8/",
     lambda d: list(d["releases"]), STABLE),
    ("the image builder's first release", f"{ROOT}/11.8",
     lambda d: first(d, "releases")["release_id"], "11.8.10"),
    ("a series without a stable release has its newest", f"{ROOT}/12.3/",
     lambda d: list(d["releases"]), ["12.3.0"]),
    ("numbers decide, not text", f"{CONNECTOR}/",
     lambda d: at(d, "major_releases", all, "release_id"), ["3.10", "3.4"]),
    ("a release has a name", f"{ROOT}/11.8/",
     lambda d: at(d, "releases", "11.8.9", "release_name"), "ExampleDB 11.8.9"),
    ("one Source archive: the checksum that a script takes", f"{ROOT}/11.8/",
     lambda d: [f["file_name"] for f in at(d, "releases", "11.8.9", "files")
                if f["os"] == "Source"],
     ["exampledb-11.8.9.tar.gz"]),
    ("the first zip is the server", f"{ROOT}/11.8/latest/",
     lambda d: next(f["file_name"] for f in first(d, "releases")["files"]
                    if f["file_name"].endswith(".zip")), "exampledb-11.8.10-winx64.zip"),
    ("the first MSI", f"{ROOT}/11.8.9/?os=Windows&cpu=x86_64",
     lambda d: [f["file_name"] for f in at(d, "release_data", "11.8.9", "files")
                if f["package_type"] == "MSI Package"], ["exampledb-11.8.9-winx64.msi"]),
    ("the system leaves out others", f"{ROOT}/11.8.9/?os=Linux",
     lambda d: set(at(d, "release_data", "11.8.9", "files", all, "os")), {"Linux"}),
    ("the processor leaves out others", f"{ROOT}/11.8.9/?os=linux&cpu=aarch64",
     lambda d: at(d, "release_data", "11.8.9", "files", all, "cpu"), ["aarch64"]),
    ("an unknown system has no files", f"{ROOT}/11.8.9/?os=plan9",
     lambda d: at(d, "release_data", "11.8.9", "files"), []),
    ("a file that fits every processor says so", f"{ROOT}/11.8.9/?os=Source",
     lambda d: at(d, "release_data", "11.8.9", "files", 0, "cpu"), None),
    ("a tarball, a zip, an MSI", f"{ROOT}/11.8.9/?os=Windows",
     lambda d: sorted(at(d, "release_data", "11.8.9", "files", all, "package_type")),
     ["MSI Package", "ZIP file", "ZIP file"]),
    ("the latest is one, and says of which series", f"{ROOT}/11.8/latest/",
     lambda d: (d["major_release_id"], d["major_release_status"], list(d["releases"])),
     ("11.8", "Stable", ["11.8.10"])),
    ("all releases of what is supported", f"{ROOT}/all-releases/?olderReleases=false",
     lambda d: at(d, "releases", all, "release_number"),
     ["12.3.0", "11.8.11-rc1", "11.8.10", "11.8.9"]),
    ("the same without a word", f"{ROOT}/all-releases/",
     lambda d: len(d["releases"]), 4),
    ("the first stable one of them", f"{ROOT}/all-releases/",
     lambda d: next(r["release_number"] for r in d["releases"] if r["status"] == "stable"),
     "11.8.10"),
    ("a status is in lower case", f"{ROOT}/all-releases/",
     lambda d: set(at(d, "releases", all, "status")), {"stable", "rc", "beta"}),
    ("older releases too", f"{ROOT}/all-releases/?olderReleases=true",
     lambda d: at(d, "releases", all, "release_number")[-1], "11.2.6"),
    ("a connector answers a list", f"{CONNECTOR}/all-releases/?olderReleases=false",
     lambda d: at(d, "releases", all, "release_number"), ["3.10.1", "3.4.10", "3.4.7"]),
    ("a connector's older releases are groups", f"{CONNECTOR}/all-releases/?olderReleases=true",
     lambda d: at(d, "releases", all, "children", all, "release_number"),
     [["3.10.1"], ["3.4.10", "3.4.7"]]),
    ("a checksum alone", f"{ROOT}/11.8.9/{LINUX}/checksum/",
     lambda d: at(d, "response", "checksum", "sha256sum"),
     hashlib.sha256(LINUX.encode()).hexdigest()),
    ("a signature alone", f"{ROOT}/11.8.9/{LINUX}/signature/",
     lambda d: at(d, "response", "signature")[:27], "-----BEGIN PGP SIGNATURE---"),
    ("a withdrawn release stays for those who pin it", f"{ROOT}/11.8.13/",
     lambda d: list(d["release_data"]), ["11.8.13"]),
    ("and its checksum too", f"{ROOT}/11.8.13/exampledb-11.8.13.tar.gz/checksum/",
     lambda d: len(at(d, "response", "checksum", "md5sum")), 32),
    ("a system is named where the processor is known", f"{ROOT}/11.8.9/",
     lambda d: [f["file_name"] for f in at(d, "release_data", "11.8.9", "files")
                if f["os"] in ("Linux", "Windows") and f["cpu"] is None], []),
    ("a file for every processor has neither", f"{ROOT}/11.8.9/",
     lambda d: next(f["os"] for f in at(d, "release_data", "11.8.9", "files")
                    if f["file_name"].endswith(".run")), None),
    ("a list of all has an id for the client that asks for one", f"{ROOT}/all-releases/",
     lambda d: set(at(d, "releases", 0)), {"id", "release_number", "status"}),
    ("mirrors by country", "/rest-api/mirrors/", lambda d: d["mirror_list"],
     {"Germany": [{"mirror_id": "north", "mirror_name": "North"}]}),
    ("the address of a file keeps the mirror", f"{ROOT}/11.8/latest/?mirror=north",
     lambda d: first(d, "releases")["files"][0]["file_download_url"].partition("?")[2],
     "mirror=north"),
    ("a mirror that lags is not offered", f"{ROOT}/11.8.9/?mirror=south",
     lambda d: "?" in at(d, "release_data", "11.8.9", "files", 0, "file_download_url"), False),
]  # fmt: skip
HIDDEN = [
    "/rest-api/nothing/", "/rest-api/nothing/all-releases/", f"{ROOT}/13.0/", f"{ROOT}/13.0.0/",
    f"{ROOT}/13.0/latest/", f"{ROOT}/11.8.12/", f"{ROOT}/11.8.12/hidden.tar.gz",
    f"{ROOT}/11.8.12/hidden.tar.gz/checksum/", f"{ROOT}/11.8.12/hidden.tar.gz/signature/",
    f"{ROOT}/11.8.9/hidden.tar.gz", f"{ROOT}/11.8.9/99999999", f"{ROOT}/11.8.9/{'9' * 40}",
    f"{ROOT}/11.8.9/exampledb-galera-11.8.9.tar.gz/signature/", f"{CONNECTOR}/11.8.9/",
]  # fmt: skip


@pytest.mark.django_db
def test_every_promise_of_the_contract(catalogue: None, client: Client) -> None:
    wrong = {}
    for promise, path, look, expected in SAYS:
        answer = client.get(path)
        assert answer.status_code == 200, (promise, path)
        if (found := look(answer.json())) != expected:
            wrong[promise] = found
    assert wrong == {}
    for path, schema in BY_PATH.items():
        Draft202012Validator(schema).validate(client.get(path).json())


@pytest.mark.django_db
def test_addresses_answer_with_and_without_a_slash_at_once_and_for_everyone(
    catalogue: None, client: Client, django_assert_max_num_queries: Any
) -> None:
    for path in [*BY_PATH, f"{ROOT}/11.8.9/?mirror=north&os=Linux"]:
        place, mark, query = path.partition("?")
        with django_assert_max_num_queries(3):
            plain = client.get(f"{place.rstrip('/')}{mark}{query}")
        slashed = client.get(path)
        assert (plain.status_code, plain.content) == (200, slashed.content), path
        assert plain["Content-Type"] == "application/json"
        assert plain["Access-Control-Allow-Origin"] == "*"
        assert "Set-Cookie" not in plain
        assert plain.content == json.dumps(plain.json()).encode()  # the separators of Python
        again = client.get(path, headers={"if-none-match": plain["ETag"]})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", plain["ETag"])
        head = client.head(path)
        assert (head.status_code, head["ETag"]) == (200, plain["ETag"])
        assert client.post(path).status_code == 405


@pytest.mark.django_db
def test_what_is_not_published_is_404_everywhere(catalogue: None, client: Client) -> None:
    answers = {path: client.get(path).status_code for path in HIDDEN}
    assert answers == dict.fromkeys(HIDDEN, 404)
    for path in BY_PATH:
        assert not re.search(rb"13\.0|11\.8\.12|hidden", client.get(path).content)


@pytest.mark.django_db
def test_a_file_comes_at_once_by_its_name_and_by_its_number(
    catalogue: None, client: Client
) -> None:
    Mirror.objects.all().delete()  # else the nearest one is asked
    release = client.get(f"{ROOT}/11.8.9/?os=Linux").json()["release_data"]["11.8.9"]
    listed = next(found for found in release["files"] if found["file_name"] == LINUX)
    address = listed["file_download_url"].removeprefix("http://localhost:8000")
    for path in [address, f"{address}/", f"{ROOT}/11.8.9/{listed['file_id']}"]:
        answer = client.get(path)
        assert answer.status_code == 200
        assert b"".join(answer) == LINUX.encode()
        assert answer["Access-Control-Allow-Origin"] == "*"
        assert client.head(path)["Content-Length"] == str(len(LINUX))
    numbered = client.get(f"{ROOT}/11.8.9/{listed['file_id']}/checksum/").json()
    assert numbered == {"response": {"checksum": listed["checksum"]}}


@pytest.mark.django_db
def test_a_named_mirror_is_one_redirect_away_and_only_with_what_it_has(
    catalogue: None, client: Client
) -> None:
    address = f"{ROOT}/11.8.9/{LINUX}"
    there = f"https://north.example.org/exampledb/releases/exampledb/11.8.9/{LINUX}"
    answer = client.get(f"{address}?mirror=north")
    assert (answer.status_code, answer["Location"]) == (302, there)
    for other in ("south", "nobody", ""):  # the nearest that can be had, as without a word
        answer = client.get(f"{address}?mirror={other}")
        assert answer.status_code in {200, 302}
        assert "south" not in answer.get("Location", "")
    before = timezone.now() - dt.timedelta(days=1)
    Mirror.objects.update(files_until=before)
    assert client.get(f"{address}?mirror=north").status_code == 200
    hidden = f"{ROOT}/11.8.12/hidden.tar.gz?mirror=north"
    assert client.get(hidden).status_code == 404


@pytest.mark.django_db
def test_a_package_comes_from_the_repository_of_a_named_mirror(
    release: Release, client: Client
) -> None:
    """Mirrors carry packages in repositories only; whoever has none of them is not named."""
    mirror = factory.synced(factory.make_mirror("north"))
    for package in Package.objects.select_related("file"):
        address = f"{ROOT}/12.3.0/{package.file.name}?mirror=north"
        answer = client.get(address)
        assert answer.status_code == 302
        there = answer["Location"].removeprefix(mirror.base_url)
        assert b"".join(client.get(f"/{there}?mirror=none")) == b"".join(
            client.get(f"{address.partition('?')[0]}?mirror=none")
        )
        Mirror.objects.update(parts=["releases"])
        assert client.get(address).status_code == 200
        Mirror.objects.update(parts=mirror.parts)
    mirror.sightings.all().delete()
    assert client.get(address).status_code == 200


def test_a_package_for_every_processor_is_one_of_linux(
    dana: User, draft: Release, signer: LocalSigner, client: Client
) -> None:
    name = "exampledb-common"
    deb = factory.deb(name=name, architecture="all")
    rpm = factory.rpm(name=name, architecture="noarch")
    for file, data, system in [
        (f"{name}_12.3.0_all.deb", deb, "debian-12"),
        (f"{name}-12.3.0-1.el9.noarch.rpm", rpm, "rhel-9"),
    ]:
        factory.accept(actor=dana, release=draft, name=file, data=data, distributions=[system])
    factory.publish(actor=dana, release=draft, signer=signer)

    def found(query: str) -> dict[str, list[str]]:
        document = client.get(f"{ROOT}/12.3.0/{query}").json()
        files = document["release_data"]["12.3.0"]["files"]
        return {file["file_name"]: [file["os"], file["cpu"]] for file in files}

    common = {each: what for each, what in found("?os=Linux").items() if each.startswith(name)}
    assert list(common.values()) == [["Linux", "noarch"]] * 2
    assert found("?cpu=noarch") == common
    assert not common.keys() & found("?os=Linux&cpu=x86_64").keys()


def test_the_root_tells_every_address_and_pages_lead_to_it(catalogue: None, client: Client) -> None:
    told = client.get("/rest-api/").json()["addresses"]
    values = {
        "{product}": "exampledb",
        "{series}": "11.8",
        "{version}": "11.8.9",
        "{file}": LINUX,
        "{os}": "Linux",
        "{cpu}": "x86_64",
        "{mirror}": "",
        "{true|false}": "true",
    }
    for name, address in told.items():
        path = address[address.index("/rest-api/") :]
        for place, value in values.items():
            path = path.replace(place, value)
        assert client.get(path).status_code == 200, name
    assert 'href="/rest-api/exampledb' in client.get("/releases/exampledb/").content.decode()
    assert 'href="/rest-api/"' in client.get("/releases/").content.decode()
