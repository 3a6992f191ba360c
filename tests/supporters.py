"""What tests of sign-ups and payments share: tiers, drafts, and a twin in a thread."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import stripe
from django.conf import settings
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.money import Money
from portal.members.actions.tier import define_kind, save_tier, sentences
from portal.members.models import Tier
from portal.payments.twin import desk, sessions
from portal.payments.twin.state import State
from portal.sponsors.actions.agreement import publish_agreement
from portal.sponsors.actions.application import (
    accept_agreement,
    save_organisation,
    submit_application,
)
from portal.sponsors.models import Agreement, Application

SECRET = "whsec_only_for_tests"
GOLD = Money(20_000_00, "EUR")
LOGO = (
    b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><path d="M0 0h40v20z"/></svg>"""
)
VALUES: dict[str, object] = {
    "legal_name": "Acme GmbH",
    "name": "Acme",
    "address": "Musterweg 1\n10115 Berlin",
    "country": "DE",
    "vat_number": "DE811907980",
    "website": "https://acme.example",
    "is_listed": True,
    "owner_name": "Alice",
    "owner_email": "alice@example.org",
    "billing_name": "",
    "billing_email": "",
    "technical_name": "",
    "technical_email": "",
    "marketing_name": "",
    "marketing_email": "",
}


def make_tier(
    slug: str = "gold", *, price: Money = GOLD, member: bool = True, **fields: Any
) -> Tier:
    kind = define_kind(
        actor=None,
        slug="member" if member else "sponsor",
        name="member" if member else "sponsor",
        plural="members" if member else "sponsors",
        takes_part=member,
    )
    tier = Tier(
        **{
            "year": 2026,
            "slug": slug,
            "name": slug.title(),
            "kind": kind,
            "rank": 2,
            "logo_size": "mid",
            **fields,
        }
    )
    return save_tier(actor=None, tier=tier, prices=[price], benefits=sentences("One vote"))


def make_agreement() -> Agreement:
    now = timezone.now()
    return Agreement.objects.current(now) or publish_agreement(
        actor=None,
        title="Supporter agreement",
        text="## Terms\n\nBe kind.",
        in_force_from=now - timedelta(days=1),
    )


def make_draft(tier: Tier, *, actor: User | None = None, **values: object) -> Application:
    """A draft with an accepted agreement."""
    draft = save_organisation(
        actor=actor,
        application=None,
        tier=tier,
        currency=tier.prices.get().currency,
        values={**VALUES, **values},
    )
    return accept_agreement(
        actor=actor,
        application=draft,
        agreement=make_agreement(),
        accepted_by="Alice",
        at=timezone.now(),
    )


def make_application(tier: Tier | None = None, **values: Any) -> Application:
    """One that waits for its payment (or for a review)."""
    draft = make_draft(tier or make_tier(), **values)
    return submit_application(actor=None, application=draft, at=timezone.now())


def may_open(client: Client, application: Application) -> None:
    """Let this browser hold the key of the application, as after a letter's link."""
    session = client.session
    session["applications"] = [str(application.reference)]
    session.save()


# --- events as the provider sends them ---


def session_event(
    application: Application, kind: str = "completed", **fields: Any
) -> dict[str, Any]:
    """An event about the session of an application's order; paid unless `fields` say else."""
    order = application.order
    assert order is not None
    session = {
        "id": f"cs_{order.pk}",
        "object": "checkout.session",
        "status": "complete",
        "payment_status": "paid",
        "amount_total": order.amount_minor,
        "currency": order.currency.lower(),
        "client_reference_id": str(order.reference),
        "metadata": {"order": str(order.reference)},
        "payment_intent": f"pi_{order.pk}",
        "customer": None,
        **fields,
    }
    return event(f"checkout.session.{kind}", session)


def refund_event(
    application: Application, minor: int, kind: str = "created", **fields: Any
) -> dict[str, Any]:
    order = application.order
    assert order is not None
    refund = {
        "id": f"re_{order.pk}_{minor}",
        "object": "refund",
        "amount": minor,
        "currency": order.currency.lower(),
        "payment_intent": f"pi_{order.pk}",
        "status": "succeeded",
        "created": int(time.time()),
        **fields,
    }
    return event(f"refund.{kind}", refund)


_numbers = iter(range(1, 10**9))


def event(kind: str, thing: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": f"evt_{next(_numbers)}",
        "object": "event",
        "type": kind,
        "created": int(time.time()),
        "data": {"object": thing},
    }


def post_event(
    client: Client, body: dict[str, Any], *, at: int | None = None, secret: str = ""
) -> Any:
    """Deliver an event to the inbox, signed as the provider signs."""
    text = json.dumps(body)
    signature = stripe.WebhookSignature.generate_signature_header(
        text, secret or settings.STRIPE_WEBHOOK_SECRET, at
    )
    return client.post(
        "/webhooks/stripe/",
        data=text,
        content_type="application/json",
        headers={"Stripe-Signature": signature},
    )


# --- the twin in a thread of the test ---


@dataclass
class TwinSessions:
    """What happens to a session, without a visit to its page."""

    state: State

    def pay(self, session_id: str) -> None:
        with self.state.changing() as change:
            sessions.pay(change, session_id, "good")

    def refund(self, session_id: str) -> None:
        desk.press(self.state, "sessions", session_id, "refund", {})

    def expire(self, session_id: str) -> None:
        with self.state.changing() as change:
            sessions.expire(change, session_id)

    def fetch(self, session_id: str) -> dict[str, Any]:
        with self.state.changing() as change:
            return change.get("checkout.session", session_id)


@contextmanager
def running_twin(folder: Path, client: Client | None = None) -> Iterator[Any]:
    """A real twin on a free port; `twin.courier.deliver_due()` hands its webhooks to `client`."""
    from portal.embedded import free_port
    from portal.payments.twin.delivery import Courier
    from portal.payments.twin.server import Twin
    from portal.payments.twin.wire import serve

    class InProcess(Courier):
        def _post(self, event: str) -> str:
            header = stripe.WebhookSignature.generate_signature_header(event, self.secret)
            if client is None:
                return "503"
            answer = client.post(
                "/webhooks/stripe/",
                data=event,
                content_type="application/json",
                headers={"Stripe-Signature": header},
            )
            return str(answer.status_code)

        def deliver_due(self) -> None:
            """Only the thread of the test has its database connection."""
            if threading.current_thread() is threading.main_thread():
                super().deliver_due()

    url = f"http://127.0.0.1:{free_port()}"
    state = State(folder / "twin.sqlite")
    courier = InProcess(state, "", settings.STRIPE_WEBHOOK_SECRET)
    twin = Twin(state, url, courier, Path(settings.BASE_DIR) / "static")
    server = serve(twin, "127.0.0.1", int(url.rpartition(":")[2]))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    twin.url = url  # type: ignore[attr-defined]
    twin.sessions = TwinSessions(state)  # type: ignore[attr-defined]
    try:
        yield twin
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
