"""Who is sent to a mirror, with what, and who never is."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections import Counter
from pathlib import Path

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from releases.actions.repository import queue_publication
from releases.mirrors import redirect
from releases.mirrors.nearest import Place, ranked, visitor_of
from releases.models import IndexFile, Mirror, Package, Publication, Release, Repository
from releases.signer.local import LocalSigner
from releases.tests import factory
from tests.shared import shared

pytestmark = pytest.mark.django_db
SOURCE = "/releases/exampledb/12.3.0/exampledb-12.3.0.tar.gz"
DISTS = "/repo/12.3/debian/dists/bookworm"


@pytest.fixture(autouse=True)
def _nobody_came_before() -> None:
    cache.clear()


@shared
def mirror(release: Release) -> Mirror:
    return factory.synced(factory.make_mirror())


def pool() -> str:
    return f"/repo/12.3/debian/{Package.objects.filter(format='deb')[0].path}"


def by_hash(path: str = "main/binary-amd64/Packages.gz") -> str:
    found = IndexFile.objects.filter(path=path).latest("publication__serial")
    return f"{DISTS}/{path.rpartition('/')[0]}/by-hash/SHA256/{found.blob.sha256}"


def primary() -> str:
    found = IndexFile.objects.filter(path__endswith="primary.xml.gz").first()
    assert found is not None
    return f"/yum/12.3/rhel/9/x86_64/{found.path}"


def ask(path: str, address: str = "192.0.2.7", **more: str) -> HttpResponse:
    return Client(REMOTE_ADDR=address).get(path, more)  # type: ignore[return-value]


def target(path: str, **more: str) -> str:
    """Where a visitor who comes for the first time is sent, "" for an answer from here."""
    cache.clear()
    answer = ask(path, **more)
    assert answer.status_code in {200, 302}
    return answer.get("Location", "")


def test_what_never_changes_comes_from_the_mirror(mirror: Mirror) -> None:
    rpm = Package.objects.get(format="rpm").path
    for path in (pool(), by_hash(), primary(), f"/yum/12.3/rhel/9/x86_64/{rpm}", SOURCE):
        assert target(path) == mirror.base_url + path[1:]


def test_what_says_what_is_current_comes_from_here(mirror: Mirror) -> None:
    names = ["InRelease", "Release", "Release.gpg", "main/binary-amd64/Packages.gz"]
    yum = ["repodata/repomd.xml", "repodata/repomd.xml.asc"]
    paths = [f"{DISTS}/{name}" for name in names]
    paths += [f"/yum/12.3/rhel/9/x86_64/{name}" for name in yum]
    paths += [f"{SOURCE}.sha256", "/releases/exampledb/12.3.0/sha256sums.txt", DISTS]
    assert [path for path in paths if target(path) or target(path, mirror="north")] == []


def test_the_redirect_is_kept_by_nobody_and_names_the_digest(mirror: Mirror) -> None:
    factory.synced(factory.make_mirror("south", country="BR"))
    answer = ask(pool(), mirror="north")
    assert answer.status_code == 302
    assert answer["Cache-Control"] == "private, no-store"
    north = f"<{mirror.base_url}{pool()[1:]}>; rel=duplicate; pri=1; geo=de"
    south = f"<https://south.example/exampledb{pool()}>; rel=duplicate; pri=2; geo=br"
    assert answer["Link"] == f"{north}, {south}"
    assert answer["Repr-Digest"].startswith("sha-256=:")
    assert answer["Digest"].startswith("SHA-256=")


def test_a_visitor_who_comes_back_for_the_same_file_gets_it_from_here(mirror: Mirror) -> None:
    """The mirror was unreachable or gave other bytes: the client's next attempt succeeds."""
    assert Client(REMOTE_ADDR="192.0.2.7").head(pool()).status_code == 302
    assert ask(pool()).status_code == 302
    again = ask(pool())
    assert again.status_code == 200
    body = b"".join(again.streaming_content)  # type: ignore[attr-defined]
    assert hashlib.sha256(body).hexdigest() == Package.objects.get(format="deb").file.blob.sha256
    assert Client(REMOTE_ADDR="192.0.2.7").head(pool()).status_code == 200
    assert ask(pool(), address="192.0.2.8").status_code == 302, "another visitor"
    assert ask(SOURCE).status_code == 302, "another file"


def test_a_file_goes_only_where_its_publication_was_seen(
    mirror: Mirror, dana: User, signer: LocalSigner, tmp_path: Path
) -> None:
    old = pool()
    # As if the second release came a second later.
    Publication.objects.update(dated_at=timezone.now() - dt.timedelta(seconds=2))
    signer.open_log(tmp_path / "later")
    second = factory.make_draft("12.3.1")
    factory.add_files(actor=dana, release=second)
    factory.publish(actor=dana, release=second, signer=signer)
    new = old.replace("12.3.0", "12.3.1")
    source = SOURCE.replace("12.3.0", "12.3.1")
    assert target(old)
    assert not target(new)
    assert not target(by_hash())
    assert not target(source)
    factory.synced(mirror)
    assert target(new)
    assert target(by_hash())
    assert target(source)


@pytest.mark.parametrize(
    "change",
    [
        {"state": "paused"},
        {"state": "retired"},
        {"state": "proposed"},
        {"health": "unknown"},
        {"health": "lagging"},
        {"health": "broken"},
        {"parts": ["yum"]},
        {"active_since": timezone.now() + dt.timedelta(days=1)},
    ],
)
def test_a_mirror_that_is_not_offered_gets_nobody(mirror: Mirror, change: dict[str, str]) -> None:
    Mirror.objects.update(**change)
    assert not target(pool())
    assert not target(pool(), mirror="north")


def test_a_mirror_of_other_products_gets_nobody(mirror: Mirror) -> None:
    mirror.products.add(factory.make_series(slug="other").product)
    assert not target(pool())
    mirror.products.add(Repository.objects.all()[0].series.product)
    assert target(pool())


def test_a_wish_is_met_where_the_mirror_has_the_file(mirror: Mirror) -> None:
    factory.synced(factory.make_mirror("south", country="BR"))
    assert target(pool(), mirror="south").startswith("https://south.example/")
    assert target(pool(), mirror="north").startswith("https://north.example/")
    assert not target(pool(), mirror="none")


@pytest.mark.parametrize(
    "wish", ["https://evil.example/", "//evil.example", "north/../../x", "\r\nX-Evil: 1", "%00"]
)
def test_nothing_a_visitor_types_becomes_an_address(mirror: Mirror, wish: str) -> None:
    assert target(pool(), mirror=wish) == mirror.base_url + pool()[1:]
    crooked = pool().replace("/pool/", "//evil.example/../pool/")
    assert Client().get(crooked).status_code == 404


def test_the_nearest_mirror_is_in_the_country_or_on_the_continent(
    mirror: Mirror, monkeypatch: pytest.MonkeyPatch
) -> None:
    factory.synced(factory.make_mirror("south", country="BR"))
    places = {"192.0.2.7": "FR", "192.0.2.8": "BR", "192.0.2.9": "CL"}
    monkeypatch.setattr(redirect, "country_of", lambda address, _database: places.get(address, ""))
    hosts = {}
    for address in places:
        hosts[address] = ask(pool(), address)["Location"].split("/")[2]
    assert hosts == {
        "192.0.2.7": "north.example",
        "192.0.2.8": "south.example",
        "192.0.2.9": "south.example",
    }


def test_without_a_country_mirrors_share_by_weight_and_each_visitor_stays() -> None:
    places = [Place("small", "DE", "EU", 100), Place("large", "BR", "SA", 300)]
    visitors = [visitor_of(f"198.51.{n // 250}.{n % 250}", "secret") for n in range(0, 50_000, 25)]
    first = [
        ranked(places, country="", continent="", visitor=visitor)[0].slug for visitor in visitors
    ]
    assert len(set(visitors)) == 200, "neighbours are one visitor"
    distinct = [f"visitor {n}" for n in range(4000)]
    share = Counter(
        ranked(places, country="", continent="", visitor=visitor)[0].slug for visitor in distinct
    )
    assert 0.72 < share["large"] / 4000 < 0.78
    again = [
        ranked(places[::-1], country="", continent="", visitor=visitor)[0].slug
        for visitor in visitors
    ]
    assert first == again


def test_when_a_mirror_goes_only_its_own_visitors_move() -> None:
    places = [Place(name, "DE", "EU", 100) for name in ("a", "b", "c")]
    for n in range(300):
        before = ranked(places, country="DE", continent="EU", visitor=str(n))
        after = ranked(places[:2], country="DE", continent="EU", visitor=str(n))
        if before[0].slug != "c":
            assert after[0] == before[0]


def test_a_queued_publication_changes_nothing(mirror: Mirror) -> None:
    queue_publication(repository=Repository.objects.of_series().get(distribution="debian-12"))
    assert target(pool())


def test_it_costs_one_question_more(mirror: Mirror, django_assert_max_num_queries: object) -> None:
    path = pool()
    with django_assert_max_num_queries(6):  # type: ignore[operator]
        ask(path)
