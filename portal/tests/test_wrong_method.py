"""What somebody reads who opens an address that only takes what a form sends."""

from django.http import HttpResponse
from django.test import Client, RequestFactory

from portal.wrong_method import WrongMethodMiddleware


def test_who_opens_the_address_of_a_form_reads_a_page(client: Client) -> None:
    answer = client.get("/theme/", headers={"Accept": "text/html,*/*"})
    assert answer.status_code == 405
    assert answer["Allow"] == "POST"
    assert answer["Content-Type"].startswith("text/html")
    page = answer.content.decode()
    assert "only takes what a form sends" in page
    assert 'class="button" href="/"' in page


def test_a_program_reads_no_page(client: Client) -> None:
    assert client.get("/theme/", headers={"Accept": "application/json"}).content == b""
    assert client.put("/theme/", headers={"Accept": "text/html"}).content == b""


def test_an_answer_with_words_of_its_own_keeps_them() -> None:
    own = WrongMethodMiddleware(lambda _request: HttpResponse("by post only", status=405))
    answer = own(RequestFactory().get("/theme/", headers={"Accept": "text/html"}))
    assert isinstance(answer, HttpResponse)
    assert answer.content == b"by post only"


def test_methods_that_nobody_asks_by_reach_no_view(client: Client) -> None:
    """Views that look for POST alone took TRACE for a question."""
    assert client.trace("/api/v1/openapi.json").status_code == 405
    assert client.generic("FOO", "/health/live").status_code == 405
