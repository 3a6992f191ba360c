"""An answer 429 says for how long to wait."""

from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from portal.lib import ratelimit
from portal.too_often import TooOftenMiddleware


def answer_to(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    answer = TooOftenMiddleware(lambda _request: response)(request)
    assert isinstance(answer, HttpResponse)
    return answer


def stopped() -> HttpRequest:
    request = RequestFactory().get("/")
    ratelimit.stop(request, 90)
    return request


def test_who_was_stopped_is_told_when_the_limit_ends() -> None:
    assert answer_to(stopped(), HttpResponse(status=429))["Retry-After"] == "90"


def test_what_the_view_says_of_it_stands() -> None:
    own = HttpResponse(status=429, headers={"Retry-After": "5"})
    assert answer_to(stopped(), own)["Retry-After"] == "5"


def test_other_answers_and_other_limits_say_nothing() -> None:
    assert "Retry-After" not in answer_to(stopped(), HttpResponse())
    unknown = answer_to(RequestFactory().get("/"), HttpResponse(status=429))
    assert "Retry-After" not in unknown
