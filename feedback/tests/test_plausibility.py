"""What speaks against a report: alone, beside the one before it, and in the headline."""

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from feedback.models import Count, ServerWeek
from feedback.plausibility import LONGEST_UP, Doubt, Pulse, doubts, pulse
from feedback.tests.fleets import DEBIAN, NOON, arrive, fleet, row
from portal.accounts.models import User
from releases.models import Release
from releases.tests import factory

DAY = dt.timedelta(days=1)


def judged(
    now: Pulse, before: Pulse | None = None, *, uptime: int = 1, known: bool = True
) -> Doubt:
    return doubts(now, before, uptime=uptime, version_known=known)


def after(days: float, *, up: float, connections: int = 0) -> Pulse:
    """A report so many days after NOON of a server that was up so many days."""
    return pulse(NOON + days * DAY, uptime=int(up * 86_400), connections=connections)


@pytest.mark.parametrize(
    ("before", "now", "found"),
    [
        (after(0, up=3), after(7, up=10), Doubt(0)),  # went on
        (after(0, up=3), after(7, up=10.03), Doubt(0)),  # its clock was set
        (after(0, up=3), after(7, up=2), Doubt(0)),  # restarted
        (after(0, up=3), after(7, up=7.02), Doubt(0)),  # restarted just then
        (after(0, up=3), after(7, up=8), Doubt.SHARED),  # started while the other was up
        (after(0, up=3), after(7, up=30), Doubt.SHARED),  # was up before the other started
        (after(0, up=3, connections=9), after(7, up=10, connections=9), Doubt(0)),
        (after(0, up=3, connections=9), after(7, up=10, connections=8), Doubt.BACKWARDS),
        (after(0, up=3, connections=9), after(7, up=2, connections=1), Doubt(0)),
        (after(0, up=3), after(-7, up=90), Doubt(0)),  # came late, not compared
        (after(0, up=0), after(7, up=90), Doubt(0)),  # nothing was said
        (after(0, up=3), after(7, up=0), Doubt(0)),
    ],
)
def test_a_report_is_compared_with_the_one_before(before: Pulse, now: Pulse, found: Doubt) -> None:
    assert judged(now, before) == found


def test_a_report_is_doubted_by_itself() -> None:
    assert judged(after(0, up=1)) == Doubt(0)
    assert judged(after(0, up=1), known=False) == Doubt.VERSION
    endless = pulse(NOON, uptime=LONGEST_UP + 1, connections=0)
    assert endless.booted_at is None
    assert judged(endless, uptime=LONGEST_UP + 1) == Doubt.UPTIME


# --- as they are stored and counted --------------------------------------------------


def says(days_up: float, connections: int = 5, **more: str) -> dict[str, str]:
    told = {"UPTIME": str(int(days_up * 86_400)), "CONNECTIONS": str(connections)}
    return {**DEBIAN, **told, **more}


def found() -> Doubt:
    """All doubts about all weeks."""
    every = Doubt(0)
    for week in ServerWeek.objects.all():
        every |= Doubt(week.doubts)
    return every


def established() -> dict[str, int]:
    counts = Count.objects.filter(chart="servers", period__unit="month")
    return dict(counts.values_list("label", "servers"))


@pytest.mark.django_db
def test_two_machines_with_one_identity_are_flagged_and_never_established() -> None:
    arrive(row("a", says(100), at=NOON - 10 * DAY), row("b", says(100), at=NOON - 10 * DAY))
    arrive(row("a", says(3), at=NOON - 9 * DAY))
    assert found() == Doubt.SHARED
    arrive(row("a", says(110), at=NOON), row("b", says(110), at=NOON))
    assert established() == {"established": 1, "first seen": 1}
    shown = Count.objects.get(chart="doubt", period__unit="month")
    assert (shown.label, shown.servers) == ("shared", 1)


@pytest.mark.django_db
def test_a_shared_identity_is_seen_within_one_batch_and_whatever_its_order() -> None:
    arrive(row("a", says(3), at=NOON), row("a", says(100), at=NOON - DAY))
    assert found() == Doubt.SHARED


@pytest.mark.django_db
def test_a_counter_that_shrinks_without_a_restart_is_flagged() -> None:
    arrive(row("a", says(10, 500), at=NOON - 7 * DAY))
    arrive(row("a", says(17, 400), at=NOON))
    assert found() == Doubt.BACKWARDS


@pytest.mark.django_db
def test_a_version_that_no_server_has_and_an_endless_uptime_are_flagged() -> None:
    arrive(row("a", says(1, VERSION="99.1.1-MariaDB")), row("b", {**DEBIAN, "UPTIME": "9" * 12}))
    assert sorted(ServerWeek.objects.values_list("doubts", flat=True)) == [4, 8]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("version", "doubt"),
    [
        ("10.11.19-MariaDB", 0),  # out
        ("10.11.2-MariaDB", 0),  # before the catalogue begins
        ("10.4.2-MariaDB", 0),
        ("10.11.20-MariaDB", 8),  # the next one, a draft
        ("11.9.1-MariaDB", 8),
        ("11.9.1-MySQL", 0),  # numbers of their own
    ],
)
def test_a_version_is_known_when_the_release_catalogue_has_it(
    dana: User, version: str, doubt: int
) -> None:
    for number in ("10.5.1", "10.11.18", "10.11.19"):
        out(factory.make_draft(number, "stable"), dana)
    factory.make_draft("10.11.20")
    arrive(row("a", says(1, VERSION=version)))
    assert ServerWeek.objects.get().doubts == doubt


@pytest.mark.django_db
def test_a_withdrawn_release_stays_known(dana: User) -> None:
    out(factory.make_draft("10.11.19", "stable"), dana, yanked_at=NOON, yank_reason="Broken.")
    arrive(row("a"))
    assert found() == Doubt(0)


def out(draft: Release, actor: User, **more: object) -> None:
    """As if it had been published a week ago."""
    Release.objects.filter(pk=draft.pk).update(
        published_at=NOON - 7 * DAY, published_by=actor, **more
    )


@pytest.mark.django_db
def test_a_doubt_is_forgotten_after_thirteen_weeks() -> None:
    arrive(row("a", says(1, VERSION="99.1.1-MariaDB"), at=NOON - 50 * DAY))
    arrive(row("a", says(39), at=NOON - 11 * DAY))
    counts = Count.objects.filter(chart="servers", period__unit="month")
    assert counts.get(period__start="2026-11-01").label == "first seen"
    arrive(row("a", says(100), at=NOON + 50 * DAY), at=NOON + 51 * DAY)
    assert counts.get(period__start="2027-01-01").label == "established"


@pytest.mark.django_db
def test_the_page_of_the_reports_tells_doubts_of_ten_servers_and_not_of_nine(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: dt.datetime(2026, 12, 3, tzinfo=dt.UTC))
    arrive(*fleet(30), *fleet(9, {**DEBIAN, "UPTIME": "9" * 12}, name="odd"))
    assert "in doubt" not in client.get("/statistics/reports/").content.decode()
    arrive(row("tenth", {**DEBIAN, "UPTIME": "9" * 12}))
    page = client.get("/statistics/reports/").content.decode()
    assert "Of 40 servers." in page
    assert '<th scope="row">Up for more than 20 years</th><td>10</td>' in page


@pytest.mark.django_db
def test_a_server_that_restarts_and_grows_is_not_doubted() -> None:
    arrive(row("a", says(30, 900), at=NOON - 7 * DAY))
    arrive(row("a", says(37, 1_000), at=NOON))
    arrive(row("a", says(2, 7), at=NOON + 7 * DAY))
    arrive(row("a", {"FEEDBACK_WHEN": "shutdown"}, at=NOON + 8 * DAY))
    assert found() == Doubt(0)
    booted = ServerWeek.objects.exclude(booted_at=None).latest("week").booted_at
    assert booted == NOON + 5 * DAY
