"""What the twin gives out looks as Stripe's OpenAPI description says (`schemas.json`)."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from portal.payments.providers import CustomerRequest, Recurring
from portal.payments.tests.factories import PRICE, make_order
from portal.payments.tests.test_twin_stories import (
    BACK,
    PLAYED,
    Stage,
    prepared,
)
from portal.payments.twin.shapes import VERSION, shaped
from tests.supporters import running_twin

pytestmark = pytest.mark.django_db
PUBLISHED = json.loads((Path(__file__).parent / "schemas.json").read_text())
TOLD = json.loads((Path(__file__).parent / "shapes.json").read_text())  # of the stories
TOLD = json.loads((Path(__file__).parent / "shapes.json").read_text())  # of the stories
MUCH = [
    *("refunded in full", "refund failed", "dispute won", "inquiry of a bank", "invoice refunded"),
    *("invoice voided", "card expired, then retried", "cancelled there", "declined, then paid"),
]


def faults(thing: dict[str, Any]) -> list[str]:
    """What Stripe's description says against an object."""
    schema = PUBLISHED | {"$ref": f"#/$defs/{thing['object']}"}
    found = Draft202012Validator(schema).iter_errors(thing)
    return [f"{thing['object']}.{error.json_path}: {error.message[:200]}" for error in found]


def given_out(stage: Stage) -> list[dict[str, Any]]:
    """All that the twin knows, and all that it told."""
    with sqlite3.connect(stage.twin.state.path) as connection:
        things = connection.execute("SELECT body FROM thing").fetchall()
        events = connection.execute("SELECT body FROM event").fetchall()
    told = [json.loads(body) for (body,) in events]
    return [*(json.loads(body) for (body,) in things), *told, *(e["data"]["object"] for e in told)]


def test_events_name_the_version_that_their_shapes_are_of() -> None:
    assert VERSION == PUBLISHED["api_version"] == TOLD["api_version"]


@pytest.mark.proof
@pytest.mark.parametrize("name", MUCH)
def test_everything_has_the_fields_that_stripe_publishes(name: str, tmp_path: Path) -> None:
    with running_twin(tmp_path) as twin:
        stage = Stage(twin, prepared(name, make_order()))
        PLAYED[name](stage)
        things = given_out(stage)
        assert [fault for thing in things for fault in faults(thing)] == []


def test_answers_have_the_fields_that_stripe_publishes(tmp_path: Path) -> None:
    """What is asked for beside the stories: coupons, tax numbers, a page, a bank that asks."""
    with running_twin(tmp_path) as twin:
        stage = Stage(twin, make_order(PRICE))
        source = stage.source
        customer = source.create_customer(CustomerRequest("c", "Acme", "a@acme.example", "DE"))
        assert source.add_tax_id(customer, "DE", "DE811907980")
        source.customer_portal(customer, BACK)
        recurring = Recurring("s-1", PRICE + PRICE, "year")
        url = stage.checkout(customer_id=customer, recurring=recurring)
        stage.press(url, outcome="secured")
        challenge = url.replace("/pay/", "/challenge/")
        stage.press(challenge, answer="refuse")
        stage.press(url, outcome="secured")
        stage.press(challenge, answer="confirm")
        session = source.fetch_checkout(stage.session).raw
        assert session["total_details"]["amount_discount"] == PRICE.minor
        invoice = source.fetch_invoice(session["invoice"])
        assert invoice.raw["amount_paid"] == PRICE.minor
        # The client reads decimals as such; over the wire they are texts.
        things = [*given_out(stage), json.loads(json.dumps(invoice.raw, default=str))]
        kinds = {thing["object"] for thing in things}
        assert {"coupon", "tax_id", "billing_portal.session", "payment_intent"} <= kinds
        assert [fault for thing in things for fault in faults(thing)] == []


def test_a_field_that_stripe_does_not_have_is_refused() -> None:
    with pytest.raises(KeyError, match="prize"):
        shaped("invoice", prize=1)
    assert faults(shaped("refund") | {"prize": 1}) != []
