"""A page speaks the language of its reader; files and programs get the foundation's."""

import re
from pathlib import Path
from typing import Any, cast

import pytest
from django.conf import settings as configured
from django.http import HttpResponse
from django.test import Client
from django.utils import formats, translation

from portal.accounts.models import User
from portal.formats.de.formats import PATTERNS
from portal.language import is_for_programs
from portal.lib import languages
from portal.lib.models import OutboxMail
from portal.lib.money import Money
from tests.cast import PASSWORD

pytestmark = pytest.mark.django_db
PAGE = "/styleguide/"


@pytest.fixture(autouse=True)
def _two_languages(settings: Any) -> None:
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch")]


def spoken(answer: Any) -> str:
    found = re.search(r'<html lang="(\w+)" dir="ltr"', cast(HttpResponse, answer).content.decode())
    assert found is not None
    return found[1]


def test_a_page_follows_what_the_browser_asks_for(client: Client) -> None:
    assert spoken(client.get(PAGE)) == "en"
    answer = client.get(PAGE, headers={"Accept-Language": "de-AT, en;q=0.5"})
    assert spoken(answer) == "de"
    assert answer["Content-Language"] == "de"
    assert {"Accept-Language", "Cookie"} <= set(answer["Vary"].split(", "))
    assert spoken(client.get(PAGE, headers={"Accept-Language": "tlh"})) == "en"


def test_what_a_visitor_chose_at_the_foot_comes_before_that(client: Client) -> None:
    answer = client.post("/language/", {"language": "de", "next": PAGE})
    assert (answer.status_code, answer["Location"]) == (302, PAGE)
    assert spoken(client.get(PAGE, headers={"Accept-Language": "en"})) == "de"
    client.post("/language/", {"language": "en", "next": PAGE})
    assert spoken(client.get(PAGE, headers={"Accept-Language": "de"})) == "en"


def test_each_language_is_named_in_itself_and_the_chosen_one_is_marked(client: Client) -> None:
    text = client.get(PAGE).content.decode()
    assert re.search(r'value="en" lang="en" aria-pressed="true">English<', text)
    assert re.search(r'value="de" lang="de" aria-pressed="false">Deutsch<', text)


def test_a_single_language_is_no_choice(client: Client, settings: Any) -> None:
    settings.LANGUAGES = [("en", "English")]
    assert "/language/" not in client.get(PAGE).content.decode()


@pytest.mark.parametrize("target", ["https://elsewhere.example/", "//elsewhere.example", "", "x:y"])
def test_the_language_form_leads_nowhere_else(client: Client, target: str) -> None:
    assert client.post("/language/", {"language": "de", "next": target})["Location"] == "/"


def test_a_language_that_is_not_offered_is_not_kept(client: Client, alice: User) -> None:
    client.force_login(alice)
    client.post("/language/", {"language": "fr", "next": "/"})
    assert "language" not in client.cookies
    alice.refresh_from_db()
    assert alice.language == ""


def test_the_choice_of_a_person_is_kept_with_their_account(client: Client, alice: User) -> None:
    client.force_login(alice)
    client.post("/language/", {"language": "de", "next": "/"})
    alice.refresh_from_db()
    assert alice.language == "de"


def test_signing_in_brings_the_language_of_the_account(client: Client, charlie: User) -> None:
    User.objects.filter(pk=charlie.pk).update(language="de")
    client.post("/accounts/login/", {"login": charlie.email, "password": PASSWORD})
    assert client.cookies["language"].value == "de"


def test_an_account_without_one_takes_what_was_chosen_before(client: Client, charlie: User) -> None:
    client.cookies["language"] = "de"
    client.post("/accounts/login/", {"login": charlie.email, "password": PASSWORD})
    charlie.refresh_from_db()
    assert charlie.language == "de"


def test_letters_of_the_account_come_in_the_language_of_the_page(client: Client) -> None:
    form = {"name": "Jo", "email": "jo@example.org", "password1": PASSWORD, "password2": PASSWORD}
    client.post("/accounts/signup/", form, headers={"Accept-Language": "de"})
    assert User.objects.get(email="jo@example.org").language == "de"
    assert 'lang="de"' in OutboxMail.objects.get(recipient="jo@example.org").html


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/openapi.json",
        "/rest/v1/charts/series/",
        "/rest-api/exampledb/",
        "/supporters.json",
        "/statistics/series.csv",
        "/join/0b2f/invoice.pdf",
        "/governance/decisions.zip",
        "/news/feed.atom",
        "/repo_setup",
        "/metrics",
        "/health/ready",
    ],
)
def test_files_and_answers_to_programs_are_the_same_in_every_language(path: str) -> None:
    assert is_for_programs(path)


@pytest.mark.parametrize(
    "path", ["/", "/news/", "/releases/exampledb/12.3.0/", "/api", "/accounts/login/", "/no/page"]
)
def test_pages_are_for_people(path: str) -> None:
    assert not is_for_programs(path)


def test_a_file_has_no_language_to_vary_with(client: Client) -> None:
    answer = client.get("/robots.txt", headers={"Accept-Language": "de"})
    assert answer["Content-Language"] == "en"
    assert "Accept-Language" not in answer.get("Vary", "")


def test_what_is_of_record_is_in_the_language_of_the_foundation() -> None:
    with translation.override("de"):
        with languages.of_record():
            assert translation.get_language() == "en"
        assert translation.get_language() == "de"


def test_money_and_days_are_written_as_the_language_writes_them() -> None:
    amount = Money(1_250_050, "EUR")
    assert str(amount) == "12,500.50\N{NO-BREAK SPACE}€"
    with translation.override("de"):
        assert str(amount) == "12.500,50\N{NO-BREAK SPACE}€"


def test_every_pattern_with_a_day_has_its_german_form() -> None:
    root = Path(configured.BASE_DIR)
    sources = [*root.glob("templates/**/*.*"), *root.glob("[!.]*/**/*.py")]
    pattern = re.compile(r"""["']((?:l, )?j [MF][ \w,:]*)["']""")
    used = {
        found
        for path in sources
        if not {"tests", "formats", "locale"} & set(path.parts)
        for found in pattern.findall(path.read_text())
    }
    assert "j M Y" in used
    assert used <= set(PATTERNS)
    with translation.override("de"):
        assert formats.get_format("j F Y") == "j. F Y"


@pytest.mark.parametrize("language", ["en", "de"])
def test_fields_of_forms_hold_what_browsers_send_in_every_language(language: str) -> None:
    """A browser shows nothing in a field of dates that it cannot read."""
    with translation.override(language):
        assert formats.get_format("DATE_INPUT_FORMATS")[0] == "%Y-%m-%d"
        assert formats.get_format("TIME_INPUT_FORMATS")[0] == "%H:%M:%S"
        assert formats.get_format("DATETIME_INPUT_FORMATS")[0] == "%Y-%m-%d %H:%M:%S"
