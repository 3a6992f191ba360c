"""What "latest" answers: never a withdrawn release, never a candidate where a stable one is."""

import datetime as dt

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from portal.accounts.models import User
from releases.models import Release
from releases.tests import factory


def out(version: str, maturity: str, at: dt.datetime) -> Release:
    release = factory.make_draft(version, maturity)
    release.published_at = at
    release.save()
    return release


def yank(release: Release, at: dt.datetime) -> None:
    release.yanked_at, release.yank_reason = at, "It loses rows."
    release.save()


def test_a_candidate_is_never_the_latest_of_a_stable_series(dana: User) -> None:
    now = timezone.now()
    for version, maturity in [("11.8.9", "stable"), ("11.8.10-rc1", "rc"), ("12.3.0-rc1", "rc")]:
        out(version, maturity, now)
    latest = {found.series.name: found.version for found in Release.objects.latest_at(now)}
    assert latest == {"11.8": "11.8.9", "12.3": "12.3.0-rc1"}


def test_the_latest_at_any_moment_is_the_newest_that_was_not_withdrawn_then(dana: User) -> None:
    now = timezone.now()
    day = dt.timedelta(days=1)
    out("11.8.8", "stable", now - 9 * day)
    yank(out("11.8.9", "stable", now - 5 * day), now - day)
    versions = {ago: Release.objects.latest_at(now - ago * day).get().version for ago in (0, 2, 6)}
    assert versions == {0: "11.8.8", 2: "11.8.9", 6: "11.8.8"}
    assert Release.objects.published(now).count() == 2
    assert Release.objects.yanked(now).get().version == "11.8.9"


def test_a_series_of_withdrawn_releases_has_no_latest_but_is_shown(dana: User) -> None:
    now = timezone.now()
    yank(out("11.8.9", "stable", now), now)
    assert not Release.objects.latest_at(now).exists()
    assert Release.objects.shown_at(now).get().version == "11.8.9"


@pytest.mark.parametrize(
    "fields",
    [
        {"yanked_at": dt.datetime(2026, 1, 1, tzinfo=dt.UTC), "yank_reason": "x"},
        {"yank_reason": "without a moment"},
        {"scheduled_for": dt.datetime(2026, 1, 1, tzinfo=dt.UTC)},
    ],
)
def test_the_database_refuses_half_a_withdrawal_or_schedule(
    dana: User, fields: dict[str, object]
) -> None:
    factory.make_draft()
    with pytest.raises(IntegrityError), transaction.atomic():
        Release.objects.update(**fields)
