"""Counting downloads: by file and day, each once, nothing about who."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from django.http import HttpResponseBase
from django.test import Client
from django.utils import timezone
from pytest_django import Settings
from redis import Redis

from portal.accounts.models import User
from releases import downloads, tasks
from releases.actions.download import keep_downloads
from releases.models import DownloadBatch, DownloadCount, Release
from releases.tests import factory
from tests.shared import shared

FILE = "/releases/exampledb/12.3.0/exampledb-12.3.0.tar.gz"
POOL = "/repo/12.3/debian/pool/main/e/exampledb-server/exampledb-server_12.3.0_amd64.deb"


@pytest.fixture(autouse=True)
def buffer(settings: Settings) -> Iterator[Redis]:
    """The buffer, empty before and after."""
    with Redis.from_url(settings.REDIS_URL, decode_responses=True) as redis:

        def clear() -> None:
            for name in redis.scan_iter(f"{downloads.KEY}*"):
                redis.delete(name)

        clear()
        yield redis
        clear()


@shared(keeps="release_files")
def out(dana: User, release_files: Path) -> Release:
    """12.3.0 with a source archive of 4,000 bytes, published."""
    release = factory.make_draft()
    factory.accept(
        actor=dana, release=release, name="exampledb-12.3.0.tar.gz", data=b"x" * 4000, os="Source"
    )
    Release.objects.update(published_at=timezone.now())
    return release


def fetch(client: Client, path: str = FILE, **headers: str) -> HttpResponseBase:
    return client.get(path, headers={key.replace("_", "-"): v for key, v in headers.items()})


def counted(buffer: Redis) -> int:
    return sum(map(int, buffer.hvals(downloads.KEY)))


@pytest.mark.parametrize(
    ("headers", "count"),
    [
        ({}, 1),
        ({"User_Agent": "curl/8.5.0"}, 1),
        ({"User_Agent": "Mozilla/5.0 (compatible; Googlebot/2.1)"}, 0),
        ({"User_Agent": "archive.org crawler"}, 0),
        ({"Range": "bytes=0-"}, 1),
        ({"Range": "bytes=0-2047"}, 1),
        ({"Range": "bytes=0-0"}, 0),
        ({"Range": "bytes=2048-"}, 0),
        ({"Range": "bytes=-1"}, 0),
        ({"Range": "bytes=9999-"}, 0),
    ],
)
def test_what_counts_as_a_download(
    out: Release, client: Client, buffer: Redis, headers: dict[str, str], count: int
) -> None:
    fetch(client, **headers)
    assert counted(buffer) == count


def test_looking_and_asking_again_count_nothing(
    out: Release, client: Client, buffer: Redis
) -> None:
    client.head(FILE)
    etag = client.head(FILE)["ETag"]
    assert fetch(client, If_None_Match=etag).status_code == 304
    client.get(f"{FILE}.sha256")
    fetch(client, "/releases/exampledb/12.3.0/nothing.tar.gz")
    assert counted(buffer) == 0


def test_packages_of_repositories_count_for_their_file(
    release: Release, client: Client, buffer: Redis
) -> None:
    assert fetch(client, POOL).status_code == 200
    assert fetch(client, "/repo/12.3/debian/dists/bookworm/InRelease").status_code == 200
    keep_downloads(at=timezone.now())
    count = DownloadCount.objects.get()
    assert (count.file.name, count.count) == ("exampledb-server_12.3.0_amd64.deb", 1)
    assert str(count).endswith(": 1")


def test_counts_add_up_over_batches(out: Release, client: Client, buffer: Redis) -> None:
    for _ in range(2):
        for _ in range(3):
            fetch(client)
        tasks.count_downloads()
    tasks.count_downloads()
    assert [row.count for row in DownloadCount.objects.all()] == [6]
    assert not list(buffer.scan_iter(f"{downloads.KEY}*"))


def test_a_worker_that_died_after_its_commit_makes_nobody_count_twice(
    out: Release, client: Client, buffer: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch(client)
    with monkeypatch.context() as broken:

        def die(batch: object) -> None:
            raise ConnectionError

        broken.setattr(downloads, "forget", die)
        with pytest.raises(ConnectionError):
            keep_downloads(at=timezone.now())
    assert keep_downloads(at=timezone.now()) == 0
    assert DownloadCount.objects.get().count == 1
    assert not list(buffer.scan_iter(f"{downloads.KEY}*"))
    later = timezone.now() + dt.timedelta(days=31)
    keep_downloads(at=later)
    assert not DownloadBatch.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_count_once(out: Release, client: Client, buffer: Redis) -> None:
    for _ in range(5):
        fetch(client)
    downloads.take()
    barrier = threading.Barrier(2)
    kept: list[int] = []

    def work() -> None:
        barrier.wait()
        kept.append(keep_downloads(at=timezone.now()))
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (sorted(kept), DownloadCount.objects.get().count) == ([0, 5], 5)


def test_without_the_buffer_a_download_goes_on(
    out: Release, client: Client, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert fetch(client).status_code == 200
    assert "not counted: ConnectionError" in caplog.text


def test_the_page_and_the_csv_show_the_same_numbers(
    out: Release, client: Client, buffer: Redis
) -> None:
    page = "/releases/exampledb/downloads/"
    assert b"No download counted yet" in client.get(page).content
    today = timezone.now().date()
    file = out.files.get()
    for ago, count in [(0, 1200), (3, 34), (400, 5)]:
        day = today - dt.timedelta(days=ago)
        DownloadCount.objects.create(file=file, day=day, count=count)
    text = client.get(page).content.decode()
    assert "1,239" in text
    assert "1,234" in text
    assert "<svg" in text
    csv = b"".join(client.get("/releases/exampledb/downloads.csv")).decode()
    lines = csv.splitlines()
    assert lines[0] == "day,version,file,system,downloads"
    assert lines[-1] == f"{today},12.3.0,exampledb-12.3.0.tar.gz,Source,1200"
    assert len(lines) == 4
    DownloadCount.objects.filter(day__gt=today - dt.timedelta(days=90)).delete()
    assert b"Nothing in the last 60 days." in client.get(page).content


def test_nothing_about_who_is_kept(out: Release, client: Client, buffer: Redis) -> None:
    fetch(client, User_Agent="curl/8.5.0", X_Forwarded_For="203.0.113.9")
    assert list(buffer.hgetall(downloads.KEY)) == [
        f"{out.files.get().pk}:{timezone.now().date().isoformat()}"
    ]
    columns = {field.name for field in DownloadCount._meta.get_fields()}
    assert columns == {"id", "file", "day", "count"}
