import pytest
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.test import Client, RequestFactory

from portal.accounts.models import User
from portal.personal import PersonalMiddleware
from tests.cast import sign_in

NEVER = "private, no-cache"


def answered(answer: HttpResponse, cookie: str = "sessionid=a") -> HttpResponseBase:
    def view(request: HttpRequest) -> HttpResponseBase:
        return answer

    return PersonalMiddleware(view)(RequestFactory(headers={"Cookie": cookie}).get("/"))


def test_what_depends_on_a_session_is_for_one_person() -> None:
    assert answered(HttpResponse(headers={"Vary": "Cookie"}))["Cache-Control"] == NEVER


def test_what_a_view_says_of_caches_stays() -> None:
    told = HttpResponse(headers={"Vary": "Cookie", "Cache-Control": "no-store"})
    assert answered(told)["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("headers", "cookie"), [({}, "sessionid=a"), ({"Vary": "Cookie"}, "theme=dark")]
)
def test_what_is_the_same_for_everybody_may_be_kept(headers: dict[str, str], cookie: str) -> None:
    assert "Cache-Control" not in answered(HttpResponse(headers=headers), cookie).headers


@pytest.mark.django_db
def test_pages_of_a_person_are_theirs_alone(charlie: User) -> None:
    client = sign_in(charlie)
    for path in ("/", "/accounts/", "/accounts/tokens/", "/nowhere/"):
        told = client.get(path).headers["Cache-Control"]
        assert "private" in told
        assert "no-cache" in told


@pytest.mark.django_db
@pytest.mark.parametrize("person", ["charlie", "frank"])
def test_signing_out_takes_what_the_browser_kept(
    person: str, request: pytest.FixtureRequest
) -> None:
    client = sign_in(request.getfixturevalue(person))
    assert "Clear-Site-Data" not in client.get("/accounts/").headers
    assert client.post("/accounts/logout/").headers["Clear-Site-Data"] == '"cache"'
    assert "Clear-Site-Data" not in Client().get("/").headers
