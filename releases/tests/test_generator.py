"""The generator offers what is published and nothing that a visitor typed."""

from __future__ import annotations

import json
from datetime import date
from urllib.parse import urlencode

import pytest
from django.test import Client

from portal.accounts.models import User
from releases import configurator
from releases.distributions import DISTRIBUTIONS
from releases.models import Release, Series
from releases.signer.local import LocalSigner
from releases.tests import factory

HOSTILE = [
    "$(reboot)",
    "`id`",
    "'; rm -rf / #",
    '"><script>alert(1)</script>',
    "../../etc/passwd",
    "11.8\nTypes: deb-src",
    "\u202e",
    "%00",
]


@pytest.mark.parametrize("name", ["product", "series", "distribution", "arch", "output"])
@pytest.mark.parametrize("wish", HOSTILE)
def test_nothing_that_was_typed_reaches_an_output(
    release: Release, client: Client, name: str, wish: str
) -> None:
    plain = client.get("/repositories/?format=json").json()
    query = urlencode({name: wish})
    assert client.get(f"/repositories/?{query}&format=json").json() == plain
    assert wish not in client.get(f"/repositories/?{query}&format=sources").content.decode()
    page = client.get(f"/repositories/?{query}").content.decode()
    assert "<script>alert" not in page
    # the theme form at the foot names the page it came from, escaped; nothing else does
    assert wish not in page.partition("<footer")[0]


@pytest.mark.parametrize("wish", [*HOSTILE, "repo", "nothing"])
def test_a_format_that_is_not_offered_is_404(release: Release, client: Client, wish: str) -> None:
    query = urlencode({"distribution": "debian-12", "format": wish})
    assert client.get(f"/repositories/?{query}").status_code == 404


def test_without_a_publication_there_is_an_empty_page(db: None, client: Client) -> None:
    assert b"No repository is published yet" in client.get("/repositories/").content
    assert client.get("/repositories/?format=sources").status_code == 404


def test_the_file_as_text_is_the_file_of_the_page(release: Release, client: Client) -> None:
    found = client.get("/repositories/?distribution=debian-12&format=json").json()
    (text,) = [piece["text"] for piece in found["formats"]["sources"] if piece["kind"] == "file"]
    plain = client.get("/repositories/?distribution=debian-12&format=sources").content.decode()
    assert text in plain
    assert "URIs: http://localhost:8000/repo/12.3/debian\n" in text
    assert found["offered"]["series"] == ["12.3"]
    assert found["key"]["fingerprint"]
    assert json.dumps(found["choice"]) == json.dumps(
        {"product": "exampledb", "series": "12.3", "distribution": "debian-12", "arch": "amd64"}
    )


def test_the_first_choice_is_stable_long_term_and_supported(
    dana: User, release: Release, signer: LocalSigner, client: Client
) -> None:
    other = factory.make_draft("11.8.1", "beta")
    factory.add_files(actor=dana, release=other)
    factory.publish(actor=dana, release=other, signer=signer)
    Release.objects.filter(pk=other.pk).update(maturity="stable")
    assert client.get("/repositories/?format=json").json()["choice"]["series"] == "11.8"
    Series.objects.filter(name="11.8").update(eol_on="2020-01-01")
    assert client.get("/repositories/?format=json").json()["choice"]["series"] == "12.3"
    page = client.get("/repositories/?series=11.8").content
    assert b"no longer supported" in page


def choice(slug: str) -> configurator.Choice:
    system = DISTRIBUTIONS[slug]
    return configurator.Choice(
        product="p",
        title="P 1",
        series="1",
        system=system.name,
        tool=system.tool,
        codename=system.codename,
        architecture="a",
        address="https://x/y",
        key_address="https://x/keys/k",
        key_name="k",
        package="p-server",
        generated_on=date(2026, 1, 2),
        red_hat=system.family == "rhel",
    )


@pytest.mark.parametrize("slug", DISTRIBUTIONS)
def test_every_distribution_has_an_output_with_one_file(slug: str) -> None:
    outputs = configurator.outputs_for(DISTRIBUTIONS[slug].tool)
    assert outputs
    for output in outputs:
        pieces = output.write(choice(slug))
        assert [piece.kind for piece in pieces].count("file") == 1
        assert pieces[-1].kind == "install"
        for line in configurator.plain_text(choice(slug), output).splitlines():
            assert line


def test_module_hotfixes_are_for_red_hat_alone() -> None:
    repo = configurator.OUTPUTS["repo"]
    assert "module_hotfixes=1" in configurator.plain_text(choice("rhel-9"), repo)
    assert "module_hotfixes=1" not in configurator.plain_text(choice("fedora-43"), repo)
    zypper = configurator.OUTPUTS["zypper"]
    assert "autorefresh=1" in configurator.plain_text(choice("sles-15"), zypper)
