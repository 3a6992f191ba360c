"""The treasurer's pages: what is found, what adds up, and where each amount leads."""

import csv
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.books.dashboard import object_url
from portal.books.tables import provider_url
from portal.books.tests.rows import make_event, paid_by_bank, paid_by_provider, refunded
from portal.lib.money import Money
from portal.payments.models import ProviderEvent
from portal.payments.tests.factories import make_dispute, make_invoice, make_order
from tests.supporters import make_application, session_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def keeper(erin: User, client_for: Callable[[User], Client]) -> Client:
    return client_for(erin)


@pytest.fixture
def staff(frank: User, client_for: Callable[[User], Client]) -> Client:
    return client_for(frank)


def text(client: Client, path: str) -> str:
    return client.get(path).content.decode()


def rows(client: Client, path: str) -> list[dict[str, str]]:
    answer: Any = client.get(path)
    assert answer.headers["Content-Type"].startswith("text/csv")
    return list(csv.DictReader(b"".join(answer.streaming_content).decode().splitlines()))


PLACES = ["", "ledger/", "balances/", "reconciliations/", "events/", "disputes/"]


@pytest.mark.parametrize("place", PLACES)
def test_an_empty_page_says_what_will_be_here(keeper: Client, place: str) -> None:
    assert 'class="empty' in text(keeper, f"/books/{place}")


def test_the_desk_is_on_the_treasurers_own_page(keeper: Client) -> None:
    assert 'href="/books/"' in text(keeper, "/accounts/")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", {"Acme", "Bolt", "Cog"}),
        ("state=paid", {"Acme", "Cog"}),
        ("state=invoiced", {"Bolt"}),
        ("state=overdue", {"Bolt"}),
        ("state=nonsense&year=x&sort=y", {"Acme", "Bolt", "Cog"}),
        ("currency=USD", {"Cog"}),
        ("year=1999", {"Acme", "Bolt", "Cog"}),
        ("q=bolt", {"Bolt"}),
        ("q=INV-", {"Bolt"}),
        ("q=SEPA+Bolt+Ltd+our+order+INV2026F7", {"Bolt"}),
        ("q=transfer+for+TWIN+0009", {"Bolt"}),
        ("q=pi_found", {"Cog"}),
        ("q=nobody", set()),
        ("sort=payer&q=o", {"Bolt", "Cog"}),
    ],
)
def test_orders_are_searched_filtered_and_exported(
    keeper: Client, erin: User, query: str, found: set[str]
) -> None:
    def named(name: str, **fields: Any) -> dict[str, Any]:
        return {"billing_name": name, "billing_email": f"{name.lower()}@x.example", **fields}

    paid_by_bank(erin, make_order(**named("Acme")))
    make_invoice(make_order(**named("Bolt")), number="INV-2026-F7", provider_number="TWIN-0009")
    dollars = make_order(amount=Money(9_00, "USD"), description="=1+1", **named("Cog"))
    paid_by_provider(dollars, ref="pi_found")
    exported = rows(keeper, f"/books/orders.csv?{query}")
    assert {row["payer"] for row in exported} == found
    assert {row["description"] for row in exported} <= {"Silver member 2026", "'=1+1"}
    page = text(keeper, f"/books/?{query}")
    assert all((f">{name}</a>" in page) == (name in found) for name in ("Acme", "Bolt", "Cog"))


@pytest.mark.parametrize("sort", ["newest", "oldest", "payer", "amount", "paid"])
def test_orders_are_sorted(keeper: Client, erin: User, sort: str) -> None:
    paid_by_bank(erin, make_order(billing_name="A"))
    make_order(billing_name="B", amount=Money(1, "EUR"))
    expected = "BA" if sort == "newest" else "AB"
    exported = rows(keeper, f"/books/orders.csv?sort={sort}")
    assert "".join(row["payer"] for row in exported) == expected
    assert [row["received"] for row in exported if row["payer"] == "B"] == ["0.00"]


def test_an_order_is_found_by_its_reference_and_shows_what_it_is_made_of(
    keeper: Client, erin: User, settings: Any
) -> None:
    settings.STRIPE_SECRET_KEY = "sk_test_1"
    order = make_order()
    make_invoice(order)
    make_dispute(order)
    entry = paid_by_provider(order)
    assert len(rows(keeper, f"/books/orders.csv?q={order.reference}")) == 1
    page = text(keeper, f"/books/orders/{order.reference}/")
    assert entry.provider_ref in page
    assert f"row {entry.pk}" in page
    assert f"/books/entries/{entry.pk}/refund/" in page
    assert order.invoices.get().number in page
    assert order.disputes.get().dispute_id in page
    assert order.receipt_number in page


def test_staff_look_and_change_nothing(staff: Client, erin: User) -> None:
    entry = paid_by_bank(erin)
    page = text(staff, f"/books/orders/{entry.order.reference}/")
    assert "/correction/" not in page
    assert "/transfer/" not in page


def test_an_event_leads_to_its_order_and_back(keeper: Client, client: Client) -> None:
    application = make_application()
    order = application.order
    assert order is not None
    event = session_event(application)
    stored = make_event(event_id=event["id"], kind=event["type"], payload=event)
    assert (
        "Handled: booked"
        in keeper.post(f"/books/events/{stored.pk}/retry/", follow=True).content.decode()
    )
    assert f"/books/orders/{order.reference}/" in text(keeper, f"/books/events/{stored.pk}/")
    page = text(keeper, f"/books/orders/{order.reference}/")
    assert f"/books/events/{stored.pk}/" in page
    assert application.name in page


def test_events_that_wait_are_listed_and_tried_again(keeper: Client) -> None:
    refund = {"id": "re_1", "object": "refund", "amount": 5, "currency": "eur", "created": 1}
    body = {"id": "evt_w", "type": "refund.created", "created": 1}
    thing = {**refund, "payment_intent": "pi_none", "status": "succeeded"}
    waits = make_event(
        event_id="evt_w", kind="refund.created", payload={**body, "data": {"object": thing}}
    )
    make_event()
    assert "2 events are not handled" in text(keeper, "/books/events/")
    done = keeper.post("/books/events/retry/", follow=True).content.decode()
    assert "1 of 2 are handled now" in done
    assert "pi_none" in done
    still = keeper.post(f"/books/events/{waits.pk}/retry/", follow=True).content.decode()
    assert "Still not" in still
    assert "customer.updated" in text(keeper, "/books/events/?outcome=ignored")
    assert ProviderEvent.objects.unhandled().count() == 1


def test_the_ledger_and_its_balances_add_up(keeper: Client, erin: User) -> None:
    refunded(erin)
    paid_by_provider(make_order(amount=Money(7, "JPY"), billing_name="@Evil"))
    exported = rows(keeper, "/books/ledger.csv")
    assert [row["amount"] for row in exported if row["currency"] == "EUR"] == ["-250.00", "500.00"]
    assert [row["payer"] for row in exported if row["currency"] == "JPY"] == ["'@Evil"]
    balances = rows(keeper, "/books/balances.csv")
    assert [(row["payer"], row["balance"], row["out"]) for row in balances] == [
        ("'@Evil", "7", "0"),
        ("Acme GmbH", "250.00", "-250.00"),
    ]
    assert "250\N{NO-BREAK SPACE}€" in text(keeper, "/books/balances/")
    page = text(keeper, "/books/ledger/?kind=refund&currency=EUR&q=acme&year=1")
    assert "−250\N{NO-BREAK SPACE}€" in page
    assert "500\N{NO-BREAK SPACE}€" not in page
    year = timezone.now().year
    assert len(rows(keeper, f"/books/ledger.csv?year={year}&currency=JPY")) == 1
    assert "No entry like this" in text(keeper, "/books/ledger/?q=nobody")


def test_disputes_stand_in_the_sequence_of_their_deadlines(keeper: Client) -> None:
    now = timezone.now()
    make_dispute(make_order(billing_name="Later"), evidence_due_at=now + timedelta(days=5))
    make_dispute(make_order(billing_name="Sooner"), evidence_due_at=now + timedelta(days=1))
    make_dispute(make_order(billing_name="Lost"), state="lost")
    page = text(keeper, "/books/disputes/")
    assert "2 disputes wait for an answer" in page
    assert page.index("Sooner") < page.index("Later") < page.index("Lost")
    assert "The money stays with the payer" in page


@pytest.mark.parametrize("kind", ["invoices", "receipts", "credit-notes"])
def test_papers_are_files(keeper: Client, erin: User, kind: str) -> None:
    note = refunded(erin)
    number = {
        "invoices": make_invoice().number,
        "receipts": note.order.receipt_number,
        "credit-notes": note.number,
    }[kind]
    answer = keeper.get(f"/books/{kind}/{number}.pdf")
    assert answer.content.startswith(b"%PDF-")
    assert "no-store" in answer.headers["Cache-Control"]
    assert keeper.get(f"/books/{kind}/9999-1.pdf").status_code == 404


@pytest.mark.parametrize(
    ("provider", "ref", "url"),
    [
        ("stripe", "pi_1", "https://dashboard.stripe.com/test/payments/pi_1"),
        ("stripe", "in_1", "https://dashboard.stripe.com/test/invoices/in_1"),
        ("stripe", "re_1", "https://dashboard.stripe.com/test/search?query=re_1"),
        ("twin", "pi_1", ""),
        ("bank", "12/3", ""),
        ("stripe", "", ""),
    ],
)
def test_a_reference_leads_to_the_page_of_the_provider(provider: str, ref: str, url: str) -> None:
    assert object_url(provider, ref, test_mode=True) == url
    assert object_url("stripe", "du_1", test_mode=False).endswith("com/disputes/du_1")


def test_a_reference_of_the_twin_leads_to_its_desk(settings: Any) -> None:
    settings.PAYMENT_PROVIDER, settings.TWIN_URL = "twin", "http://twin.example"
    assert provider_url("twin", "pi_1") == "http://twin.example/stories/pi_1"
    assert provider_url("twin", "") == provider_url("bank", "pi_1") == ""
    settings.PAYMENT_PROVIDER = "stripe"
    assert provider_url("twin", "pi_1") == "", "there is no twin any more"
