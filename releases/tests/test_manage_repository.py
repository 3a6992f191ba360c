"""The pages of release managers about repositories, publications, packages and aliases."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.models import AuditEntry
from releases import tasks
from releases.actions.alias import follow_rules
from releases.actions.publication import fail_publication
from releases.actions.repository import queue_publication
from releases.actions.roll_back import publish_again, put_back, take_out, try_again
from releases.errors import RefusedError
from releases.models import Alias, Package, Product, Publication, Release, Repository
from releases.signer.local import LocalSigner
from releases.tests import factory
from tests.cast import sign_in
from tests.shared import shared

LIST = "/releases/manage/repositories/"


@shared
def repository(release: Release) -> Repository:
    """Of the series 12.3 for Debian 12, published once."""
    return Repository.objects.of_series().get(distribution="debian-12")


@pytest.fixture
def page(dana: User, monkeypatch: pytest.MonkeyPatch) -> Client:
    """dana's browser; the worker does nothing by itself."""
    monkeypatch.setattr(tasks, "follow", lambda files, publications: None)
    return sign_in(dana)


def _one(repository: Repository, path: str = "") -> str:
    return f"{LIST}{repository.pk}/{path}"


def _text(client: Client, path: str, **query: str) -> str:
    answer = client.get(path, query)
    assert answer.status_code == 200, path
    return answer.content.decode()


def _fail(repository: Repository) -> Publication:
    queued = queue_publication(repository=repository)
    fail_publication(publication_id=queued.pk, reason="The clock of the signer is wrong.")
    queued.refresh_from_db()
    return queued


def _advance(publication: Publication, signer: LocalSigner, folder: Path) -> None:
    before = timezone.now() - dt.timedelta(seconds=2)
    Publication.objects.filter(state="current").update(dated_at=before)
    signer.open_log(folder / f"log-{publication.pk}")
    assert tasks.advance(publication.pk, signer) == Publication.State.CURRENT


# --- the list -----------------------------------------------------------------------------------


def test_the_list_has_every_repository_of_the_managed_products(
    page: Client, repository: Repository
) -> None:
    text = _text(page, LIST)
    assert text.count('<th scope="row">') == Repository.objects.count()
    assert _one(repository) in text
    assert "current" in text


def test_another_managers_repositories_are_neither_listed_nor_opened(
    page: Client, dana: User, repository: Repository
) -> None:
    dana.role_grants.update(scope_slug="otherdb")
    factory.make_series("1.0", slug="otherdb")
    assert "No repository yet" in _text(page, LIST)
    assert page.get(_one(repository)).status_code == 404
    assert page.post(_one(repository, "again/")).status_code == 404


@pytest.mark.parametrize(
    ("query", "fits"),
    [
        ({"state": "failed"}, True),
        ({"state": "waiting"}, False),
        ({"state": "unpublished"}, False),
        ({"state": "expired"}, False),
        ({"kind": "series", "distribution": "debian-12"}, True),
        ({"kind": "version"}, False),
        ({"q": "12.3", "product": "exampledb", "state": "failed", "sort": "oldest"}, True),
        ({"product": "nothing"}, False),
        ({"state": "no such", "kind": "no such", "sort": "no such", "distribution": "x"}, True),
    ],
)
def test_filters_show_what_they_say(
    page: Client, repository: Repository, query: dict[str, str], fits: bool
) -> None:
    _fail(repository)
    assert (_one(repository) in _text(page, LIST, **query)) is fits


def test_the_reason_of_a_failure_is_in_list_csv_and_page(
    page: Client, repository: Repository
) -> None:
    _fail(repository)
    for path in (LIST, _one(repository), _one(repository, "2/")):
        assert "The clock of the signer is wrong." in _text(page, path), path
    answer = page.get("/releases/manage/repositories.csv", {"state": "failed"})
    lines = b"".join(answer).decode().splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("exampledb,12.3,,debian-12,,1,")
    assert lines[1].endswith(",2,failed,The clock of the signer is wrong.")


def test_an_index_that_clients_refuse_is_found_and_said(
    page: Client, repository: Repository
) -> None:
    gone = timezone.now() - dt.timedelta(hours=1)
    repository.publications.update(valid_until=gone)
    assert "no longer valid since" in _text(page, LIST, state="expired")
    assert "Clients refuse it" in _text(page, _one(repository))


# --- one repository -----------------------------------------------------------------------------


def test_a_page_waits_by_script_only_while_something_is_under_way(
    page: Client, dana: User, repository: Repository
) -> None:
    paths = [LIST, _one(repository), "/releases/manage/exampledb/12.3.0/"]
    for path in paths:
        assert "data-await" not in _text(page, path)
    publish_again(actor=dana, repository=repository)
    for path in [*paths, _one(repository, "2/")]:
        text = _text(page, path)
        assert "data-await" in text, path
        assert "js/await" in text, path
        assert "waiting" in text, path


def test_the_page_says_address_suite_keys_and_aliases(page: Client, repository: Repository) -> None:
    Alias.objects.create(
        product=repository.series.product,
        name="latest",
        series=repository.series,
        moved_at=timezone.now(),
    )
    text = _text(page, _one(repository))
    for words in ("/repo/12.3/debian/", "/repo/latest/debian/", "bookworm", "exampledb-keyring"):
        assert words in text, words


def test_publishing_again_asks_for_a_full_publication(page: Client, repository: Repository) -> None:
    assert page.post(_one(repository, "again/")).status_code == 302
    assert repository.publications.get(serial=2).full
    entry = AuditEntry.objects.get(verb="repository.publish_again")
    assert entry.detail == {"serial": 2}


def test_a_failed_publication_is_tried_again_once(
    page: Client, dana: User, repository: Repository
) -> None:
    failed = _fail(repository)
    assert page.post(_one(repository, "2/try-again/")).url == _one(repository)  # type: ignore[attr-defined]
    queued = repository.publications.get(serial=3)
    assert (queued.state, queued.full, queued.cause) == ("queued", True, "again")
    assert AuditEntry.objects.get(verb="repository.try_again").detail == {"failed": 2, "serial": 3}
    with pytest.raises(RefusedError, match="newer publication"):
        try_again(actor=dana, publication=failed)
    answer = page.post(_one(repository, "1/try-again/"), follow=True)
    assert "did not fail" in answer.content.decode()
    assert "A newer publication follows it" in _text(page, _one(repository, "2/"))


# --- one publication ----------------------------------------------------------------------------


def test_a_publication_shows_what_came_and_went(
    page: Client, dana: User, repository: Repository, signer: LocalSigner, tmp_path: Path
) -> None:
    package = Package.objects.get(format="deb")
    assert "everything came with it" in _text(page, _one(repository, "1/"))
    queued = take_out(actor=dana, repository=repository, package=package, reason="It loses data.")
    _advance(queued, signer, tmp_path)
    text = _text(page, _one(repository, "2/"))
    assert "Went</h3>" not in text
    assert "Went (1)" in text
    assert "Came (" not in text
    assert "Clients see again (1)" in _text(page, _one(repository, "1/"))
    assert "nothing to go back to" in text


def test_a_roll_back_needs_a_reason_and_keeps_it(
    page: Client, dana: User, repository: Repository, signer: LocalSigner, tmp_path: Path
) -> None:
    package = Package.objects.get(format="deb")
    queued = take_out(actor=dana, repository=repository, package=package, reason="It loses data.")
    _advance(queued, signer, tmp_path)
    first = _one(repository, "1/")
    assert page.post(first, {"reason": " "}).status_code == 400
    assert repository.publications.count() == 2
    assert page.post(first, {"reason": "It was the disk."}).status_code == 302
    rolled = repository.publications.get(serial=3)
    assert (rolled.cause, rolled.content_of) == ("roll-back", 1)
    assert (
        AuditEntry.objects.get(verb="repository.roll_back").detail["reason"] == "It was the disk."
    )
    assert "rolled back to 1" in _text(page, _one(repository))


def test_what_was_withdrawn_stays_out_when_the_repository_goes_back(
    page: Client, dana: User, release: Release, repository: Repository
) -> None:
    package = Package.objects.get(format="deb")
    take_out(actor=dana, repository=repository, package=package, reason="It loses data.")
    Release.objects.update(yanked_at=timezone.now(), yanked_by=dana, yank_reason="It loses data.")
    text = _text(page, _one(repository, "1/"))
    assert "there is nothing to go back to" in text
    assert package.name not in text.partition('id="back"')[2]


def test_a_failed_publication_is_no_place_to_go_back_to(
    page: Client, repository: Repository
) -> None:
    _fail(repository)
    assert 'id="back"' not in _text(page, _one(repository, "2/"))
    answer = page.post(_one(repository, "2/"), {"reason": "Why not."})
    assert answer.status_code == 400
    assert "never seen" in answer.content.decode()


# --- packages -----------------------------------------------------------------------------------


def test_a_package_is_taken_out_and_put_back_with_reasons(
    page: Client, repository: Repository, signer: LocalSigner, tmp_path: Path
) -> None:
    package = Package.objects.get(format="deb")
    path = _one(repository, f"packages/{package.pk}/")
    assert page.post(path, {"reason": ""}).status_code == 400
    for serial, (button, reason) in enumerate(
        [("Take it out", "It loses data."), ("Put it back", "It was the disk.")], start=2
    ):
        assert button in _text(page, path)
        assert page.post(path, {"reason": reason}).status_code == 302
        _advance(repository.publications.get(serial=serial), signer, tmp_path)
    counts = repository.publications.order_by("serial").values_list("packages", flat=True)
    assert list(counts) == [1, 0, 1]
    verbs = AuditEntry.objects.filter(verb__startswith="repository.").order_by("pk")
    assert list(verbs.values_list("verb", flat=True)) == [
        "repository.take_out",
        "repository.put_back",
    ]


def test_what_never_was_here_or_is_withdrawn_is_not_put_back(
    page: Client, dana: User, repository: Repository
) -> None:
    rpm, deb = Package.objects.get(format="rpm"), Package.objects.get(format="deb")
    act = {"actor": dana, "repository": repository, "reason": "Any."}
    with pytest.raises(RefusedError, match="never held"):
        put_back(package=rpm, **act)  # type: ignore[arg-type]
    with pytest.raises(RefusedError, match="already"):
        put_back(package=deb, **act)  # type: ignore[arg-type]
    take_out(package=deb, **act)  # type: ignore[arg-type]
    Release.objects.update(yanked_at=timezone.now(), yanked_by=dana, yank_reason="It loses data.")
    path = _one(repository, f"packages/{deb.pk}/")
    answer = page.post(path, {"reason": "I like it."})
    assert answer.status_code == 400
    assert "is withdrawn" in answer.content.decode()
    assert "I like it." in answer.content.decode()


def test_packages_are_searched_and_filtered(
    page: Client, dana: User, repository: Repository
) -> None:
    path, name = _one(repository, "packages/"), "exampledb-server"
    for query, fits in [({}, True), ({"q": "12.3.0"}, True), ({"q": "zzz"}, False)]:
        assert (f">{name}<" in _text(page, path, **query)) is fits
    package = Package.objects.get(format="deb")
    take_out(actor=dana, repository=repository, package=package, reason="Any.")
    assert f">{name}<" not in _text(page, path, state="held")
    assert f">{name}<" in _text(page, path, state="left")


# --- aliases ------------------------------------------------------------------------------------


@shared
def alias(repository: Repository) -> Alias:
    """latest, at 12.3 by its rule."""
    Release.objects.update(maturity="stable")
    follow_rules(product=Product.objects.get(), at=timezone.now())
    return Alias.objects.get(name="latest")


def test_aliases_say_where_they_point_and_by_what(page: Client, alias: Alias) -> None:
    text = _text(page, f"{LIST}aliases/")
    assert "ExampleDB latest" in text
    assert "by rule" in text
    assert "by hand" not in text


def test_an_alias_is_held_by_hand_after_a_look_at_the_consequences(
    page: Client, alias: Alias
) -> None:
    path = f"{LIST}aliases/{alias.pk}/"
    assert "Hold it here" not in _text(page, path)
    assert "Hold it here" in _text(page, path, series="12.3")
    assert page.post(path, {"series": "12.3"}).status_code == 302
    alias.refresh_from_db()
    assert alias.held
    assert "by hand" in _text(page, f"{LIST}aliases/")
    assert "Let it follow its rule" in _text(page, path)
    assert page.post(f"{path}free/").status_code == 302
    alias.refresh_from_db()
    assert not alias.held


def test_a_move_that_cannot_be_is_refused_with_its_reason(page: Client, alias: Alias) -> None:
    factory.make_series("13.0")
    path = f"{LIST}aliases/{alias.pk}/"
    assert "no published repository" in _text(page, path, series="13.0")
    for series, words in [("13.0", "no published repository"), ("", "Choose a series")]:
        answer = page.post(path, {"series": series})
        assert answer.status_code == 400
        assert words in answer.content.decode()
    alias.refresh_from_db()
    assert not alias.held


def test_no_alias_yet_says_how_there_will_be_some(page: Client, repository: Repository) -> None:
    assert "No alias yet" in _text(page, f"{LIST}aliases/")
