"""What was answered before is answered again, until a row that it tells of is another."""

from __future__ import annotations

from collections.abc import Callable

from django.db import connection
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.accounts.models import User
from portal.lib import kept
from portal.lib.kept import Kept, Shelf
from releases import stamp
from releases.actions.release import publish_release
from releases.models import File, Mirror, Product, Release, Repository, Series, SigningKey
from releases.signer.local import LocalSigner
from releases.tests import factory
from tests.cast import sign_in

GENERATOR = "/repositories/?product=exampledb&series=12.3&distribution=debian-12"
REST = "/rest-api/exampledb/12.3/"


def now_is() -> str:
    return stamp.with_files("exampledb", "12.3", at=timezone.now())


def test_each_thing_that_pages_tell_of_makes_another_stamp(release: Release) -> None:
    mirror = factory.synced(factory.make_mirror())
    writes: list[Callable[[], object]] = [
        lambda: Product.objects.update(description="Another."),
        lambda: Series.objects.update(eol_on="2031-01-01"),
        lambda: Release.objects.update(summary="Another."),
        lambda: Release.objects.update(yanked_at=timezone.now(), yank_reason="Broken."),
        lambda: File.objects.filter(release=release).update(signature="another"),
        lambda: Repository.objects.live().update(serial=9),
        lambda: SigningKey.objects.earliest("pk").save(),
        lambda: Mirror.objects.filter(pk=mirror.pk).update(health=Mirror.Health.LAGGING),
        lambda: Mirror.objects.filter(pk=mirror.pk).update(health=Mirror.Health.HEALTHY),
        lambda: mirror.products.add(release.series.product),
        lambda: Mirror.objects.filter(pk=mirror.pk).delete(),
    ]
    seen = [now_is()]
    for number, write in enumerate(writes):
        write()
        seen.append(now_is())
        assert seen[-1] != seen[-2], number


def test_drafts_and_probes_leave_it_as_it_is(release: Release, dana: User) -> None:
    mirror = factory.synced(factory.make_mirror())
    before = now_is()
    draft = factory.make_draft("12.3.1")
    factory.add_files(actor=dana, release=draft)
    Mirror.objects.filter(pk=mirror.pk).update(probed_at=timezone.now(), failures=1)
    assert now_is() == before


def test_what_is_unchanged_costs_one_question(release: Release, client: Client) -> None:
    for path in [GENERATOR, f"{GENERATOR}&format=sources", f"{GENERATOR}&as=json", REST]:
        first = client.get(path)
        with CaptureQueriesContext(connection) as asked:
            again = client.get(path)
            known = client.get(path, headers={"if-none-match": first["ETag"]})
        assert len(asked) == 2, [query["sql"][:200] for query in asked]
        assert (again.status_code, again.content) == (200, first.content), path
        same = dict(first.headers) | {"X-Request-ID": again["X-Request-ID"]}
        assert dict(again.headers) == same, path
        assert (known.status_code, known.content, known["ETag"]) == (304, b"", first["ETag"]), path


def test_a_change_is_told_at_once(
    release: Release, dana: User, signer: LocalSigner, client: Client
) -> None:
    before = {path: client.get(path) for path in (GENERATOR, REST)}
    later = factory.make_draft("12.3.1")
    factory.add_files(actor=dana, release=later)
    for publication in publish_release(actor=dana, release=later, at=timezone.now()):
        if publication.repository.release is None:
            factory.publish_again(publication=publication, signer=signer)
    for path, first in before.items():
        again = client.get(path, headers={"if-none-match": first["ETag"]})
        assert again.status_code == 200, path
        assert "12.3.1" in again.content.decode(), path
        assert again["ETag"] != first["ETag"], path


def test_a_page_with_a_name_on_it_is_for_nobody_else(release: Release, dana: User) -> None:
    mine = sign_in(dana).get(GENERATOR).content.decode()
    assert dana.name in mine
    assert dana.name not in Client().get(GENERATOR).content.decode()
    assert dana.name in sign_in(dana).get(GENERATOR).content.decode()


def test_a_theme_is_kept_apart(release: Release, client: Client) -> None:
    assert 'data-theme="' not in client.get(GENERATOR).content.decode()
    client.cookies["theme"] = "dark"
    assert 'data-theme="dark"' in client.get(GENERATOR).content.decode()


def test_the_shelf_lets_go_of_what_nobody_asked_for_longest() -> None:
    shelf = Shelf(room=10)
    for key in ("first", "second"):
        shelf.put(key, Kept("a", b"12345", {}))
    assert shelf.get("first", "a")
    shelf.put("third", Kept("a", b"123", {}))
    assert shelf.get("second", "a") is None
    assert shelf.get("first", "a")
    assert shelf.get("first", "b") is None
    shelf.put("large", Kept("a", b"12345678901", {}))
    assert shelf.get("large", "a") is None


def test_many_small_answers_do_not_fill_the_memory() -> None:
    shelf = Shelf(most=2)
    for key in ("first", "second", "third"):
        shelf.put(key, Kept("a", b"", {}))
    assert shelf.get("first", "a") is None
    assert shelf.get("second", "a")
    assert shelf.get("third", "a")


def test_what_is_not_there_is_not_kept() -> None:
    request = RequestFactory().get("/")

    def write() -> HttpResponse:
        return HttpResponse(status=404)

    assert kept.answer(request, key="none", stamp="a", write=write).status_code == 404
    assert kept.SHELF.get("none", "a") is None


def test_pages_are_kept_in_each_language_and_files_are_in_one(
    release: Release, client: Client
) -> None:
    german = {"Accept-Language": "de"}
    for path, languages in ((GENERATOR, ["en", "de"]), (f"{GENERATOR}&as=text", ["en", "en"])):
        first, other = client.get(path), client.get(path, headers=german)
        assert [first["Content-Language"], other["Content-Language"]] == languages
        assert (first.content == other.content) == (languages == ["en", "en"])
        assert client.get(path, headers=german).content == other.content
