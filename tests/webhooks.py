"""A hundred webhooks a second: sign-ups that wait for money, their events, who delivers them."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import stripe

from portal.lib.money import Money
from portal.payments.tests import stories
from portal.payments.tests.scene import DAY, Scene

Placed = tuple[str, int]  # reference of an order, its minor units of EUR
WINDOW = 50  # deliveries that overtake each other
DISTINCT = 4  # events of an order; one of them is delivered twice
PATIENCE = 60.0


def place(count: int) -> list[Placed]:
    """Sign-ups that wait for their money. Needs Django."""
    from tests.supporters import make_application, make_tier

    tier = make_tier(f"rate-{secrets.token_hex(4)}")
    orders = [make_application(tier, legal_name=f"Firm {n} GmbH").order for n in range(count)]
    return [(str(order.reference), order.amount_minor) for order in orders if order is not None]


def deliveries(placed: Sequence[Placed], run: str) -> list[str]:
    """The bodies of five deliveries for each order, as they may come: charge, session, the session
    again, a refund of a quarter, and a type that means nothing. Some overtake others.
    """
    bodies = [body for number, order in enumerate(placed) for body in told(f"{run}{number}", order)]
    random = Random(run)
    windows = [bodies[start : start + WINDOW] for start in range(0, len(bodies), WINDOW)]
    return [body for window in windows for body in random.sample(window, len(window))]


def told(name: str, order: Placed) -> list[str]:
    """Those of one order, in their sequence."""
    reference, minor = order
    scene = Scene(reference, Money(minor, "EUR"))
    stories.paid(scene)
    scene.refund("created", minor // 4, DAY, made=DAY)
    charge, ignored, session, refund = scene.events
    return [_named(event, name) for event in (charge, ignored, session, session, refund)]


def _named(event: object, name: str) -> str:
    """With ids of its own: those of a story are always the same."""
    text = json.dumps(event)
    for prefix in ("evt", "cs", "pi", "ch", "re"):
        text = text.replace(f'"{prefix}_', f'"{prefix}_{name}_')
    return text


@dataclass(frozen=True)
class Answered:
    """`seconds` from the moment in which it was to be sent, not from the one in which it was."""

    status: int
    seconds: float


def deliver(port: int, bodies: Sequence[str], secret: str, *, rate: float) -> list[Answered]:
    """Send them at that pace, however long the answers take."""
    return asyncio.run(_deliver(port, bodies, secret, rate))


async def _deliver(port: int, bodies: Sequence[str], secret: str, rate: float) -> list[Answered]:
    start = time.perf_counter() + 0.2
    turns = [_post(port, body, secret, start + n / rate) for n, body in enumerate(bodies)]
    return await asyncio.gather(*turns)


async def _post(port: int, body: str, secret: str, at: float) -> Answered:
    await asyncio.sleep(max(0.0, at - time.perf_counter()))
    signature = stripe.WebhookSignature.generate_signature_header(body, secret)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    data = body.encode()
    head = (
        "POST /webhooks/stripe/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nStripe-Signature: {signature}\r\n"
        f"Content-Length: {len(data)}\r\n\r\n"
    )
    writer.write(head.encode() + data)
    answer = await asyncio.wait_for(reader.read(), PATIENCE)
    writer.close()
    status = int(answer.split(b" ", 2)[1]) if answer else 0
    return Answered(status, time.perf_counter() - at)


def percentile(answers: Sequence[Answered], part: float) -> float:
    ordered = sorted(answer.seconds for answer in answers)
    return ordered[min(int(len(ordered) * part), len(ordered) - 1)]
