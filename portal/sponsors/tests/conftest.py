from typing import Any

import pytest


@pytest.fixture
def signed_webhooks(settings: Any) -> None:
    """A secret that the tests sign with."""
    settings.STRIPE_WEBHOOK_SECRET = "whsec_only_for_tests"
