"""No address has a NUL byte in it: PostgreSQL keeps none in text, so a question with one is refused
before a page asks.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _


class NulMiddleware:
    """Answers 400 to a NUL byte in the path, in the query or in a cookie."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not has_nul(request):
            return self.get_response(request)
        words = _("An address has no NUL byte in it. Take the “%00” out.")
        return HttpResponse(f"{words}\n", status=400, content_type="text/plain; charset=utf-8")


def has_nul(request: HttpRequest) -> bool:
    """Whether something that pages look up has one, as it is or as %00."""
    query = request.META.get("QUERY_STRING", "")
    told = (request.path_info, query, *request.COOKIES.values())
    return "%00" in query or any("\0" in text for text in told)
