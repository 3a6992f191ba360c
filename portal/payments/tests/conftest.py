from typing import Any

import pytest


@pytest.fixture(autouse=True)
def _webhook_secret(settings: Any) -> None:
    settings.STRIPE_WEBHOOK_SECRET = "whsec_only_for_tests"
