"""What looks wrong is said before a release goes out or is withdrawn, and stops nobody."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from portal.accounts.models import User
from releases.actions.checklist import tick_item
from releases.actions.product import save_series
from releases.actions.release import publish_release
from releases.doubts import doubts_before_publishing, doubts_before_withdrawing
from releases.errors import RefusedError
from releases.models import Alias, Release, Series
from releases.readiness import reasons_against
from releases.tests import factory


def test_packages_of_another_version_are_named(dana: User, draft: Release) -> None:
    now = timezone.now()
    assert doubts_before_publishing(draft, at=now) == []
    for version in ["12.3.1", "12.3.0~rc1"]:
        factory.accept(
            actor=dana,
            release=draft,
            name=f"exampledb-client_{version}_amd64.deb",
            data=factory.deb(version, "exampledb-client"),
            distributions=["debian-12"],
        )
    (doubt,) = doubts_before_publishing(draft, at=now)
    named = "exampledb-client 12.3.0~rc1, exampledb-client 12.3.1"
    assert doubt == f"2 packages have another version than 12.3.0: {named}"
    assert reasons_against(actor=dana, release=draft, at=now) == []


def test_forgotten_steps_are_named_and_hold_up_nothing(dana: User, draft: Release) -> None:
    now = timezone.now()
    step = draft.checklist.create(text="Tell the translators.")
    (doubt,) = doubts_before_publishing(draft, at=now)
    assert doubt.startswith("1 step of the checklist is not ticked. The release does not wait")
    assert doubt.endswith(":\n– Tell the translators.")
    assert reasons_against(actor=dana, release=draft, at=now) == []
    tick_item(actor=dana, item=step, at=now)
    assert doubts_before_publishing(draft, at=now) == []


def test_a_stable_release_waits_for_the_dates_of_its_series(dana: User, grace: User) -> None:
    now = timezone.now()
    stable = factory.make_draft("12.3.0", "stable")
    factory.add_files(actor=dana, release=stable)
    series = stable.series
    for missing in [{"released_on": None}, {"eol_on": None}]:
        Series.objects.update(**missing)
        stable.series.refresh_from_db()
        (reason,) = reasons_against(actor=grace, release=stable, at=now)
        assert "ExampleDB 12.3 does not say when" in reason
        factory.give_dates(series)
    Series.objects.update(eol_on=None, support=Series.Support.ROLLING)
    stable.series.refresh_from_db()
    assert reasons_against(actor=grace, release=stable, at=now) == []
    Series.objects.update(released_on=now.date() + dt.timedelta(days=9))
    stable.series.refresh_from_db()
    (doubt,) = doubts_before_publishing(stable, at=now)
    assert "pages call it planned" in doubt


def test_dates_of_a_series_with_a_stable_release_move_and_stay(dana: User, grace: User) -> None:
    stable = factory.make_draft("12.3.0", "stable")
    factory.add_files(actor=dana, release=stable)
    series = stable.series
    series.eol_on = None
    save_series(actor=dana, series=series)
    factory.give_dates(series)
    publish_release(actor=grace, release=stable, at=timezone.now())
    series.eol_on = dt.date(2041, 1, 1)
    save_series(actor=dana, series=series)
    series.eol_on = None
    with pytest.raises(RefusedError, match="may move, not go away"):
        save_series(actor=dana, series=series)


def test_withdrawing_the_only_stable_release_says_what_is_left(dana: User, grace: User) -> None:
    now = timezone.now()
    stable = factory.make_draft("12.3.0", "stable")
    factory.add_files(actor=dana, release=stable)
    publish_release(actor=grace, release=stable, at=now)
    only, left = doubts_before_withdrawing(stable, at=now)
    assert only == "12.3.0 is the only stable release of ExampleDB 12.3 that is offered."
    assert "repositories will be empty" in left

    candidate = factory.make_draft("12.3.1-rc1", "rc")
    Release.objects.filter(pk=candidate.pk).update(published_at=now)
    series = stable.series
    Alias.objects.create(product=series.product, name="latest", series=series, moved_at=now)
    _only, left, follow = doubts_before_withdrawing(stable, at=now)
    assert "will then name 12.3.1-rc1 (RC)" in left
    assert follow.startswith("Machines that follow latest")
    assert doubts_before_withdrawing(candidate, at=now) == []

    other = factory.make_draft("12.3.1", "stable")
    Release.objects.filter(pk=other.pk).update(published_at=now)
    assert doubts_before_withdrawing(stable, at=now) == []
