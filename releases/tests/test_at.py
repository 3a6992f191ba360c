"""The catalogue as it stood, or will stand, at the end of any day."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from releases.models import Release, Series
from releases.tests import factory
from tests.shared import shared

PATHS = ["/releases/", "/releases/exampledb/", "/releases/exampledb/series/11.8/"]


@shared
def known() -> Release:
    """11.8.9, stable, published 100 days ago, its series supported for 100 days more."""
    now = timezone.now()
    release = factory.make_draft("11.8.9", "stable")
    Release.objects.update(published_at=now - dt.timedelta(days=100))
    Series.objects.update(
        released_on=now.date() - dt.timedelta(days=100),
        eol_on=now.date() + dt.timedelta(days=100),
    )
    return release


def page(client: Client, path: str, days: int) -> str:
    day = timezone.now().date() + dt.timedelta(days=days)
    answer = client.get(path, {"at": day.isoformat()})
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("path", PATHS)
def test_a_day_shows_what_was_out_and_supported_then(
    known: Release, client: Client, path: str
) -> None:
    for days, is_there in [(-101, False), (-100, True), (0, True), (200, True)]:
        assert ("11.8.9" in page(client, path, days)) == is_there, days
    ended = "no longer supported"
    assert ended not in page(client, path, 99).lower()
    assert ended in page(client, path, 100).lower()
    assert "As of" in page(client, path, 5)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("text", ["soon", "2026-13-01", "<script>", "9" * 500])
def test_what_is_no_day_is_said_beside_the_field(
    known: Release, client: Client, path: str, text: str
) -> None:
    answer = client.get(path, {"at": text})
    assert answer.status_code == 400
    assert b"Write the day as year, month and day" in answer.content
    assert b"11.8.9" in answer.content
