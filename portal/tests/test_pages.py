import json
import logging

import pytest
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import path
from pytest_django import Settings

from portal import navigation, urls, views


def test_a_theme_is_kept_in_a_cookie_and_rendered_by_the_server(client: Client) -> None:
    answer = client.post("/theme/", {"theme": "dark", "next": "/styleguide/"})
    assert answer.status_code == 302
    assert answer["Location"] == "/styleguide/"
    assert client.cookies["theme"].value == "dark"
    assert 'data-theme="dark"' in client.get("/styleguide/").content.decode()
    client.post("/theme/", {"theme": "system", "next": "/"})
    assert "data-theme=" not in client.get("/styleguide/").content.decode()


@pytest.mark.parametrize("target", ["https://elsewhere.example/", "//elsewhere.example", "", "x:y"])
def test_the_theme_form_leads_nowhere_else(client: Client, target: str) -> None:
    answer = client.post("/theme/", {"theme": "dark", "next": target})
    assert answer["Location"] == "/"


def test_a_colour_that_is_none_is_not_kept(client: Client) -> None:
    client.post("/theme/", {"theme": '"><script>', "next": "/"})
    assert "theme" not in client.cookies
    client.cookies["theme"] = "plaid"
    assert "data-theme=" not in client.get("/styleguide/").content.decode()


def test_public_pages_are_the_same_for_everyone_without_an_account(client: Client) -> None:
    """No token, no session: two strangers get the same bytes, so that caches and ETags work."""
    first, second = client.get("/styleguide/"), Client().get("/styleguide/")
    assert first.content == second.content
    assert not first.cookies


def test_a_policy_report_is_one_line_in_the_log(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    report = {
        "document-uri": "https://portal.example/",
        "blocked-uri": "inline" + "x" * 1000,
        "effective-directive": "script-src-elem\nforged line",
    }
    with caplog.at_level(logging.WARNING, logger="portal.views"):
        answer = client.post(
            "/csp-report/", json.dumps({"csp-report": report}), "application/csp-report"
        )
    assert answer.status_code == 204
    [line] = [record.getMessage() for record in caplog.records if record.name == "portal.views"]
    assert "script-src-elem" in line
    assert "\n" not in line
    assert len(line) < 800


@pytest.mark.parametrize("body", ["", "[]", "{}", '{"csp-report": 1}', "\x00", "[" * 16_000])
def test_what_is_no_policy_report_is_refused(client: Client, body: str) -> None:
    assert client.post("/csp-report/", body, "application/csp-report").status_code == 400


def test_a_policy_report_has_a_limit(client: Client) -> None:
    body = json.dumps({"csp-report": {"blocked-uri": "x" * 20_000}})
    assert client.post("/csp-report/", body, "application/csp-report").status_code == 413


def test_nobody_fills_the_log_with_policy_reports(client: Client) -> None:
    cache.clear()
    body = json.dumps({"csp-report": {"blocked-uri": "inline"}})
    answers = [
        client.post("/csp-report/", body, "application/csp-report").status_code
        for _each in range(views.REPORTS_AN_HOUR + 1)
    ]
    assert answers[-2:] == [204, 429]


def test_robots_are_told_of_the_sitemap_and_kept_from_private_pages(client: Client) -> None:
    text = client.get("/robots.txt").content.decode()
    assert "Sitemap: http://testserver/sitemap.xml" in text
    assert "Disallow: /accounts/" in text


@pytest.mark.django_db
def test_the_sitemap_names_pages_that_answer(client: Client) -> None:
    answer = client.get("/sitemap.xml")
    assert answer.status_code == 200
    assert "<loc>http://testserver/news/</loc>" in answer.content.decode()
    assert "/accounts/" not in answer.content.decode()


def test_the_icon_has_an_address_of_old(client: Client) -> None:
    assert client.get("/favicon.ico")["Location"].endswith("mark.svg")


def test_every_link_of_the_frame_leads_to_a_view() -> None:
    links = [
        *navigation.main_links("/"),
        *[link for group in navigation.foot_groups() for link in group.links],
    ]
    assert links
    for link in links:
        assert navigation._exists(link.path), link.path


def test_the_area_of_a_page_is_marked_in_the_menu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(navigation, "_exists", lambda path: path != "/benchmarks/")
    marks = {link.path: link.current for link in navigation.main_links("/releases/exampledb/")}
    assert marks["/releases/"] == "true"
    assert marks["/statistics/"] == ""
    assert "/benchmarks/" not in marks
    assert navigation.main_links("/releases/")[0].current == "page"
    assert navigation.search_path() == "/search/"


# ── errors ───────────────────────────────────────────────────────────────────
def broken(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("on purpose")


def forbidden(request: HttpRequest) -> HttpResponse:
    raise PermissionDenied


class WithErrors:
    """The table of contents with two views that fail."""

    urlpatterns = [*urls.urlpatterns, path("broken/", broken), path("forbidden/", forbidden)]
    handler500 = urls.handler500


@pytest.fixture
def failing(client: Client, settings: Settings) -> Client:
    settings.ROOT_URLCONF = WithErrors
    client.raise_request_exception = False
    return client


def test_a_missing_page_says_so_and_shows_the_way(client: Client) -> None:
    answer = client.get("/no/such/page/")
    assert answer.status_code == 404
    assert "There is no record at this address" in answer.content.decode()


def test_a_forbidden_page_says_what_to_do(failing: Client) -> None:
    answer = failing.get("/forbidden/")
    assert answer.status_code == 403
    assert "Sign in" in answer.content.decode()


def test_our_own_mistake_has_a_page(failing: Client) -> None:
    failing.cookies["theme"] = "dark"
    answer = failing.get("/broken/")
    assert answer.status_code == 500
    text = answer.content.decode()
    assert "Something broke on our side" in text
    assert 'data-theme="dark"' in text


def test_the_page_of_our_mistakes_needs_no_database(rf: RequestFactory) -> None:
    """Without the mark of a database test, any query raises."""
    request = rf.get("/broken/")
    request.COOKIES["sessionid"] = "a" * 32
    assert views.server_error(request).status_code == 500


def test_a_form_without_its_token_is_explained() -> None:
    strict = Client(enforce_csrf_checks=True)
    answer = strict.post("/accounts/login/", {"login": "x"})
    assert answer.status_code == 403
    assert "Nothing was changed" in answer.content.decode()
