"""Indices that are written where something changed, and copied everywhere else."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
import zstandard
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from portal.accounts.models import User
from portal.lib.models import AuditEntry
from releases import store, tasks
from releases.actions import extra_index, membership
from releases.actions.rebuild import rebucket_repository, rebuild_repository
from releases.errors import RefusedError
from releases.models import IndexBuild
from releases.repository import buckets
from releases.signer.local import LocalSigner
from releases.tests.shelf import EITHER, Shelf


@EITHER
def test_one_more_package_writes_one_bucket_and_reads_its_packages_alone(
    dana: User, signer: LocalSigner, system: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = Shelf(dana, system, signer)
    shelf.add(shelf.named(*(f"package-{number}" for number in range(200))))
    shelf.publish()
    read: list[membership.Entry] = []
    packed: list[int] = []
    entries_of, pack = membership.entries_of, buckets.pack

    def spy_on_entries(*words: Any) -> list[membership.Entry]:
        found = list(entries_of(*words))
        read.extend(found)
        return found

    def spy_on_pack(text: bytes, count: int = 0) -> buckets.Member:
        packed.append(count)
        return pack(text, count)

    monkeypatch.setattr(membership, "entries_of", spy_on_entries)
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
