import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from portal import demonstration
from tests.cast import PASSWORD

pytestmark = pytest.mark.django_db
EMPTY = ("No release yet", "Nothing is being decided", "No reports yet", "No supporters yet")


def test_an_empty_foundation_says_what_will_be_here(client: Client) -> None:
    text = client.get("/").content.decode()
    for words in (*EMPTY, "No news yet"):
        assert words in text


@pytest.mark.proof
def test_the_home_page_shows_every_domain_at_little_cost_and_the_sitemap_names_it(
    client: Client, settings: Settings, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    settings.DEMONSTRATION = True
    settings.DEMONSTRATION_PASSWORD = PASSWORD
    demonstration.load()
    with django_assert_max_num_queries(15):
        text = client.get("/").content.decode()
    for words in (*EMPTY, "No news yet"):
        assert words not in text
    assert 'alt="Northwind Data"' in text
    assert "ExampleDB belongs to the people" in text
    assert "Accept the budget of the next year" in text
    named = client.get("/sitemap.xml").content.decode()
    for path in ("/releases/exampledb/", "/governance/motions/2026-01/", "/benchmarks/protocol/"):
        assert f"<loc>http://testserver{path}</loc>" in named
