from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from portal.payments.providers.twin import TwinProvider
from tests.supporters import running_twin


@pytest.fixture(autouse=True)
def _webhook_secret(settings: Any) -> None:
    settings.STRIPE_WEBHOOK_SECRET = "whsec_only_for_tests"


@pytest.fixture
def twin(tmp_path: Path) -> Iterator[Any]:
    with running_twin(tmp_path) as running:
        yield running


@pytest.fixture
def source(twin: Any) -> TwinProvider:
    return TwinProvider(twin.url, "whsec_only_for_tests")
