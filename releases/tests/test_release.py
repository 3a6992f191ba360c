"""Making and publishing a release: who may, what stands against it, and what is computed."""

from __future__ import annotations

import datetime as dt
import html
from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.accounts.roles import Role, Scope
from portal.lib.models import AuditEntry
from releases import catalogue
from releases.actions.release import draft_release, publish_release
from releases.errors import RefusedError
from releases.looked_at import as_field
from releases.models import Product, Publication, Release, Repository, Series
from releases.signer.local import LocalSigner
from releases.tests import factory
from tests.cast import make_person

PAGE = "/releases/manage/exampledb/12.3.0/"


def test_publishing_shows_the_release_and_queues_its_repositories(
    dana: User, draft: Release, client_for: Callable[[User], Client]
) -> None:
    client = client_for(dana)
    client.post(f"{PAGE}publish/", {"confirm": "yes"})
    assert not Release.objects.published(timezone.now()).exists()
    client.post(f"{PAGE}publish/", {"confirm": "12.3.0", "shown": as_field(draft)})
    assert Release.objects.published(timezone.now()).get().published_by == dana
    assert {p.repository.name for p in Publication.objects.unfinished()} == {
        "exampledb/12.3/debian-12",
        "exampledb/12.3/rhel-9/x86_64",
        "exampledb/12.3.0/debian-12",
        "exampledb/12.3.0/rhel-9/x86_64",
    }
    assert AuditEntry.objects.filter(verb="release.publish", actor=dana).count() == 1
    answer = client.post(f"{PAGE}publish/", {"confirm": "12.3.0"}, follow=True)
    assert b"published already" in answer.content
    assert client.get(PAGE).status_code == 200


def test_what_changed_after_the_page_was_shown_is_not_published(
    dana: User, draft: Release, client_for: Callable[[User], Client]
) -> None:
    client = client_for(dana)
    page = html.unescape(client.get(PAGE).content.decode())
    shown = as_field(draft)
    assert page.count(f'name="shown" value="{shown}"') == 2, "in both forms"
    factory.accept(actor=dana, release=draft, name="late.tar.gz", data=b"late", os="Source")
    Release.objects.filter(pk=draft.pk).update(notes="Late.")
    soon = f"{timezone.now() + dt.timedelta(days=1):%Y-%m-%dT%H:%M}"
    for act, form in [("publish", {"confirm": "12.3.0"}), ("schedule", {"moment": soon})]:
        for told in (shown, "", "[]", "{"):
            answer = client.post(f"{PAGE}{act}/", form | {"shown": told}, follow=True)
            assert "Changed since the page was shown" in answer.content.decode(), (act, told)
            assert ("the maturity" in answer.content.decode()) == (told != shown)
            assert "the text, the files" in answer.content.decode()
    draft.refresh_from_db()
    assert draft.published_at is None
    assert draft.scheduled_for is None
    client.post(f"{PAGE}publish/", {"confirm": "12.3.0", "shown": as_field(draft)})
    assert Release.objects.published(timezone.now()).get() == draft


def test_who_uploaded_a_stable_release_cannot_publish_it_alone(dana: User, grace: User) -> None:
    release = factory.make_draft("11.8.9", "stable")
    factory.add_files(actor=dana, release=release)
    with pytest.raises(RefusedError, match="second"):
        publish_release(actor=dana, release=release, at=timezone.now())
    publish_release(actor=grace, release=release, at=timezone.now())


def test_no_maturity_goes_around_the_second_person_in_a_stable_series(
    dana: User, grace: User
) -> None:
    now = timezone.now()
    stable = factory.make_draft("11.8.9", "stable")
    factory.accept(actor=dana, release=stable, name="a.zip", data=b"a")
    publish_release(actor=grace, release=stable, at=now)
    plain = factory.make_draft("11.8.10-rc1", "alpha")
    factory.accept(actor=dana, release=plain, name="b.zip", data=b"b")
    publish_release(actor=dana, release=plain, at=now)  # nothing enters a repository
    release = factory.make_draft("11.8.10", "alpha")
    factory.add_files(actor=dana, release=release)
    with pytest.raises(RefusedError, match="second release manager"):
        publish_release(actor=dana, release=release, at=now)
    publish_release(actor=grace, release=release, at=now)


def test_a_release_without_files_or_with_uploads_on_their_way_waits(dana: User) -> None:
    release = factory.make_draft()
    with pytest.raises(RefusedError, match="at least one file"):
        publish_release(actor=dana, release=release, at=timezone.now())
    factory.accept(actor=dana, release=release, name="a.zip", data=b"a")
    factory.send(actor=dana, release=release, name="b.zip", data=b"b")
    with pytest.raises(RefusedError, match="every upload"):
        publish_release(actor=dana, release=release, at=timezone.now())


def test_a_draft_needs_a_version_and_a_word_of_its_scale(
    dana: User, client_for: Callable[[User], Client]
) -> None:
    release = factory.make_draft()
    for version, maturity in [("v12", "alpha"), ("12.3.0", "alpha"), ("12.3.1", "gamma")]:
        with pytest.raises(RefusedError):
            draft_release(actor=dana, series=release.series, version=version, maturity=maturity)
    client = client_for(dana)
    form = {"series": release.series_id, "version": "12.3.0", "maturity": "alpha"}
    assert b"already" in client.post("/releases/manage/new/", form).content
    answer = client.post("/releases/manage/new/", form | {"version": "12.3.4"})
    assert answer.url == "/releases/manage/exampledb/12.3.4/"  # type: ignore[attr-defined]
    Release.objects.update(maturity="gamma")
    factory.accept(actor=dana, release=release, name="a.zip", data=b"a")
    with pytest.raises(RefusedError, match="scale"):
        publish_release(actor=dana, release=release, at=timezone.now())


def test_a_form_offers_only_series_of_ones_own_products(
    dana: User, client_for: Callable[[User], Client]
) -> None:
    factory.make_series("1.0", slug="other")
    factory.make_series("12.3")
    page = client_for(dana).get("/releases/manage/new/").content.decode()
    assert "ExampleDB 12.3" in page
    assert "Other 1.0" not in page


def test_a_grant_without_a_name_covers_every_product(db: None, dana: User) -> None:
    factory.make_series("1.0", slug="other")
    factory.make_series("12.3")
    all_of_them = make_person("grace", (Role.RELEASE_MANAGER, Scope.PRODUCT, ""))
    now = timezone.now()
    assert Product.objects.managed_by(all_of_them, now).count() == 2
    assert Product.objects.managed_by(dana, now).count() == 1
    dana.is_active = False
    assert not Product.objects.managed_by(dana, now).exists()


def test_support_is_computed_for_any_day(db: None) -> None:
    series = factory.make_series(
        "11.8", released_on=dt.date(2024, 1, 1), eol_on=dt.date(2026, 1, 1)
    )
    days = {dt.date(2023, 12, 31): 0, dt.date(2024, 1, 1): 1, dt.date(2025, 12, 31): 1}
    for day, count in (days | {dt.date(2026, 1, 1): 0}).items():
        assert Series.objects.supported(day).count() == count
    assert Series.objects.ended(dt.date(2026, 1, 1)).get() == series
    assert series.is_ended(dt.date(2026, 1, 1))


def test_the_latest_of_a_series_is_the_highest_number_published(dana: User) -> None:
    now = timezone.now()
    for version in ("12.3.9", "12.3.10", "12.3.11"):
        release = factory.make_draft(version)
        if version != "12.3.11":
            Release.objects.filter(pk=release.pk).update(published_at=now)
    assert Release.objects.latest_at(now).get().version == "12.3.10"
    assert Release.objects.drafts(now).get().version == "12.3.11"
    assert [found.version for found in catalogue.latest_releases(at=now)] == ["12.3.10", "12.3.9"]
    assert not Release.objects.published(now - dt.timedelta(days=1)).exists()
    assert Series.objects.shown(now).count() == 1


def test_the_recommended_release_is_stable_long_term_and_supported(db: None) -> None:
    now = timezone.now()
    today = now.date()
    plan = [
        ("12.3.0", "alpha", "long", 900),
        ("12.1.3", "stable", "short", 100),
        ("11.8.9", "stable", "long", 900),
        ("11.4.2", "stable", "long", 400),
        ("10.6.1", "stable", "long", -10),
    ]
    for version, maturity, support, days in plan:
        factory.make_series(
            version.rpartition(".")[0],
            support=support,
            released_on=today - dt.timedelta(days=1000) if maturity == "stable" else None,
            eol_on=today + dt.timedelta(days=days),
        )
        factory.make_draft(version, maturity)
    Release.objects.update(published_at=now - dt.timedelta(days=2))
    rows = catalogue.rows(at=now)
    assert [row.latest.version for row in rows if row.is_recommended] == ["11.8.9"]
    assert [row.latest.version for row in rows if row.is_ended] == ["10.6.1"]
    assert catalogue.roadmap(rows, at=now).count("<svg") == 2
    assert catalogue.roadmap([], at=now) == ""


def test_a_warning_stands_on_pages_of_what_is_not_stable_or_has_ended(
    release: Release, client: Client
) -> None:
    page = client.get("/releases/exampledb/12.3.0/").content
    assert b"Do not use this release in production" in page
    assert b"An alpha may lose data" in page
    assert b"no longer supported" not in page
    Series.objects.update(eol_on=dt.date(2020, 1, 1))
    page = client.get("/releases/exampledb/12.3.0/").content
    assert b"no longer supported" in page
    assert b"It gets no more fixes" in client.get("/repositories/").content
    assert client.get("/releases/").status_code == 200


def test_a_rolling_series_without_an_end_has_pages_too(dana: User, client: Client) -> None:
    factory.make_series("7.0", support="rolling")
    release = factory.make_draft("7.0.1", "beta")
    factory.accept(actor=dana, release=release, name="a.zip", data=b"a")
    publish_release(actor=dana, release=release, at=timezone.now())
    for path in ("/releases/", "/releases/exampledb/", "/releases/exampledb/7.0.1/"):
        assert b"the next release" in client.get(path).content


def test_the_database_keeps_origin_label_and_codename(
    release: Release, signer: LocalSigner
) -> None:
    for field in ("origin", "label", "codename"):
        with pytest.raises(Exception, match="never change"), transaction.atomic():
            Repository.objects.update(**{field: "other"})


def test_the_database_keeps_one_current_publication(release: Release) -> None:
    publication = Publication.objects.first()
    assert publication is not None
    assert publication.is_settled(timezone.now())
    with pytest.raises(IntegrityError), transaction.atomic():
        Publication.objects.create(
            repository=publication.repository, serial=99, state=Publication.State.CURRENT
        )
    assert connection.is_usable()


def test_rows_say_what_they_are(release: Release) -> None:
    publication = Publication.objects.select_related("repository").filter(
        repository__distribution="rhel-9"
    )[0]
    assert str(publication) == "exampledb/12.3/rhel-9/x86_64 #1"
    package = publication.repository.memberships.get()
    assert str(package) == ("exampledb-server 12.3.0-1.el9 x86_64 in exampledb/12.3/rhel-9/x86_64")
    file = release.files.get(name__endswith=".tar.gz")
    assert (str(file), str(file.upload), str(file.blob)) == (file.name, file.name, file.blob.sha256)
    assert str(publication.files.get(path="repodata/repomd.xml")) == "repodata/repomd.xml"
    assert publication.key is not None
    assert str(publication.key).startswith("exampledb-keyring ")
