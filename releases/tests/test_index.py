"""Indices that are written where something changed, and copied everywhere else."""

from __future__ import annotations

import datetime as dt
import gzip
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import zstandard
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portal.accounts.models import User
from portal.lib.models import AuditEntry
from releases import store, tasks
from releases.actions import extra_index, index
from releases.actions import publication as actions
from releases.actions.rebuild import rebucket_repository, rebuild_repository
from releases.actions.repository import queue_publication
from releases.errors import RefusedError
from releases.models import (
    IndexBuild,
    Package,
    Publication,
    Release,
    Repository,
)
from releases.repository import buckets
from releases.signer.local import LocalSigner
from releases.tests import factory
from releases.tests.many import Wanted, enter, make_packages

START = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)
DEBIAN, RHEL = ("debian-12", ""), ("rhel-9", "x86_64")
EITHER = pytest.mark.parametrize("system", [DEBIAN, RHEL], ids=["apt", "yum"])


class Shelf:
    """A repository that a test fills and publishes."""

    def __init__(self, actor: User, system: tuple[str, str], signer: LocalSigner) -> None:
        self.actor, self.signer = actor, signer
        signer.clock = lambda: START + dt.timedelta(hours=1)
        self.draft = Release.objects.first() or factory.make_draft()
        distribution, architecture = system
        self.repository = Repository.objects.create(
            series=self.draft.series,
            distribution=distribution,
            architecture=architecture,
            origin="O",
            label="L",
            codename="bookworm",
        )
        self.architecture = architecture or "amd64"

    def named(self, *names: str, version: str = "12.3.0") -> list[Package]:
        wanted = [Wanted(name, version, self.architecture) for name in names]
        return make_packages(actor=self.actor, release=self.draft, wanted=wanted)

    def add(self, packages: Sequence[Package]) -> None:
        enter(self.repository, queue_publication(repository=self.repository), packages)

    def remove(self, packages: Sequence[Package]) -> None:
        publication = queue_publication(repository=self.repository)
        members = self.repository.memberships.filter(package__in=packages, until_serial=None)
        members.filter(since_serial=publication.serial).delete()
        members.update(until_serial=publication.serial)

    def publish(self) -> Publication:
        publication = queue_publication(repository=self.repository)
        at = START + dt.timedelta(seconds=2 * publication.serial)
        assert actions.build_publication(publication_id=publication.pk, at=at)
        assert actions.sign_publication(publication_id=publication.pk, signer=self.signer)
        switched = actions.switch_publication(publication_id=publication.pk, at=at)
        publication.refresh_from_db()
        assert switched, publication.reason
        self.repository.refresh_from_db()
        return publication

    def files(self) -> dict[str, str]:
        """SHA-256 by path of what does not carry a date."""
        assert self.repository.current is not None
        rows = self.repository.current.files.values_list("path", "blob__sha256")
        return {path: sha256 for path, sha256 in rows if "Packages" in path or "xml.gz" in path}

    def builds(self) -> dict[str, IndexBuild]:
        shown = IndexBuild.objects.shown_now(self.repository).select_related("index")
        return {f"{build.index.component} {build.index.name}": build for build in shown}

    def text(self, suffix: str) -> str:
        assert self.repository.current is not None
        file = self.repository.current.files.get(path__endswith=suffix)
        return gzip.decompress(store.blob_path(file.blob.sha256).read_bytes()).decode()


@pytest.fixture
def apt_shelf(dana: User, signer: LocalSigner) -> Shelf:
    return Shelf(dana, DEBIAN, signer)


@pytest.fixture
def yum_shelf(dana: User, signer: LocalSigner) -> Shelf:
    return Shelf(dana, RHEL, signer)


# --- the property -------------------------------------------------------------------------------

NAMES = [f"exampledb-{word}" for word in ("server", "client", "backup", "dbgsym", "a", "b", "c")]
System = tuple[str, str]
Steps = list[tuple[str, object]]
FEW = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("toggle"), st.sets(st.integers(0, 2 * len(NAMES) - 1), min_size=1)),
        st.tuples(st.just("roll back"), st.integers(1, 9)),
        st.tuples(st.just("rebucket"), st.integers(1, 40)),
        st.tuples(st.just("fail"), st.none()),
        st.tuples(st.just("nothing"), st.none()),
    ),
    min_size=1,
    max_size=6,
)


@EITHER
@settings(FEW, max_examples=4)
@given(steps=STEPS)
def test_a_history_ends_in_the_bytes_of_a_full_rebuild(
    dana: User, signer: LocalSigner, tmp_path: Path, system: System, steps: Steps
) -> None:
    with rolled_back():
        live_through(Shelf(dana, system, signer), tmp_path, steps)


@pytest.mark.proof
@EITHER
@settings(FEW, max_examples=100)
@given(steps=STEPS)
def test_a_hundred_histories_end_in_the_bytes_of_a_full_rebuild(
    dana: User, signer: LocalSigner, tmp_path: Path, system: System, steps: Steps
) -> None:
    with rolled_back():
        live_through(Shelf(dana, system, signer), tmp_path, steps)


def live_through(shelf: Shelf, folder: Path, steps: Steps) -> None:
    shelf.signer.open_log(folder / f"log{len(list(folder.iterdir()))}")
    packages = shelf.named(*NAMES) + shelf.named(*NAMES, version="12.3.1")
    for kind, value in steps:
        take_step(shelf, packages, kind, value)
        shelf.publish()
    incremental = shelf.files()
    rebuild_repository(actor=None, repository=shelf.repository)
    assert shelf.publish().full
    assert shelf.files() == incremental


def take_step(shelf: Shelf, packages: list[Package], kind: str, value: object) -> None:
    held = {m.package_id for m in shelf.repository.memberships.filter(until_serial=None)}
    if kind == "toggle":
        chosen = [packages[number] for number in value]  # type: ignore[attr-defined]
        shelf.remove([package for package in chosen if package.pk in held])
        shelf.add([package for package in chosen if package.pk not in held])
    elif kind == "roll back":
        then = {m.package_id for m in shelf.repository.memberships.in_publication(value)}  # type: ignore[arg-type]
        shelf.remove([package for package in packages if package.pk in held - then])
        shelf.add([package for package in packages if package.pk in then - held])
    elif kind == "rebucket":
        rebucket_repository(actor=None, repository=shelf.repository, buckets=value)  # type: ignore[arg-type]
    elif kind == "fail":
        publication = queue_publication(repository=shelf.repository)
        at = START + dt.timedelta(seconds=2 * publication.serial)
        actions.build_publication(publication_id=publication.pk, at=at)
        actions.fail_publication(publication_id=publication.pk, reason="a test")


@contextmanager
def rolled_back() -> Iterator[None]:
    """Nothing of an example is seen by the next."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


# --- what a publication touches -----------------------------------------------------------------


@EITHER
def test_one_more_package_writes_one_bucket_and_reads_its_packages_alone(
    dana: User, signer: LocalSigner, system: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = Shelf(dana, system, signer)
    shelf.add(shelf.named(*(f"package-{number}" for number in range(200))))
    shelf.publish()
    read: list[index.Entry] = []
    packed: list[int] = []
    entries_of, pack = index.entries_of, buckets.pack

    def spy_on_entries(*words: Any) -> list[index.Entry]:
        found = list(entries_of(*words))
        read.extend(found)
        return found

    def spy_on_pack(text: bytes, count: int = 0) -> buckets.Member:
        packed.append(count)
        return pack(text, count)

    monkeypatch.setattr(index, "entries_of", spy_on_entries)
    monkeypatch.setattr(buckets, "pack", spy_on_pack)
    shelf.add(shelf.named("one-more"))
    shelf.publish()

    wanted = buckets.bucket_of(buckets.slot("one-more"), buckets.FEWEST)
    assert {buckets.bucket_of(entry.slot, buckets.FEWEST) for entry in read} == {wanted}
    fresh = [build for build in shelf.builds().values() if build.serial == 2]
    assert [build.written for build in fresh] == [[wanted]] * len(fresh)
    assert sum(map(bool, packed)) == len(fresh) == (1 if shelf.repository.system.is_deb else 3)
    assert {build.packages for build in fresh} == {201}


def test_a_publication_without_a_change_writes_a_new_list_alone(apt_shelf: Shelf) -> None:
    apt_shelf.add(apt_shelf.named("a", "b"))
    apt_shelf.publish()
    before, builds = apt_shelf.files(), IndexBuild.objects.count()
    with CaptureQueriesContext(connection) as captured:
        apt_shelf.publish()
    assert not [one for one in captured if "stanzas" in one["sql"]]
    assert (apt_shelf.files(), IndexBuild.objects.count()) == (before, builds)


def test_another_number_of_buckets_is_the_same_text(apt_shelf: Shelf) -> None:
    apt_shelf.add(apt_shelf.named(*(f"package-{number}" for number in range(50))))
    apt_shelf.publish()
    before, text = apt_shelf.files(), apt_shelf.text("main/binary-amd64/Packages.gz")
    rebucket_repository(actor=apt_shelf.actor, repository=apt_shelf.repository, buckets=3)
    apt_shelf.publish()
    assert apt_shelf.files() != before
    assert apt_shelf.text("main/binary-amd64/Packages.gz") == text
    assert len(apt_shelf.builds()["main amd64"].counts) == 3
    entry = AuditEntry.objects.get(verb="repository.rebucket")
    assert entry.detail["buckets"]["exampledb/12.3/debian-12/main/amd64"] == [32, 3]
    assert rebucket_repository(actor=None, repository=apt_shelf.repository, buckets=3) is None
    with pytest.raises(RefusedError):
        rebucket_repository(actor=None, repository=apt_shelf.repository, buckets=0)


def test_what_the_disk_damaged_is_written_again(apt_shelf: Shelf) -> None:
    apt_shelf.add(apt_shelf.named("a", "b"))
    apt_shelf.publish()
    path = store.blob_path(apt_shelf.builds()["main amd64"].gz.sha256)
    path.write_bytes(path.read_bytes()[:-9] + b"damaged!!")
    apt_shelf.add(apt_shelf.named("c"))
    apt_shelf.publish()
    assert apt_shelf.text("main/binary-amd64/Packages.gz").count("Package: ") == 3
    assert len(apt_shelf.builds()["main amd64"].written) == buckets.FEWEST


def test_a_full_publication_mends_a_file_under_its_own_name(apt_shelf: Shelf) -> None:
    apt_shelf.add(apt_shelf.named("a"))
    apt_shelf.publish()
    path = store.blob_path(apt_shelf.builds()["main amd64"].gz.sha256)
    good = path.read_bytes()
    path.write_bytes(b"bad")
    rebuild_repository(actor=None, repository=apt_shelf.repository)
    apt_shelf.publish()
    assert path.read_bytes() == good


def test_an_index_is_there_before_its_first_package(apt_shelf: Shelf) -> None:
    apt_shelf.publish()
    assert sorted(apt_shelf.builds()) == [
        *("main amd64", "main arm64", "main/debug amd64", "main/debug arm64")
    ]
    for suffix, opened in ((".gz", gzip.decompress), (".zst", zstandard.decompress)):
        file = apt_shelf.repository.current.files.get(  # type: ignore[union-attr]
            path=f"main/debug/binary-arm64/Packages{suffix}"
        )
        assert opened(store.blob_path(file.blob.sha256).read_bytes()) == b""


def test_symbols_stand_in_their_component_and_an_emptied_architecture_stays(
    apt_shelf: Shelf,
) -> None:
    apt_shelf.architecture = "s390x"
    packages = apt_shelf.named("exampledb-server", "exampledb-server-dbgsym")
    apt_shelf.add(packages)
    apt_shelf.publish()
    assert "-dbgsym\n" not in apt_shelf.text("main/binary-s390x/Packages.gz")
    assert "-dbgsym\n" in apt_shelf.text("main/debug/binary-s390x/Packages.gz")
    apt_shelf.remove(packages)
    apt_shelf.publish()
    assert apt_shelf.text("main/binary-s390x/Packages.gz") == ""


# --- the check before the switch ----------------------------------------------------------------


def test_an_index_that_does_not_say_what_the_database_says_is_not_switched_to(
    apt_shelf: Shelf,
) -> None:
    package, *_ = apt_shelf.named("a")
    package.stanzas = {"packages": package.stanzas["packages"].replace("Size: ", "Size: 1")}
    package.save(update_fields=["stanzas"])
    apt_shelf.add([package])
    assert "is not what the repository holds" in refused(apt_shelf)


def test_a_stanza_that_cannot_be_read_is_not_switched_to(yum_shelf: Shelf) -> None:
    package, *_ = yum_shelf.named("a")
    package.stanzas = dict.fromkeys(package.stanzas, "<package>")
    package.save(update_fields=["stanzas"])
    yum_shelf.add([package])
    assert "metadata" in refused(yum_shelf)


def test_a_member_that_nobody_entered_in_time_is_counted(apt_shelf: Shelf) -> None:
    apt_shelf.add(apt_shelf.named("a"))
    apt_shelf.publish()
    late = apt_shelf.named("late")
    apt_shelf.add(apt_shelf.named("b"))

    def enter_late() -> None:
        publication = apt_shelf.repository.publications.get(state="built")
        enter(apt_shelf.repository, publication, late)

    assert "lists 2 packages, the repository holds 3" in refused(apt_shelf, enter_late)


def refused(shelf: Shelf, meanwhile: object = None) -> str:
    """Why the check does not let the waiting publication pass."""
    publication = queue_publication(repository=shelf.repository)
    at = START + dt.timedelta(seconds=2 * publication.serial)
    assert actions.build_publication(publication_id=publication.pk, at=at)
    if callable(meanwhile):
        meanwhile()
    assert actions.sign_publication(publication_id=publication.pk, signer=shelf.signer)
    assert not actions.switch_publication(publication_id=publication.pk, at=at)
    publication.refresh_from_db()
    assert publication.state == Publication.State.FAILED
    assert not IndexBuild.objects.filter(serial=publication.serial).exists()
    return publication.reason


# --- more than packages -------------------------------------------------------------------------


def test_a_yum_repository_carries_more_indices(
    yum_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {"updateinfo": b"<updates/>\n"}
    monkeypatch.setitem(
        extra_index.EXTRA_INDICES, "updateinfo", lambda repository: texts["updateinfo"]
    )
    yum_shelf.add(yum_shelf.named("a"))
    yum_shelf.publish()
    assert yum_shelf.text("updateinfo.xml.gz") == "<updates/>\n"
    yum_shelf.publish()
    assert yum_shelf.builds()[" updateinfo"].serial == 1
    texts["updateinfo"] = b"<updates></updates>\n"
    yum_shelf.publish()
    assert yum_shelf.text("updateinfo.xml.gz") == "<updates></updates>\n"
    texts["updateinfo"] = b""
    yum_shelf.publish()
    assert not [path for path in yum_shelf.files() if "updateinfo" in path]


# --- rows that are not needed any more, and commands ---------------------------------------------


def test_builds_that_no_publication_shows_are_known(apt_shelf: Shelf) -> None:
    for name in "abc":
        apt_shelf.add(apt_shelf.named(name))
        apt_shelf.publish()
    found = IndexBuild.objects.superseded(2).select_related("index")
    assert [(one.index.component, one.index.name, one.serial) for one in found] == [
        ("main", "amd64", 1)
    ]


def test_an_operator_rebuilds_and_rebuckets_by_name(
    apt_shelf: Shelf, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(tasks.publish, "delay", asked.append)
    apt_shelf.add(apt_shelf.named("a"))
    apt_shelf.publish()
    name = apt_shelf.repository.name
    call_command("rebucket_repository", name)
    call_command("rebucket_repository", "--all", "--buckets=64")
    call_command("rebuild_repository", name)
    assert capsys.readouterr().out.splitlines() == [
        f"{name}: the number of buckets fits",
        *[f"{name}: publication 2 is asked for"] * 2,
    ]
    assert len(asked) == 2
    assert apt_shelf.publish().full
    with pytest.raises(CommandError, match="between 1 and"):
        call_command("rebucket_repository", name, "--buckets=0")
    with pytest.raises(CommandError, match=name):
        call_command("rebuild_repository", "nothing")
    with pytest.raises(CommandError, match="--all"):
        call_command("rebuild_repository")
