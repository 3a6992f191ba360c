"""Places are counted under a row lock: real threads, real connections."""

import threading
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from portal.sponsors.actions.application import (
    IncompleteError,
    TierFullError,
    submit_application,
)
from portal.sponsors.models import Application
from portal.sponsors.models.application import ApplicationState
from portal.sponsors.places import places_left
from tests.supporters import make_application, make_draft, make_tier, may_open

PLACES, TOO_MANY = 3, 5


@pytest.mark.django_db(transaction=True)
def test_parallel_applications_for_n_places_sell_n() -> None:
    tier = make_tier(capacity=PLACES)
    drafts = [make_draft(tier, legal_name=f"Firm {n}") for n in range(PLACES + TOO_MANY)]
    start = threading.Barrier(len(drafts))
    results: list[str] = []

    def apply(draft: Application) -> None:
        try:
            start.wait()
            submit_application(actor=None, application=draft, at=timezone.now())
            results.append("sold")
        except TierFullError:
            results.append("full")
        finally:
            connection.close()

    threads = [threading.Thread(target=apply, args=[draft]) for draft in drafts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == ["full"] * TOO_MANY + ["sold"] * PLACES
    assert places_left(tier) == 0
    assert Application.objects.filter(state=ApplicationState.PAYMENT).count() == PLACES


@pytest.mark.django_db
def test_a_full_tier_is_told_and_cannot_be_chosen(client: Client) -> None:
    tier = make_tier(capacity=1)
    make_application(tier)
    assert "Every place is taken" in client.get("/join/").content.decode()
    late = make_draft(tier, legal_name="Late GmbH")
    may_open(client, late)
    answer = client.post(f"/join/{late.reference}/payment/", {"pays_by": "card"}, follow=True)
    assert "was just taken" in answer.content.decode()
    assert places_left(tier) == 0


@pytest.mark.django_db
def test_sending_twice_takes_one_place() -> None:
    tier = make_tier(capacity=2)
    draft = make_draft(tier)
    for _ in range(2):
        submit_application(actor=None, application=draft, at=timezone.now())
    assert places_left(tier) == 1


@pytest.mark.django_db
def test_an_uncounted_tier_is_never_full() -> None:
    tier: Any = make_tier()
    assert places_left(tier) is None


@pytest.mark.django_db
def test_another_tier_chosen_meanwhile_is_not_sold_by_the_rules_of_the_first() -> None:
    cheap, full = make_tier(capacity=5), make_tier("platinum", capacity=0)
    seen = make_draft(cheap)
    Application.objects.filter(pk=seen.pk).update(tier=full)
    with pytest.raises(IncompleteError, match="tier"):
        submit_application(actor=None, application=seen, at=timezone.now())
    assert Application.objects.get(pk=seen.pk).state == ApplicationState.DRAFT
