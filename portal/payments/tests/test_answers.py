"""Every event of every story, as the provider posts it: answered 200, and none left behind."""

from __future__ import annotations

import pytest
from django.test import Client

from portal.payments.models import ProviderEvent
from portal.payments.tests.factories import make_order
from portal.payments.tests.histories import HERE, events_of
from portal.payments.tests.stories import STORIES
from tests.supporters import SECRET, post_event

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _signed(settings: object) -> None:
    settings.STRIPE_WEBHOOK_SECRET = SECRET  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", STORIES)
def test_no_event_is_answered_with_an_error(name: str, client: Client) -> None:
    """A subscription that was cancelled here, shapes of newer and older versions included."""
    told = [one for one in events_of(name, make_order()) if one["type"] != HERE]
    answers = {one["id"]: post_event(client, one).status_code for one in [*told, told[-1]]}
    assert answers == {one["id"]: 200 for one in told}
    assert ProviderEvent.objects.count() == len({one["id"] for one in told})
    assert not ProviderEvent.objects.exclude(last_error="").exists()
