"""The local twin: the same client, speaking to our stand-in instead of Stripe.

What the demonstration and the browser tests exercise is therefore the code that speaks to Stripe.
"""

from portal.payments.providers.stripe import StripeProvider


class TwinProvider(StripeProvider):
    """Payments that are simulated by `python -m portal.payments.twin`."""

    name = "twin"
    simulated = True

    def __init__(self, url: str, webhook_secret: str) -> None:
        super().__init__("sk_twin_local", webhook_secret, base_url=url)
