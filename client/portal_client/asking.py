"""Reads of the JSON API, with its refusals as errors that say what to do."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any, Dict

from portal_client.errors import REFUSED, UNKNOWN_TOKEN, UNREACHABLE, PortalError
from portal_client.settings import Settings

TIMEOUT = 30.0


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the token elsewhere."""

    def redirect_request(self, *_: Any) -> None:
        return None


OPENER = urllib.request.build_opener(NoRedirect)


def get(settings: Settings, path: str, *, also: int = 200) -> Any:
    """The JSON at `path`, with the status `also` too. Raises PortalError."""
    return json.loads(fetch(settings, path, accept="application/json", also=also))


def fetch(settings: Settings, path: str, *, accept: str = "*/*", also: int = 200) -> bytes:
    """The bytes at `path`, with the status `also` too. Raises PortalError."""
    address = f"{settings.url}{path}"
    request = urllib.request.Request(address, headers={"Accept": accept})
    if settings.token and path.startswith("/api/"):
        request.add_header("Authorization", f"Bearer {settings.token}")
    try:
        with OPENER.open(request, timeout=TIMEOUT) as answer:
            body: bytes = answer.read()
            return body
    except urllib.error.HTTPError as error:
        with error:
            body = error.read()
            if error.code == also:
                return body
            raise refusal(error.code, body, address) from None
    except (OSError, ValueError) as error:
        words = f"{settings.url} does not answer: {error}. Look at the address and try again."
        raise PortalError(UNREACHABLE, words) from None


def refusal(status: int, body: bytes, address: str) -> PortalError:
    """A refusal of the portal in its own words."""
    detail = _told(body).get("detail") or f"{address} answered {status}."
    if status == 401:
        return PortalError(UNKNOWN_TOKEN, f"{detail}")
    return PortalError(UNREACHABLE if status >= 500 else REFUSED, str(detail))


def _told(body: bytes) -> Dict[str, Any]:
    try:
        found = json.loads(body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
