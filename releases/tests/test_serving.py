"""Bytes on their way out: ranges, conditions, folders, streaming."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Iterable
from email.utils import formatdate
from pathlib import Path

import pytest
from django.core.handlers.asgi import ASGIRequest
from django.http import StreamingHttpResponse
from django.test import AsyncRequestFactory, Client, RequestFactory

from portal.lib.streams import PIECE
from releases import serving
from releases.models import File, Package, Release
from releases.streaming import file_response

DATA = bytes(range(256)) * 2048


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "file").write_bytes(DATA)
    return tmp_path / "file"


def ask(path: Path, method: str = "get", **headers: str) -> StreamingHttpResponse:
    request = getattr(RequestFactory(), method)("/", headers=headers)
    return file_response(  # type: ignore[return-value]
        request,
        path,
        size=len(DATA),
        sha256="ab" * 32,
        content_type="x/y",
        cache="no-cache",
        modified=dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
    )


@pytest.mark.parametrize(
    ("wanted", "status", "start", "end"),
    [
        ("bytes=0-0", 206, 0, 1),
        ("bytes=10-19", 206, 10, 20),
        ("bytes=10-", 206, 10, len(DATA)),
        ("bytes=-10", 206, len(DATA) - 10, len(DATA)),
        ("bytes=10-999999999", 206, 10, len(DATA)),
        ("bytes=0-", 200, 0, len(DATA)),
        ("bytes=0-1,5-6", 200, 0, len(DATA)),
        ("bytes=-", 200, 0, len(DATA)),
        ("lines=1-2", 200, 0, len(DATA)),
    ],
)
def test_a_range_is_met(path: Path, wanted: str, status: int, start: int, end: int) -> None:
    response = ask(path, Range=wanted)
    assert response.status_code == status
    assert b"".join(response) == DATA[start:end]
    assert response["Content-Length"] == str(end - start)
    if status == 206:
        assert response["Content-Range"] == f"bytes {start}-{end - 1}/{len(DATA)}"


@pytest.mark.parametrize("wanted", [f"bytes={len(DATA)}-", "bytes=9-3", "bytes=-0"])
def test_a_range_that_cannot_be_met_is_416(path: Path, wanted: str) -> None:
    response = ask(path, Range=wanted)
    assert (response.status_code, response["Content-Range"]) == (416, f"bytes */{len(DATA)}")


@pytest.mark.parametrize("wanted", ["bytes={}-", "bytes=-{}", "bytes=0-{}", "bytes={}-{}"])
def test_a_range_of_thousands_of_digits_does_not_count(path: Path, wanted: str) -> None:
    assert ask(path, Range=wanted.replace("{}", "9" * 5000)).status_code == 200


def test_a_range_of_another_state_of_the_file_is_the_whole(path: Path) -> None:
    assert ask(path, Range="bytes=0-1", **{"If-Range": '"other"'}).status_code == 200
    etag = ask(path)["ETag"]
    assert ask(path, Range="bytes=0-1", **{"If-Range": etag}).status_code == 206


def test_what_the_client_has_already_is_304(path: Path) -> None:
    etag = ask(path)["ETag"]
    response = ask(path, **{"If-None-Match": etag})
    assert (response.status_code, response["ETag"]) == (304, etag)


def test_a_head_has_the_length_and_no_body(path: Path) -> None:
    response = ask(path, "head")
    assert (response["Content-Length"], response["Content-Type"]) == (str(len(DATA)), "x/y")
    assert response.content == b""


def test_an_asynchronous_request_is_streamed_in_pieces(path: Path) -> None:
    request = AsyncRequestFactory().get("/")
    assert isinstance(request, ASGIRequest)
    response = file_response(
        request, path, size=len(DATA), sha256="ab" * 32, content_type="x/y", cache="no-cache"
    )

    async def pieces() -> list[bytes]:
        return [piece async for piece in response]  # type: ignore[attr-defined]

    got = asyncio.run(pieces())
    assert b"".join(got) == DATA
    assert len(got) == len(DATA) // PIECE
    assert "Last-Modified" not in response


def test_apt_asks_with_a_date_and_gets_304(release: Release, client: Client) -> None:
    url = "/repo/12.3/debian/dists/bookworm/InRelease"
    first = client.get(url)
    assert first["Cache-Control"] == "public, no-cache"
    again = client.get(url, headers={"If-Modified-Since": first["Last-Modified"]})
    assert again.status_code == 304
    old = client.get(url, headers={"If-Modified-Since": formatdate(0, usegmt=True)})
    assert old.status_code == 200


def test_folders_list_what_is_below_them(release: Release, client: Client) -> None:
    listed = {
        "/repo/": b"12.3/",
        "/repo/12.3/": b"debian/",
        "/repo/12.3/debian/": b"pool/",
        "/repo/12.3/debian/dists/": b"bookworm/",
        "/repo/12.3/debian/dists/bookworm/": b"InRelease",
        "/repo/12.3/debian/pool/main/e/": b"exampledb-server/",
        "/yum/12.3/": b"rhel/",
        "/yum/12.3/rhel/9/x86_64/": b"repodata/",
        "/yum/12.3/rhel/9/x86_64/repodata/": b"repomd.xml",
    }
    for path, name in listed.items():
        assert b">" + name + b"<" in client.get(path).content, path


@pytest.mark.parametrize(
    "path",
    [
        "/repo/12.3/ubuntu/",
        "/repo/12.3/rhel/9/x86_64/",
        "/repo/99/",
        "/repo/12.3/debian/other/",
        "/repo/12.3/debian/dists/sid/InRelease",
        "/repo/12.3/debian/dists/bookworm/nothing",
        "/repo/12.3/debian/dists/bookworm/main/binary-amd64/by-hash/SHA256/00",
        "/repo/12.3/debian/pool/nothing",
        "/repo/other/12.3/",
        "/repo/12.3/debian/../../../etc/passwd",
        "/yum/12.3/rhel/9/x86_64/nothing",
        "/yum/12.3/rhel/9/x86_64/packages/nothing",
        "/yum/12.3/rhel/9/x86_64/repodata/00-primary.xml.gz",
        "/yum/12.3/debian/",
        "/releases/exampledb/12.3.0/nothing",
        "/releases/exampledb/12.3.0/crc32sums.txt",
        "/releases/exampledb/1.0/sha256sums.txt",
        "/releases/nothing/",
        "/keys/nothing.asc",
    ],
)
def test_an_address_of_nothing_is_404(release: Release, client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_signs_that_apt_encodes_are_decoded(release: Release, client: Client) -> None:
    url = "/repo/12.3/debian/pool/main/e/exampledb-server/exampledb%2dserver_12.3.0_amd64.deb"
    response = client.get(url)
    assert response.status_code == 200
    assert response["Content-Type"] == "application/vnd.debian.binary-package"
    assert response["Cache-Control"] == "public, max-age=31536000, immutable"


def test_a_file_without_its_signature_has_no_asc(release: Release, client: Client) -> None:
    release.files.update(signature="")
    url = "/releases/exampledb/12.3.0/exampledb-12.3.0.tar.gz.asc"
    assert client.get(url).status_code == 404
    assert b"signature follows" in client.get("/releases/exampledb/12.3.0/").content


def test_a_folder_asks_for_its_own_names_and_not_for_every_path_below(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[list[str]] = []

    def noted(wanted: str, paths: Iterable[str]) -> serving.Folder | None:
        read.append(list(paths))
        return list_names(wanted, read[-1])

    list_names = serving._folder
    monkeypatch.setattr(serving, "_folder", noted)
    package = Package.objects.get(format="deb")
    for number in range(3):
        copy = File.objects.create(
            release=release,
            name=f"{number}.deb",
            blob=package.file.blob,
            announced_sha256=package.file.blob.sha256,
            distributions=[],
            uploaded_by=package.file.uploaded_by,
        )
        member = Package.objects.create(
            file=copy,
            product=package.product,
            format="deb",
            name="exampledb-more",
            version=str(number),
            architecture="amd64",
            path=f"pool/main/e/exampledb-more/{number}.deb",
            stanzas={},
        )
        for membership in package.memberships.all():
            membership.pk, membership.package = None, member
            membership.save()
    found = serving.find_apt("12.3/debian/pool/main/e")
    assert found == serving.Folder(["exampledb-more/", "exampledb-server/"])
    assert sorted(read[-1]) == ["pool/main/e/exampledb-more/", "pool/main/e/exampledb-server/"]
    assert serving.find_apt("12.3/debian/pool/main/e/exampledb-more") == serving.Folder(
        ["0.deb", "1.deb", "2.deb"]
    )
    assert serving.find_apt("12.3/debian/pool/main/e/exampledb") is None
