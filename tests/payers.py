"""Who pays in the running portal, through its pages: a company, a donor, and erin who pays back.

Each step may be cut off by a process that dies; what a person does then is in the same class: they
look again, and press again.
"""

from __future__ import annotations

import re
import time
from html import unescape
from urllib.parse import urlsplit

import requests

from tests.stack import Stack

Row = tuple[object, ...]
ERIN = "erin@example.org"
PATIENCE = 30.0  # seconds


class Visitor:
    """A browser without a face: it opens a page and presses one of its buttons."""

    def __init__(self, stack: Stack, name: str) -> None:
        self.stack, self.name = stack, name
        self.session = requests.Session()

    @property
    def email(self) -> str:
        return f"payer@{self.name.lower()}.example"

    def press(self, page: str, path: str, **data: str) -> requests.Response:
        """Post to `path` with the token of `page`; the answer itself, not where it leads."""
        shown = self._settled(f"{self.stack.url}{page}")
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', shown.text)
        assert token is not None, f"{shown.url} ({shown.status_code}) has no form"
        return self.session.post(
            f"{self.stack.url}{path}",
            data=data | {"csrfmiddlewaretoken": token[1]},
            headers={"Referer": shown.url},
            timeout=60,
            allow_redirects=False,
        )

    def _settled(self, url: str) -> requests.Response:
        """The page, once it does not look again by itself any more: a browser waits as well."""
        deadline = time.monotonic() + PATIENCE
        while "data-await=" in (shown := self.session.get(url, timeout=30)).text:
            assert time.monotonic() < deadline, f"{url} still waits"
            time.sleep(0.5)
        return shown

    def pay(self, hosted: str) -> None:
        """By card, on the provider's page."""
        requests.post(hosted, data={"outcome": "paid"}, timeout=60, allow_redirects=False)


class Company(Visitor):
    """It signs up for a place in a tier."""

    path = ""

    def draft(self) -> Company:
        page = self.session.get(f"{self.stack.url}/join/", timeout=30).text
        found = re.search(r'href="(/join/new/[^"]*silver[^"]*)"', page)
        assert found is not None, page
        form = unescape(found[1])
        given = {"legal_name": f"{self.name} GmbH", "name": self.name, "country": "DE"}
        given["address"] = "Musterweg 1"
        owner = {"owner_name": "Olga", "owner_email": self.email, "is_listed": "on"}
        answer = self.press(form, form, **given, **owner)
        self.path = answer.headers["Location"].removesuffix("logo/")
        page = self.session.get(f"{self.stack.url}{self.path}agreement/", timeout=30).text
        digest = re.search(r'name="sha256" value="([0-9a-f]{64})"', page)
        assert digest is not None, page
        accepted = {"accepted_by": "Olga", "accepted": "on", "sha256": digest[1]}
        self.press(f"{self.path}agreement/", f"{self.path}agreement/", **accepted)
        return self

    def order(self) -> str:
        """The address to pay at: by the order button, or by the one of the status page."""
        payment = f"{self.path}payment/"
        page = self.session.get(f"{self.stack.url}{payment}", timeout=30)
        if urlsplit(page.url).path == payment:
            answer = self.press(payment, payment, pays_by="card", coupon_code="")
        else:
            answer = self.press(self.path, f"{self.path}pay/")
        return answer.headers["Location"]

    def signed_up(self) -> Company:
        self.pay(self.draft().order())
        return self

    # --- what is true of it in the end ---

    def is_shown(self) -> bool:
        page = requests.get(f"{self.stack.url}/supporters/", timeout=30).text
        return self.name in page.partition("<main")[2]

    def states(self) -> list[Row]:
        return self.stack.sql(
            "SELECT a.state, o.state FROM sponsors_application a"
            " JOIN payments_order o ON o.id = a.order_id WHERE a.name = %s",
            (self.name,),
        )

    def entries(self) -> list[Row]:
        return self.stack.sql(
            "SELECT e.kind, e.amount_minor FROM payments_ledgerentry e"
            " JOIN sponsors_application a ON a.order_id = e.order_id WHERE a.name = %s"
            " ORDER BY e.id",
            (self.name,),
        )

    def terms(self) -> list[Row]:
        return self.stack.sql(
            "SELECT t.ended_at IS NULL FROM members_term t JOIN members_organisation o"
            " ON o.id = t.organisation_id WHERE o.name = %s",
            (self.name,),
        )

    def letters(self) -> dict[str, int]:
        """How many of each kind were promised to it."""
        rows = self.stack.sql(
            "SELECT split_part(key, ':', 1), count(*) FROM lib_outboxmail WHERE recipient = %s"
            " GROUP BY 1",
            (self.email,),
        )
        return {str(kind).removeprefix("application."): int(str(n)) for kind, n in rows}


class Donor(Visitor):
    """Somebody who gives 25 EUR, once."""

    def give(self) -> str:
        """The address to pay at; pressed again, the page of the donation leads there too."""
        path = "/donate/?currency=EUR&often=once"
        given = {"amount": "25", "name": self.name, "email": self.email}
        return self.press(path, path, **given).headers["Location"]

    def donations(self) -> list[Row]:
        return self.stack.sql(
            "SELECT d.first_paid_at IS NOT NULL, o.state FROM donations_donation d"
            " JOIN payments_order o ON o.id = d.order_id WHERE d.name = %s ORDER BY d.id",
            (self.name,),
        )

    def entries(self) -> list[Row]:
        return self.stack.sql(
            "SELECT e.kind, e.amount_minor FROM payments_ledgerentry e JOIN donations_donation d"
            " ON d.order_id = e.order_id WHERE d.name = %s",
            (self.name,),
        )

    def letters(self) -> list[Row]:
        query = "SELECT split_part(key, ':', 1) FROM lib_outboxmail WHERE recipient = %s"
        return self.stack.sql(query, (self.email,))


class Treasurer(Visitor):
    """erin gives money back."""

    def __init__(self, stack: Stack) -> None:
        super().__init__(stack, "erin")
        self.session = stack.sign_in(ERIN)

    def refund(self, company: Company) -> None:
        """All of the company's payment."""
        [(pk, minor)] = self.stack.sql(
            "SELECT e.id, e.amount_minor FROM payments_ledgerentry e JOIN sponsors_application a"
            " ON a.order_id = e.order_id WHERE e.kind = 'payment' AND a.name = %s",
            (company.name,),
        )
        path = f"/books/entries/{pk}/refund/"
        page = self.session.get(f"{self.stack.url}{path}", timeout=30).text
        key = re.search(r'name="key" value="([0-9a-f-]{36})"', page)
        assert key is not None, page
        amount = f"{int(str(minor)) / 100:.2f}"
        self.press(path, path, amount=amount, reason="Asked for", key=key[1], step="refund")
