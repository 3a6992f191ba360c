"""The generator offers what is published and nothing that a visitor typed."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from portal.accounts.models import User
from releases.actions.yank import yank_release
from releases.models import Alias, Mirror, Release, Series
from releases.signer.local import LocalSigner
from releases.tests import factory

HOSTILE = [
    '"><script>alert(1)</script>',
    "$(reboot)`id`'; rm -rf / #",
    "../../etc/passwd",
    "11.8\nTypes: deb-src",
    "\u202e",
    "%00",
]
WISHES = ["product", "series", "distribution", "arch", "mirror", "format", "as"]


def ask(client: Client, **query: str) -> Any:
    return client.get(f"/repositories/?{urlencode(query)}")


def test_nothing_that_was_typed_reaches_an_answer(release: Release, client: Client) -> None:
    for name in WISHES:
        for number, wish in enumerate(HOSTILE):
            for form in ["text", "json"] if number else ["html", "text", "json"]:
                query = {"as": form, name: wish}
                answer = ask(client, **query)
                kept = name == "as" or (name == "format" and form != "text")
                expected = 400 if "\x00" in wish else 200 if kept else 404
                assert answer.status_code == expected, query
                # the theme form at the foot names the page it came from, escaped; nothing else does
                said = answer.content.decode().partition("<footer")[0]
                assert wish not in said, query
                assert json.dumps(wish)[1:-1] not in said, query


def test_an_address_of_what_is_not_there_says_what_is(
    dana: User, release: Release, signer: LocalSigner, client: Client
) -> None:
    other = factory.make_draft("11.8.1", "beta")
    data = factory.deb("11.8.1")
    factory.accept(
        actor=dana,
        release=other,
        name="exampledb-server_11.8.1_amd64.deb",
        data=data,
        distributions=["debian-13"],
    )
    factory.publish(actor=dana, release=other, signer=signer)

    def page(**query: str) -> str:
        answer = ask(client, **query)
        assert answer.status_code == 404
        return str(answer.content.decode())

    said = page(series="11.8", distribution="debian-12")
    assert "ExampleDB 11.8 is not published for Debian 12" in said
    assert "series=11.8&amp;distribution=debian-13" in said
    assert "series=12.3&amp;distribution=debian-12" in said
    assert "No such series of ExampleDB" in page(series="9.9")
    assert "There is no such product" in page(product="x")
    assert "We do not know this system" in page(distribution="plan9-4")
    assert "is not built for this processor" in page(distribution="rhel-9", arch="s390x")
    assert "This mirror is not offered now" in page(mirror="nowhere")

    text = page(series="12.3", distribution="debian-13", format="sources")
    assert all(line.startswith("#") for line in text.strip().splitlines())
    assert "Distributions of 12.3: debian-12 rhel-9" in text
    found = ask(client, series="9.9", **{"as": "json"}).json()
    assert found["missing"] == ["series"]
    assert [known["name"] for known in found["offered"]["series"]] == ["12.3", "11.8"]


def test_a_tab_that_the_system_has_not_becomes_the_first_one(
    release: Release, client: Client
) -> None:
    query = {"distribution": "rhel-9", "format": "sources"}
    assert ask(client, **query).status_code == 404
    page = ask(client, **query, **{"as": "html"})
    assert page.status_code == 200
    assert "/etc/yum.repos.d/exampledb.repo" in page.content.decode()


def test_without_a_publication_there_is_an_empty_page(db: None, client: Client) -> None:
    assert b"No repository is published yet" in client.get("/repositories/").content
    for query in ["format=sources", "as=json"]:
        assert client.get(f"/repositories/?{query}").status_code == 404


def test_the_file_as_text_is_the_file_of_the_page(release: Release, client: Client) -> None:
    found = ask(client, distribution="debian-12", **{"as": "json"}).json()
    (text,) = [piece["text"] for piece in found["formats"]["sources"] if piece["kind"] == "file"]
    plain = ask(client, distribution="debian-12", format="sources").content.decode()
    assert plain.startswith(text)
    assert "URIs: http://localhost:8000/repo/12.3/debian\n" in text
    assert [known["name"] for known in found["offered"]["series"]] == ["12.3"]
    assert [len(key["fingerprint"]) for key in found["keys"]] == [40]
    wanted = {"product": "exampledb", "series": "12.3", "distribution": "debian-12"}
    assert found["choice"] == {**wanted, "arch": "amd64"}


def test_a_program_says_what_it_wants_by_address_or_header(
    release: Release, client: Client
) -> None:
    def kind(path: str, accept: str = "*/*") -> str:
        answer = client.get(path, headers={"accept": accept})
        assert "Accept" in answer["Vary"]
        is_page = answer["Content-Type"].startswith("text/html")
        assert answer.get("Access-Control-Allow-Origin") == (None if is_page else "*")
        return str(answer["Content-Type"].partition(";")[0])

    browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    system = "/repositories/?distribution=debian-12"
    assert kind(system) == "text/html"
    assert kind(system, browser) == "text/html"
    assert kind(system, "application/json") == "application/json"
    assert kind(f"{system}&format=sources", browser) == "text/plain"
    assert kind(f"{system}&format=sources", "application/json") == "application/json"
    assert kind(f"{system}&format=sources&as=html") == "text/html"
    assert kind(f"{system}&format=json") == "application/json"
    assert kind(f"{system}&as=json", browser) == "application/json"


def test_an_answer_is_asked_for_in_three_queries_and_sent_once(
    release: Release, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for query in ["", "format=sources", "as=json"]:
        with django_assert_max_num_queries(3):
            answer = client.get(f"/repositories/?{query}")
        again = client.get(f"/repositories/?{query}", headers={"if-none-match": answer["ETag"]})
        assert (again.status_code, again.content) == (304, b"")


def test_the_first_choice_is_stable_long_term_and_supported(
    dana: User, release: Release, signer: LocalSigner, client: Client
) -> None:
    other = factory.make_draft("11.8.1", "beta")
    factory.add_files(actor=dana, release=other)
    factory.publish(actor=dana, release=other, signer=signer)
    Release.objects.filter(pk=other.pk).update(maturity="stable")
    assert ask(client, **{"as": "json"}).json()["choice"]["series"] == "11.8"
    Series.objects.filter(name="11.8").update(eol_on="2020-01-01")
    assert ask(client, **{"as": "json"}).json()["choice"]["series"] == "12.3"
    page = client.get("/repositories/?series=11.8").content
    assert b"no longer supported" in page
    assert ask(client, series="11.8", **{"as": "json"}).json()["is_ended"] is True


def test_an_exact_version_that_was_withdrawn_stays_with_a_warning_in_every_form(
    dana: User, release: Release, client: Client
) -> None:
    yank_release(actor=dana, release=release, reason="It loses rows.", at=timezone.now())
    query = {"series": "12.3.0", "distribution": "debian-12"}
    page = ask(client, **query).content.decode()
    assert "It loses rows." in page
    assert "<span>12.3.0<small>withdrawn</small></span>" in page
    found = ask(client, **query, **{"as": "json"}).json()
    assert found["is_withdrawn"] is True
    assert [known["is_withdrawn"] for known in found["offered"]["versions"]] == [True]
    head, warning, *_ = ask(client, **query, format="sources").content.decode().splitlines()
    assert head.startswith("# ExampleDB 12.3.0 for Debian 12, generated ")
    assert warning == "# Warning: 12.3.0 was withdrawn. Its page says why."


def test_a_file_warns_of_what_its_page_warns_of(release: Release, client: Client) -> None:
    Series.objects.filter(name="12.3").update(eol_on="2020-01-01")
    Release.objects.filter(pk=release.pk).update(maturity="alpha")
    text = ask(client, distribution="debian-12", format="sources").content.decode()
    assert [line for line in text.splitlines() if "Warning" in line] == [
        "# Warning: ExampleDB 12.3 is not for production.",
        "# Warning: ExampleDB 12.3 is no longer supported and gets no more fixes.",
    ]


def test_an_ended_system_is_offered_last_and_says_so(
    dana: User, draft: Release, signer: LocalSigner, client: Client
) -> None:
    data = factory.deb(text="for bullseye", version="12.3.0+deb11")
    factory.accept(
        actor=dana,
        release=draft,
        name="exampledb-server_12.3.0+deb11_amd64.deb",
        data=data,
        distributions=["debian-11"],
    )
    factory.publish(actor=dana, release=draft, signer=signer)
    assert ask(client, **{"as": "json"}).json()["choice"]["distribution"] == "debian-12"
    page = ask(client, distribution="debian-11").content.decode()
    assert "Debian 11 is no longer supported" in page
    text = ask(client, distribution="debian-11", format="sources").content.decode()
    assert "# Warning: Debian 11 is no longer supported by its makers." in text


def test_a_product_without_a_named_package_offers_the_first_one(
    release: Release, client: Client
) -> None:
    product = release.series.product
    type(product).objects.update(package="something-else")
    found = ask(client, distribution="rhel-9", **{"as": "json"}).json()
    assert found["package"] == "exampledb-server"


def test_one_processor_has_two_names(release: Release, client: Client) -> None:
    for name in ["x86_64", "amd64"]:
        found = ask(client, distribution="debian-12", arch=name, **{"as": "json"}).json()
        assert found["choice"]["arch"] == "amd64"


def test_aliases_and_exact_versions_are_names_like_a_series(
    release: Release, signer: LocalSigner, client: Client
) -> None:
    series = release.series
    Alias.objects.create(
        product=series.product, name="latest", series=series, moved_at=timezone.now()
    )
    found = ask(client, series="latest", distribution="debian-12", **{"as": "json"}).json()
    assert found["address"].endswith("/repo/latest/debian")
    assert [one["name"] for one in found["offered"]["aliases"]] == ["latest"]
    assert [one["name"] for one in found["offered"]["versions"]] == ["12.3.0"]
    pinned = ask(client, series="12.3.0", distribution="debian-12", format="sources")
    assert "/repo/12.3.0/debian\n" in pinned.content.decode()
    page = client.get("/repositories/?series=latest").content.decode()
    assert "now 12.3" in page
    assert "Exact versions, never updated" in page
    assert client.get("/repositories/?as=json").json()["choice"]["series"] == "12.3"


def test_a_mirror_serves_the_packages_and_we_serve_the_keys(
    release: Release, client: Client
) -> None:
    mirror = factory.make_mirror("north", health=Mirror.Health.HEALTHY)
    base = mirror.base_url.rstrip("/")
    for system, output, area in [("debian-12", "sources", "repo"), ("rhel-9", "repo", "yum")]:
        wish = {"distribution": system, "mirror": "north"}
        text = ask(client, **wish, format=output).content.decode()
        assert f"{base}/{area}/12.3/" in text
        ours = [line for line in text.splitlines() if base not in line]
        assert not any(f"/{area}/" in line for line in ours)
        assert f"{base}/keys/" not in text
        assert "/keys/exampledb-archive-keyring." in text
    page = ask(client, distribution="debian-12", mirror="north").content.decode()
    assert '<option value="north" selected>' in page
    assert f"URIs: {base}/repo/12.3/debian" in page.replace("<wbr>", "")
    found = ask(client, mirror="north", **{"as": "json"}).json()
    assert found["choice"]["mirror"] == "north"
    Mirror.objects.update(state=Mirror.State.PAUSED)
    assert ask(client, mirror="north", format="sources").status_code == 404
