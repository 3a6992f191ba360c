"""Quarterly reports: their figures, begun, renewed, frozen."""

import datetime as dt
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from feedback.models import Count, Period
from portal.accounts.models import User
from portal.accounts.roles import Role, Scope
from portal.donations.models import Donation
from portal.lib.money import Money
from portal.members.models import Term
from portal.news.models import Announcement, ReportFigures, State
from portal.news.quarter import Quarter
from portal.news.tables import Table
from portal.newsroom import demonstration
from portal.newsroom.figures import compute
from portal.newsroom.tests.test_drafts import released, supporter
from portal.payments.tests.factories import make_order, make_payment
from releases.models import DownloadCount, Release
from releases.tests.factory import add_files, make_draft
from tests.cast import make_person, sign_in
from tests.shared import shared
from tests.supporters import make_tier

pytestmark = pytest.mark.django_db
THIRD = Quarter(2026, 3)
INSIDE = datetime(2026, 8, 1, tzinfo=UTC)
BEFORE, AFTER = datetime(2026, 6, 30, 23, 59, tzinfo=UTC), datetime(2026, 10, 1, tzinfo=UTC)
LATER = datetime(2026, 11, 20, tzinfo=UTC)


@shared
def heidi() -> User:
    return make_person("heidi", (Role.EDITOR, Scope.FOUNDATION, ""))


@pytest.fixture
def desk(heidi: User) -> Client:
    return sign_in(heidi)


def table(title: str, at: datetime = LATER) -> Table:
    return next(one for one in compute(THIRD, at=at) if one.title == title)


def test_nothing_happened_is_said_in_words(db: None) -> None:
    for one in compute(THIRD, at=LATER):
        assert one.rows == ()
        assert one.note.endswith(".")


def test_releases_of_the_quarter_are_named_and_no_others(dana: User) -> None:
    released("12.3.1", published_at=INSIDE)
    released("12.3.2", published_at=BEFORE)
    released("12.3.3", published_at=AFTER)
    released("12.3.4", published_at=INSIDE, yanked_at=INSIDE, yank_reason="It loses rows.")
    assert table("Releases").rows == (("ExampleDB 12.3.1", "Stable", "1 Aug 2026"),)
    assert table("Releases", at=BEFORE).rows == ()


def test_supporters_are_new_or_renewed_and_counted_once(db: None) -> None:
    member = make_tier()
    sponsor = make_tier("silver", member=False, rank=3)
    year = timedelta(days=365)
    supporter("Acme", tier=member, starts_at=INSIDE, ends_at=INSIDE + year)
    supporter("Beta", tier=member, starts_at=BEFORE - year, ends_at=INSIDE)
    supporter("Beta", tier=member, starts_at=INSIDE, ends_at=INSIDE + year)
    supporter("Beta", tier=sponsor, starts_at=BEFORE - year, ends_at=INSIDE + year)
    supporter("Gone", tier=sponsor, starts_at=INSIDE, ended_at=INSIDE + timedelta(days=1))
    supporter("Late", tier=sponsor, starts_at=AFTER)
    assert table("Supporters").rows == (("Members", 1, 1, 2),)
    assert table("Supporters", at=BEFORE).rows == (("Members", 0, 0, 1),)


def test_income_is_what_stays_by_what_it_was_for(db: None) -> None:
    term = supporter()
    make_payment(term.order, Money(100_50, "EUR"), occurred_at=INSIDE)
    back = {"kind": "refund", "occurred_at": INSIDE}
    make_payment(term.order, Money(-40_00, "EUR"), **back)
    make_payment(term.order, Money(999_00, "EUR"), occurred_at=BEFORE)
    for name in ("Ada", "Bo", "Cleo"):
        donated(name, Money(500, "JPY"))
    make_payment(make_order(), Money(7_49, "USD"), occurred_at=INSIDE)
    assert table("Income").rows == (
        ("Donations", "JPY", 1500, 0, 1500),
        ("Members", "EUR", 101, -40, 61),
        ("Other payments", "USD", 7, 0, 7),
    )
    assert "Ada" not in str(compute(THIRD, at=LATER))


def test_what_a_bank_returned_after_a_dispute_did_not_come_in_again(db: None) -> None:
    term = supporter()
    make_payment(term.order, Money(100_00, "EUR"), occurred_at=INSIDE)
    for kind, minor in (("dispute", -100_00), ("dispute_returned", 100_00)):
        make_payment(term.order, Money(minor, "EUR"), kind=kind, occurred_at=INSIDE)
    assert table("Income").rows == (("Members", "EUR", 100, 0, 100),)


def donated(name: str, amount: Money) -> None:
    email = f"{name.lower()}@example.org"
    order = make_order(amount, billing_email=email)
    Donation.objects.create(order=order, name=name, email=email)
    make_payment(order, occurred_at=INSIDE)


def test_what_few_people_gave_is_not_told(db: None) -> None:
    for name in ("Ada", "Ada", "Bo"):
        donated(name, Money(500, "JPY"))
    income = table("Income")
    assert income.rows == ()
    assert "fewer than 3 people" in income.note
    make_payment(make_order(), Money(7_49, "USD"), occurred_at=INSIDE)
    assert table("Income").rows == (("Other payments", "USD", 7, 0, 7),)
    assert "fewer than 3 people" in table("Income").note


def test_downloads_are_summed_by_product(dana: User) -> None:
    release = make_draft("12.3.1")
    add_files(actor=dana, release=release)
    Release.objects.update(published_at=INSIDE)
    file = release.files.earliest("pk")
    for day, count in (
        (dt.date(2026, 7, 1), 5),
        (dt.date(2026, 9, 30), 7),
        (dt.date(2026, 10, 1), 1),
    ):
        DownloadCount.objects.create(file=file, day=day, count=count)
    assert table("Downloads").rows == (("ExampleDB", 12),)


def test_servers_are_shown_as_on_the_statistics_page(db: None) -> None:
    for month, servers in ((7, 480), (8, 3), (10, 500)):
        period = Period.objects.create(
            unit=Period.Unit.MONTH, start=dt.date(2026, month, 1), computed_at=LATER
        )
        Count.objects.create(period=period, chart="servers", label="established", servers=servers)
    assert table("Usage reports").rows == (("July 2026", 480),)
    assert table("Usage reports", at=datetime(2026, 7, 20, tzinfo=UTC)).rows == ()


def begun(desk: Client) -> ReportFigures:
    quarter = Quarter.of(timezone.now().date()).previous()
    answer = desk.post("/staff/news/reports/", {"quarter": f"{quarter.year}-{quarter.number}"})
    assert answer.status_code == 302
    return ReportFigures.objects.select_related("announcement").latest("pk")


def test_a_report_is_begun_once_for_a_quarter(desk: Client) -> None:
    kept = begun(desk)
    draft = kept.announcement
    assert draft.state(timezone.now()) == State.DRAFT
    assert "## Income\n\nNo money came in." in draft.body
    assert begun(desk) == kept
    text = desk.get("/staff/news/reports/").content.decode()
    assert draft.title in text
    assert text.count('name="quarter"') == 5
    assert (
        "already"
        in desk.post(
            "/staff/news/reports/", {"quarter": f"{kept.year}-{kept.number}"}, follow=True
        ).content.decode()
    )
    desk.post(f"{draft.desk_url}drop/")
    assert begun(desk) != kept
    answer = desk.post("/staff/news/reports/", {"quarter": "1999-1"}, follow=True)
    assert "Choose one of these quarters" in answer.content.decode()


def test_figures_are_renewed_until_the_report_is_public(
    desk: Client, client: Client, dana: User
) -> None:
    kept = begun(desk)
    draft, page = kept.announcement, f"{kept.announcement.desk_url}figures/"
    released("12.3.1", published_at=kept.quarter.start)
    supporter(starts_at=kept.quarter.start, ends_at=kept.quarter.end)
    Announcement.objects.filter(pk=draft.pk).update(
        body=draft.body.replace("There is no supporter yet.", "My own words.")
    )
    text = desk.get(page).content.decode()
    assert "newer than in the report" in text
    assert "edited by hand" in text

    stale = desk.post(f"{page}renew/", {"version": 7}, follow=True).content.decode()
    assert "saved another version" in stale
    said = desk.post(f"{page}renew/", {"version": 1}, follow=True).content.decode()
    assert "stay as they are: Supporters." in said
    draft.refresh_from_db()
    assert "| ExampleDB 12.3.1 | Stable |" in draft.body
    assert "My own words." in draft.body
    assert draft.versions.first().note == "Figures computed again"  # type: ignore[union-attr]

    desk.post(f"{draft.desk_url}publish/", {"how": "now", "version": draft.version})
    released("12.3.2", published_at=kept.quarter.start)
    frozen = desk.post(f"{page}renew/", {"version": draft.version}, follow=True)
    assert "its figures stay as they are" in frozen.content.decode()
    assert "12.3.2" not in desk.get(page).content.decode()
    csv = client.get(f"{draft.get_absolute_url()}figures.csv")
    assert csv["Content-Type"] == "text/csv; charset=utf-8"
    lines = csv.content.decode().splitlines()
    assert "Supporters,Members,New,1" in lines
    assert any(line.startswith("Releases,ExampleDB 12.3.1 / Stable") for line in lines)
    assert not any("12.3.2" in line for line in lines)


def test_nothing_new_is_renewed_without_a_version(desk: Client) -> None:
    kept = begun(desk)
    page = f"{kept.announcement.desk_url}figures/renew/"
    said = desk.post(page, {"version": 1}, follow=True).content.decode()
    assert "The report has the figures of now." in said
    assert kept.announcement.versions.count() == 1


def test_readers_find_reports_by_year_with_their_figures(desk: Client, client: Client) -> None:
    kept = begun(desk)
    address = kept.announcement.get_absolute_url()
    assert client.get(f"{address}figures.csv").status_code == 404
    assert address not in client.get("/news/reports/").content.decode()
    desk.post(f"{kept.announcement.desk_url}publish/", {"how": "now", "version": 1})
    text = client.get("/news/reports/").content.decode()
    assert f'href="{address}figures.csv"' in text
    assert f"<h2>{kept.year}</h2>" in text
    assert f'href="{address}figures.csv"' in client.get(address).content.decode()


def test_the_demonstration_reports_once(frank: User) -> None:
    at = timezone.now()
    for _ in range(2):
        demonstration.load(actor=frank, at=at)
    report = Announcement.objects.get()
    assert report.state(timezone.now()) == State.PUBLISHED
    assert not report.was_changed
    assert Term.objects.count() == 0
