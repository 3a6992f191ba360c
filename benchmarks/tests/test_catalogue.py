"""Connectors are products of the release catalogue, and their versions are its releases."""

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from benchmarks.catalogue import catalogued, product_slug
from benchmarks.models import Result
from benchmarks.tests.test_pages import page, upload
from benchmarks.tests.uploads import native
from portal.accounts.models import User
from releases.models import Product, Release, Series


def released(version: str, *, slug: str = "connector-c", is_out: bool = True) -> None:
    product, _made = Product.objects.get_or_create(
        slug=slug, defaults={"name": slug.title(), "description": "x", "license": "x"}
    )
    series, _made = Series.objects.get_or_create(product=product, name="3.4", support="long")
    out = timezone.now() - dt.timedelta(days=1) if is_out else None
    Release.objects.create(series=series, version=version, maturity="stable", published_at=out)


@pytest.mark.parametrize(
    ("subject", "slug"),
    [
        ("Connector/C", "connector-c"),
        ("MariaDB-JDBC", "mariadb-connector-j"),
        ("mariadb-java-client", "mariadb-connector-j"),
        ("MariaDB Connector/C++", "mariadb-connector-cpp"),
        ("PyMySQL", "pymysql"),
    ],
)
def test_a_connector_is_known_by_each_of_its_names(subject: str, slug: str) -> None:
    assert product_slug(subject) == slug


@pytest.mark.django_db
def test_a_version_is_a_release_when_it_is_out() -> None:
    released("3.4.1")
    released("3.4.2", is_out=False)
    pairs = [("Connector/C", "3.4.1"), ("Connector/C", "3.4.2"), ("PyMySQL", "1")]
    found = catalogued(pairs, at=timezone.now())
    assert found[pairs[0]].release_url == "/releases/connector-c/3.4.1/"
    assert found[pairs[1]].product == "Connector-C"
    assert found[pairs[1]].release_url == ""
    assert pairs[2] not in found


@pytest.mark.django_db
def test_a_ledger_leads_to_the_release(client: Client, charlie: User) -> None:
    released("3.4.1")
    upload(charlie, native([[1.0]] * 5, uid=1))
    upload(charlie, native([[1.0]] * 5, uid=2))
    for query in ("case=select_1", "case=all"):
        text = page(client, f"/benchmarks/connectors/?trust=all&{query}")
        assert 'href="/releases/connector-c/3.4.1/"' in text
    Result.objects.update(error="libc is too old")
    assert "/releases/connector-c/3.4.1/" in page(client, "/benchmarks/compatibility/")
