"""The manifest, and the program that keeps a mirror by it."""

from __future__ import annotations

import gzip
import hashlib
import re
from pathlib import Path

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from releases.client import portal_mirror
from releases.client.portal_mirror import Portal, SyncError, main, read_manifest
from releases.mirrors import manifest
from releases.models import Release, Repository
from releases.tests import factory

URL = "/mirrors/manifest.txt"
PARTS = set(portal_mirror.PARTS)


@pytest.fixture(autouse=True)
def _nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(portal_mirror, "FIRST_PAUSE", 0.01)


def listed(**query: str) -> list[portal_mirror.Entry]:
    return read_manifest(Client().get(URL, query).content.decode(), PARTS)


@pytest.mark.django_db
def test_every_listed_file_is_served_with_its_bytes(release: Release) -> None:
    for entry in listed():
        answer = Client().get(f"/{entry.path}")
        body = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
        assert (len(body), hashlib.sha256(body).hexdigest()) == (entry.size, entry.sha256)


@pytest.mark.django_db
def test_signed_indices_come_last_and_everything_is_there(release: Release) -> None:
    paths = [entry.path for entry in listed()]
    assert len(paths) == len(set(paths))
    repositories = Repository.objects.live().count()
    assert {path.rpartition("/")[2] for path in paths[-repositories:]} == {
        "InRelease",
        "repomd.xml",
    }
    assert paths[0] == "releases/exampledb/12.3.0/exampledb-12.3.0.tar.gz"
    ends = [r"/pool/.*\.deb", r"/by-hash/SHA256/[0-9a-f]{64}", r"/Release\.gpg", r"\.rpm"]
    ends += [r"repodata/[0-9a-f]{64}-primary\.xml\.gz", r"/Packages\.gz", r"repomd\.xml\.asc"]
    assert [end for end in ends if not any(re.search(end, path) for path in paths)] == []


@pytest.mark.django_db
def test_a_draft_is_in_no_manifest(draft: Release) -> None:
    assert listed() == []
    assert "# until never" in Client().get(URL).content.decode()


@pytest.mark.django_db
def test_a_mirror_of_one_product_gets_its_files_only(release: Release) -> None:
    other = factory.make_series(slug="other").product
    assert listed(product=other.slug) == []
    assert listed(product="exampledb") == listed()
    assert Client().get(URL, {"product": "nothing"}).status_code == 404


@pytest.mark.django_db
def test_the_manifest_is_compressed_and_asked_for_again_only_when_it_changed(
    release: Release,
) -> None:
    plain = Client().get(URL)
    packed = Client().get(URL, headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(packed.content) == plain.content
    assert "Accept-Encoding" in packed["Vary"]
    again = Client().get(URL, headers={"If-None-Match": packed["ETag"]})
    assert again.status_code == 304
    Release.objects.update(published_at=timezone.now())
    assert Client().get(URL, headers={"If-None-Match": packed["ETag"]}).status_code == 200


@pytest.mark.django_db
def test_who_asks_too_often_or_during_a_storm_is_asked_to_wait(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    serials = iter(range(100))
    monkeypatch.setattr(manifest.Contents, "state", lambda _self: str(next(serials)))
    busy = Client().get(URL)
    assert (busy.status_code, busy["Retry-After"]) == (429, "60")
    monkeypatch.setattr("releases.views.mirror.MANIFESTS_AN_HOUR", 0)
    assert Client().get(URL).status_code == 429


@pytest.mark.parametrize(
    "path",
    ["../etc/passwd", "/etc/passwd", "repo/../../x", "repo//x", "other/x", "repo/./x", "repo/a b"],
)
def test_no_line_leads_out_of_the_folder(path: str) -> None:
    with pytest.raises(SyncError):
        read_manifest(f"{'0' * 64} 1 {path}\n", PARTS)


# --- the program, against a server ----------------------------------------------------------------


def run(live_server: LiveServer, folder: Path, *words: str) -> int:
    return main(["--url", live_server.url, "--to", str(folder), *words])


def test_a_mirror_is_filled_kept_and_tidied(
    release: Release, live_server: LiveServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "mirror"
    assert run(live_server, folder) == 0
    for entry in listed():
        body = (folder / entry.path).read_bytes()
        assert hashlib.sha256(body).hexdigest() == entry.sha256
    assert "# until 20" in (folder / "manifest.txt").read_text()
    assert list((folder / ".portal-mirror/partial").iterdir()) == []
    (folder / "repo/12.3/old/deep").mkdir(parents=True)
    (folder / "repo/12.3/old/deep/file").write_text("gone here")
    source = folder / "releases/exampledb/12.3.0/exampledb-12.3.0.tar.gz"
    size = source.stat().st_size
    source.write_bytes(b"cut")
    capsys.readouterr()
    assert run(live_server, folder) == 0
    assert capsys.readouterr().out == "complete: 1 files fetched, 1 deleted\n"
    assert source.stat().st_size == size
    assert not (folder / "repo/12.3/old").exists()


def test_a_part_of_a_mirror_is_enough(
    release: Release, live_server: LiveServer, tmp_path: Path
) -> None:
    assert run(live_server, tmp_path / "m", "--part", "yum", "--product", "exampledb") == 0
    assert sorted(path.name for path in (tmp_path / "m").iterdir()) == [
        ".portal-mirror",
        "manifest.txt",
        "yum",
    ]


def test_a_download_goes_on_where_it_stood(
    release: Release, live_server: LiveServer, tmp_path: Path
) -> None:
    assert run(live_server, tmp_path / "first") == 0
    (entry,) = [entry for entry in listed() if entry.path.endswith(".tar.gz")]
    whole = (tmp_path / "first" / entry.path).read_bytes()
    part = tmp_path / "part"
    part.write_bytes(whole[:10])
    Portal(live_server.url).fetch(entry, part)
    assert part.read_bytes() == whole
    wrong = entry._replace(size=entry.size - 1)
    part.unlink()
    with pytest.raises(portal_mirror.MovedOnError, match="grown"):
        Portal(live_server.url).fetch(wrong, part)
    longer = entry._replace(size=entry.size + 1)
    with pytest.raises(portal_mirror.MovedOnError, match="answers 416"):
        Portal(live_server.url).fetch(longer, part)
    assert not part.exists(), "the next attempt begins at the beginning"


def test_a_run_that_cannot_be_completed_changes_no_manifest(
    release: Release,
    live_server: LiveServer,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--url", "http://localhost:1", "--to", str(tmp_path)]) == 1
    assert "no connection to the portal" in capsys.readouterr().err
    assert run(live_server, tmp_path, "--product", "nothing") == 1
    assert "status 404" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["--url", "ftp://localhost", "--to", str(tmp_path)])
    assert not (tmp_path / "manifest.txt").exists()


def test_other_bytes_than_the_manifest_says_are_never_put_in_place(
    release: Release,
    live_server: LiveServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    honest = Portal.manifest
    forged = "f" * 64

    def manifest_of_a_moment_ago(portal: Portal, product: str) -> str:
        return re.sub(r"^[0-9a-f]{64}", forged, honest(portal, product), count=1, flags=re.M)

    monkeypatch.setattr(Portal, "manifest", manifest_of_a_moment_ago)
    assert run(live_server, tmp_path / "m") == 1
    assert "has other bytes" in capsys.readouterr().err
    assert not (tmp_path / "m/releases").exists()


def test_a_second_run_beside_the_first_ends_at_once(
    release: Release,
    live_server: LiveServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    statuses: list[int] = []
    honest = Portal.manifest

    def while_running(portal: Portal, product: str) -> str:
        if not statuses:
            statuses.append(run(live_server, tmp_path))
        return honest(portal, product)

    monkeypatch.setattr(Portal, "manifest", while_running)
    assert run(live_server, tmp_path) == 0
    assert statuses == [0]
    assert "another run is at work" in capsys.readouterr().err
    assert Repository.objects.live().exists()
