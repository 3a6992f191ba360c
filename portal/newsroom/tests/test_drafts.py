"""Drafts of what happened: a release, a new supporter; and what must not make one."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.money import Money
from portal.members.models import Logo, Organisation, Term, Tier
from portal.news.actions.announcement import Text, drop_draft
from portal.news.actions.occasion import draft_for
from portal.news.actions.publication import publish_announcement, schedule_announcement
from portal.news.models import Announcement, Kind, Occasion, State
from portal.news.tests.rows import words
from portal.newsroom import release_draft, sweep
from portal.payments.tests.factories import make_order
from portal.tasks import draft_news
from releases.models import Product, Release
from releases.tests.factory import make_draft
from tests.cast import sign_in
from tests.supporters import make_tier

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
NOW = timezone.now()


def released(version: str = "12.3.1", maturity: str = "stable", **fields: Any) -> Release:
    """A release that is public, without its files."""
    release = make_draft(version=version, maturity=maturity, notes="- Vectors *on disk*")
    values = {"published_at": NOW - DAY, **fields}
    Release.objects.filter(pk=release.pk).update(**values)
    return Release.objects.get(pk=release.pk)


def supporter(name: str = "Acme", *, tier: Tier | None = None, **fields: Any) -> Term:
    tier = tier or make_tier()
    organisation, _ = Organisation.objects.get_or_create(
        slug=name.lower(),
        defaults={
            "name": name,
            "legal_name": name,
            "address": "Musterweg 1",
            "country": "DE",
            "is_listed": True,
            "website": "https://acme.example/a (b)",
        },
    )
    values = {
        "organisation": organisation,
        "tier": tier,
        "order": make_order(Money(100_00, "EUR")),
        "tier_name": tier.name,
        "tier_rank": tier.rank,
        "logo_size": "mid",
        "kind_slug": tier.kind.slug,
        "kind_name": tier.kind.name,
        "takes_part": True,
        "price_minor": 100_00,
        "currency": "EUR",
        "starts_at": NOW - DAY,
        "ends_at": NOW + 365 * DAY,
    }
    given = {**values, **fields}
    return Term.objects.create(**{"grace_until": given["ends_at"], **given})


def test_a_stable_release_makes_a_draft_with_its_facts(dana: User) -> None:
    release = released()
    for _ in range(2):
        draft_news()
    draft = Announcement.objects.get()
    assert draft.state(NOW) == State.DRAFT
    assert (draft.kind, draft.title) == (Kind.RELEASE, "ExampleDB 12.3.1 is released")
    assert f"]({release.get_absolute_url()})" in draft.body
    assert "/repositories/?product=exampledb&series=12.3)" in draft.body
    assert "- Vectors *on disk*" in draft.body
    assert "(Stable) was published on" in draft.body


def test_the_product_says_which_releases_make_one(dana: User) -> None:
    released(maturity="alpha")
    said = Product.Announced
    for announced, made in ((said.STABLE, 0), (said.NONE, 0), (said.ALL, 1)):
        Product.objects.update(announced=announced)
        sweep.draft_releases(at=NOW)
        assert Announcement.objects.count() == made
    draft = Announcement.objects.get()
    assert draft.title == "ExampleDB 12.3.1 can be tested"
    assert "**An alpha may lose data" in draft.body


@pytest.mark.parametrize(
    "fields",
    [
        {"published_at": None},
        {"published_at": NOW + DAY},
        {"published_at": NOW - 40 * DAY},
        {"published_at": NOW - DAY, "yanked_at": NOW - DAY, "yank_reason": "It loses rows."},
    ],
)
def test_what_is_not_to_be_told_makes_no_draft(dana: User, fields: dict[str, Any]) -> None:
    released(**fields)
    sweep.run(at=NOW)
    assert not Announcement.objects.exists()


def test_a_release_that_is_withdrawn_takes_its_draft_from_the_schedule(
    dana: User, frank: User
) -> None:
    release = released()
    sweep.run(at=NOW)
    draft = Announcement.objects.get()
    schedule_announcement(actor=frank, announcement=draft, seen=1, moment=NOW + DAY, at=NOW)
    Release.objects.filter(pk=release.pk).update(yanked_at=NOW, yank_reason="It loses rows.")
    sweep.run(at=NOW + timedelta(minutes=1))
    draft.refresh_from_db()
    assert draft.state(NOW) == State.DRAFT
    assert "It loses rows." in sign_in(frank).get(draft.desk_url).content.decode()


def test_a_draft_that_was_thrown_away_is_not_made_again(dana: User, frank: User) -> None:
    released()
    sweep.run(at=NOW)
    drop_draft(actor=frank, announcement=Announcement.objects.get(), at=NOW)
    sweep.run(at=NOW)
    assert [one.state(NOW) for one in Announcement.objects.all()] == [State.DROPPED]


def test_a_new_supporter_makes_a_draft_and_a_renewal_none(frank: User) -> None:
    term = supporter("A*c*me")
    sweep.run(at=NOW)
    draft = Announcement.objects.get()
    assert draft.title == "A*c*me supports the foundation"
    assert "[A\\*c\\*me](https://acme.example/a%20%28b%29)" in draft.body
    assert "as Gold member since" in draft.body
    assert "![" not in draft.body  # it gave no logo
    supporter("A*c*me", starts_at=NOW - timedelta(hours=1), tier=term.tier)
    sweep.run(at=NOW)
    assert Announcement.objects.count() == 1


@pytest.mark.parametrize("fields", [{"starts_at": NOW - 40 * DAY}, {"ended_at": NOW - DAY}])
def test_an_old_or_ended_term_makes_no_draft(fields: dict[str, Any]) -> None:
    supporter(**fields)
    sweep.run(at=NOW)
    assert not Announcement.objects.exists()


def test_who_did_not_agree_to_be_named_is_not(client: Client, frank: User) -> None:
    supporter()
    Organisation.objects.update(is_listed=False)
    sweep.run(at=NOW)
    assert not Announcement.objects.exists()

    Organisation.objects.update(is_listed=True)
    sweep.run(at=NOW)
    draft = Announcement.objects.get()
    Organisation.objects.update(is_listed=False)
    sweep.run(at=NOW)
    assert "does not wish to be named" in Occasion.objects.get().doubt
    answer = sign_in(frank).post(f"{draft.desk_url}publish/", {"how": "now", "version": 1})
    assert "does not wish to be named" in answer.content.decode()
    Organisation.objects.update(is_listed=True)
    Term.objects.update(ended_at=NOW)
    sweep.run(at=NOW)
    assert "not a supporter at present" in Occasion.objects.get().doubt
    Term.objects.update(ended_at=None)
    sweep.run(at=NOW)
    assert Occasion.objects.get().doubt == ""


def test_one_that_cannot_be_written_keeps_no_other_back(
    dana: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    good, bad = released("12.3.1"), released("12.3.2", published_at=NOW - 2 * DAY)
    write = release_draft.text

    def text(release: Release) -> Text:
        return replace(write(release), body="" if release == bad else "x")

    monkeypatch.setattr(release_draft, "text", text)
    sweep.run(at=NOW)
    assert Occasion.objects.get().key == f"release:{good.pk}"
    assert f"no draft for release:{bad.pk}" in caplog.text


def test_a_key_of_another_kind_is_left_alone() -> None:
    draft_for(key="meeting:1", text=words())
    sweep.doubt_drafts(at=NOW)
    assert Occasion.objects.get().doubt == ""


def test_the_logo_is_the_one_that_is_shown_at_the_time(client: Client, frank: User) -> None:
    term = supporter()
    logo = Logo.objects.create(
        digest="a" * 64, format="svg", content=b"<svg/>", width=40, height=20
    )
    Organisation.objects.filter(pk=term.organisation_id).update(logo=logo)
    sweep.run(at=NOW)
    draft = Announcement.objects.get()
    publish_announcement(actor=frank, announcement=draft, seen=1, at=timezone.now())
    page = client.get(draft.get_absolute_url()).content.decode()
    assert '<img src="/supporters/logos/acme/" alt="Acme">' in page
    assert client.get("/supporters/logos/acme/").status_code == 200
