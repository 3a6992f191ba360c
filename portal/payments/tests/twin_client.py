"""Speaking to the twin as a browser does, and looking at what it would deliver."""

import json
import sqlite3
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlencode

from portal.lib.money import Money
from portal.payments.providers import CheckoutRequest, HostedCheckout
from portal.payments.providers.twin import TwinProvider
from portal.payments.twin import events as queue
from portal.payments.twin.events import waiting

REFERENCE = "0b5a3c5e-8d1e-4f3e-9a53-0a7f8f1f0d11"
PRICE = Money(5_000_00, "EUR")


def request(attempt: int = 0) -> CheckoutRequest:
    back = "http://portal.example/join/x/"
    return CheckoutRequest(
        REFERENCE, "Silver", PRICE, "b@acme.example", back, back + "?{CHECKOUT_SESSION_ID}", attempt
    )


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any) -> None:
        return None


def post(url: str, site: str = "same-origin", **form: str) -> tuple[int, str, str]:
    """Status, Location and text of the answer to a form of a page."""
    headers = {"Sec-Fetch-Site": site}
    asked = urllib.request.Request(url, urlencode(form).encode(), headers)  # noqa: S310
    try:
        with urllib.request.build_opener(NoRedirect).open(asked) as answer:
            return answer.status, "", answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers.get("Location", ""), error.read().decode()


def get(url: str) -> tuple[int, str, Any]:
    try:
        with urllib.request.urlopen(url) as answer:  # noqa: S310
            return answer.status, answer.read().decode(), answer.headers
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(), error.headers


def events(twin: Any) -> list[tuple[str, dict[str, Any]]]:
    with sqlite3.connect(twin.state.path) as connection:
        rows = connection.execute("SELECT body FROM event ORDER BY rowid").fetchall()
    found = [json.loads(row[0]) for row in rows]
    return [(event["type"], event["data"]["object"]) for event in found]


def deliveries(twin: Any) -> int:
    with twin.state.changing() as change:
        return waiting(change)[0]


def due(twin: Any) -> list[str]:
    with twin.state.changing() as change:
        return [json.loads(body)["type"] for _, _, body in queue.due(change, 9e12)]


def opened(source: TwinProvider) -> HostedCheckout:
    return source.create_checkout(request())
