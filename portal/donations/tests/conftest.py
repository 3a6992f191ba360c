"""A provider whose answers a test chooses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from portal.donations.tests.givers import Provider


@pytest.fixture
def provided(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Provider]:
    def put(**answers: Any) -> Provider:
        source = Provider(**answers)
        for module in ("hosted", "views.donate"):
            monkeypatch.setattr(f"portal.donations.{module}.provider", lambda: source)
        monkeypatch.setattr("portal.payments.asking.provider", lambda: source)
        return source

    return put
