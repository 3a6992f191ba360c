"""Delivers the twin's webhooks as Stripe does: signed, retried with longer and longer pauses."""

from __future__ import annotations

import threading
import time
import urllib.error
import urllib.request

import stripe

from portal.payments.twin import clock, events
from portal.payments.twin.state import State

PATIENCE = 10.0  # seconds for one answer
LONGEST_PAUSE = 60.0
TICK = 0.2
CLOCK_TICKS = 25  # between two looks at what became due


class Courier:
    """Takes what is due to the portal. One delivery at a time, in the sequence of their turn."""

    def __init__(self, state: State, target: str, secret: str) -> None:
        self.state, self.target, self.secret = state, target, secret
        self._one_at_a_time = threading.Lock()
        self._stopping = threading.Event()

    def deliver_due(self) -> None:
        """Deliver what is due now; failed ones get a later turn."""
        with self._one_at_a_time:
            with self.state.changing() as change:
                due = events.due(change, time.time())
            for delivery, attempts, event in due:
                answer = self._post(event)
                with self.state.changing() as change:
                    if answer.startswith("2"):
                        events.answered(change, delivery, answer)
                    else:
                        pause = min(0.5 * 2 ** min(attempts, 10), LONGEST_PAUSE)
                        events.failed(change, delivery, answer, time.time() + pause)

    def _post(self, event: str) -> str:
        header = stripe.WebhookSignature.generate_signature_header(event, self.secret)
        request = urllib.request.Request(  # noqa: S310  (the portal's own address)
            self.target,
            data=event.encode(),
            headers={"Content-Type": "application/json", "Stripe-Signature": header},
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
                return str(answer.status)
        except urllib.error.HTTPError as error:
            return str(error.code)
        except OSError as error:
            return type(error).__name__

    def run(self, own_url: str) -> None:
        """Until `stop`: what was left over by an earlier process is delivered too."""
        ticks = 0
        while not self._stopping.wait(TICK):
            if ticks % CLOCK_TICKS == 0:
                clock.catch_up(self.state, own_url)
            ticks += 1
            self.deliver_due()

    def stop(self) -> None:
        self._stopping.set()
