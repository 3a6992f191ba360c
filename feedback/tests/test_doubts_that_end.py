"""A doubt about a version ends when the release catalogue gets to know the version."""

import datetime as dt

import pytest

from feedback.actions import doubt
from feedback.actions.doubt import end_doubts
from feedback.actions.rollup import roll_up_stale
from feedback.models import Count, Period, ServerWeek
from feedback.plausibility import Doubt
from feedback.tasks import roll_up
from feedback.tests.fleets import DEBIAN, NOON, arrive, row
from portal.accounts.models import User
from releases.models import Release
from releases.tests import factory

pytestmark = pytest.mark.django_db

DAY = dt.timedelta(days=1)
LATER = NOON + 20 * DAY


@pytest.fixture(autouse=True)
def _catalogue(dana: User) -> None:
    publish("10.11.18", dana, at=NOON - 90 * DAY)


def publish(number: str, actor: User, *, at: dt.datetime = NOON) -> None:
    draft = factory.make_draft(number, "stable")
    Release.objects.filter(pk=draft.pk).update(published_at=at, published_by=actor)


def says(version: str, uptime: int = 86_400) -> dict[str, str]:
    return {**DEBIAN, "VERSION": f"{version}-MariaDB", "UPTIME": str(uptime)}


def doubts() -> list[Doubt]:
    weeks = ServerWeek.objects.order_by("week", "server_key")
    return [Doubt(bits) for bits in weeks.values_list("doubts", flat=True)]


def established(start: str, unit: str = "month") -> dict[str, int]:
    counts = Count.objects.filter(chart="servers", period__unit=unit, period__start=start)
    return dict(counts.values_list("label", "servers"))


def in_doubt(start: str) -> dict[str, int]:
    counts = Count.objects.filter(chart="doubt", period__unit="month", period__start=start)
    return dict(counts.values_list("label", "servers"))


def test_a_release_that_the_catalogue_learns_late_is_believed_and_counted_again(
    dana: User,
) -> None:
    for days in (-30, 0, 20):  # October, November, December
        up = int((days + 31) * 86_400)
        arrive(row("a", says("10.11.19", up), at=NOON + days * DAY), at=NOON + days * DAY)
    assert established("2026-12-01") == {"first seen": 1}
    assert in_doubt("2026-12-01") == {"version": 1}
    assert end_doubts(at=LATER) == 0
    assert roll_up_stale(at=LATER) == 0

    publish("10.11.19", dana, at=LATER)
    assert end_doubts(at=LATER - DAY) == 0  # not yet
    assert end_doubts(at=LATER) == 3
    roll_up_stale(at=LATER)
    assert doubts() == [Doubt(0)] * 3
    assert not ServerWeek.objects.filter(unreleased__isnull=False).exists()
    assert established("2026-10-01") == {"first seen": 1}  # its first month
    assert established("2026-11-01") == established("2026-12-01") == {"established": 1}
    assert not in_doubt("2026-12-01")
    assert end_doubts(at=LATER) == 0  # nothing is left to do
    assert roll_up_stale(at=LATER) == 0


def test_the_job_that_counts_ends_doubts_first(dana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feedback.tasks.timezone.now", lambda: LATER)
    arrive(row("a", says("10.11.19"), at=NOON))
    publish("10.11.19", dana, at=LATER)
    roll_up()
    assert doubts() == [Doubt(0)]
    assert not in_doubt("2026-11-01")


def test_a_later_period_that_a_doubt_reached_into_is_counted_again(dana: User) -> None:
    arrive(row("a", says("10.11.19"), at=NOON))
    arrive(row("a", says("10.11.18", 3_600), at=LATER), at=LATER)  # went back to the older one
    assert established("2026-12-01") == {"first seen": 1}
    assert in_doubt("2026-12-01") == {"version": 1}
    publish("10.11.19", dana, at=LATER)
    end_doubts(at=LATER)
    roll_up_stale(at=LATER)
    assert established("2026-12-01") == {"established": 1}
    assert not in_doubt("2026-12-01")


def test_other_doubts_and_versions_that_are_not_out_stay(dana: User) -> None:
    arrive(
        row("ahead", says("10.11.19")),
        row("ahead", says("10.11.20", 90_000), at=NOON + DAY),  # the same week
        row("made up", says("99.1.1")),
        row("endless", says("10.11.19", 10**11)),
        row("in time", says("10.11.18")),
    )
    publish("10.11.19", dana)
    assert end_doubts(at=LATER) == 2
    assert sorted(doubts()) == [Doubt(0), Doubt.UPTIME, Doubt.VERSION, Doubt.VERSION]
    waiting = ServerWeek.objects.filter(unreleased__isnull=False)
    assert sorted(week.unreleased or [] for week in waiting) == [["10.11.20"], ["other"]]


def test_a_version_that_was_told_stays_in_doubt_when_a_good_one_follows() -> None:
    arrive(row("a", says("10.11.19")), row("a", says("10.11.18", 3_600), at=NOON + DAY))
    week = ServerWeek.objects.get()
    assert (week.version, week.unreleased) == ("10.11.18", ["10.11.19"])
    assert end_doubts(at=LATER) == 0
    assert doubts() == [Doubt.VERSION]


def test_who_tells_ever_other_versions_is_never_believed(dana: User) -> None:
    told = [row("a", says(f"10.11.{19 + n}", 60 * (n + 1)), at=NOON) for n in range(11)]
    arrive(*told)
    publish("10.11.40", dana)
    assert end_doubts(at=LATER) == 0
    assert ServerWeek.objects.get().unreleased == ["other"]


def test_many_weeks_are_believed_in_many_transactions(
    dana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doubt, "BATCH", 2)
    arrive(*[row(f"db{n}", says("10.11.19")) for n in range(5)])
    publish("10.11.19", dana)
    assert end_doubts(at=LATER) == 5
    assert doubts() == [Doubt(0)] * 5


def test_a_report_of_the_past_counts_later_months_again() -> None:
    arrive(row("a", says("10.11.18", 3_600), at=NOON), at=LATER)
    assert established("2026-11-01") == established("2026-11-16", "week") == {"first seen": 1}
    arrive(row("a", says("10.11.18"), at=NOON - 60 * DAY), at=LATER)  # of an archive
    assert established("2026-11-01") == established("2026-11-16", "week") == {"established": 1}
    assert Period.objects.stale(LATER).count() == 0
