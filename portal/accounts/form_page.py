"""Where somebody goes on who was signed out while they filled in a form."""

from urllib.parse import urlsplit

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

SAFE = {"GET", "HEAD"}


def wanted_page(request: HttpRequest, otherwise: str) -> str:
    """The page that was asked for; of a form that was sent, the page on which it stands, because
    the address it is sent to may have no page. `otherwise` where the browser does not say.
    """
    if request.method in SAFE:
        return request.get_full_path()
    sender = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(sender, {request.get_host()}, request.is_secure()):
        return otherwise
    parts = urlsplit(sender)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path
