"""The portal reads its repositories back as a client does, and people are told what it meets."""

from __future__ import annotations

import datetime as dt
import hashlib
import io
from collections.abc import Callable
from dataclasses import replace

import pysequoia
import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from portal.accounts.models import RoleGrant, User
from portal.lib.models import AuditEntry, OutboxMail
from releases import tasks
from releases.actions.reading import (
    due,
    for_programs,
    place_of,
    record_reading,
    unreadable,
    warn_of_unreadable,
)
from releases.actions.repository import queue_publication
from releases.actions.validity import set_validity
from releases.models import Alarm, Membership, Reading, Release, Repository
from releases.reading import UnsoundError
from releases.reading.http import Fetched
from releases.reading.walk import Read, walk
from releases.signer.local import LocalSigner, secret_of
from releases.tests import factory
from tests.programs import need

MINUTE, DAY = dt.timedelta(minutes=1), dt.timedelta(days=1)
Change = Callable[[bytes], bytes]


class Web:
    """Fetches from the views; what answers an address that holds `where` is changed on the way."""

    def __init__(self, where: str = "", change: Change = bytes) -> None:
        self.where, self.change = where, change
        self.asked: list[str] = []

    def get(self, url: str, *, most: int) -> Fetched:
        path = url.removeprefix(settings.BASE_URL)
        self.asked.append(path)
        answer = Client().get(path)
        if answer.status_code != 200:
            raise UnsoundError(f"{path} answers with status {answer.status_code}")
        body = b"".join(answer) if answer.streaming else answer.content
        if self.where and self.where in path:
            body = self.change(body)
        digest = hashlib.sha256(body).hexdigest()
        return Fetched(io.BytesIO(body), len(body), digest, "localhost")


def repository_of(distribution: str) -> Repository:
    found = Repository.objects.of_series().with_names().filter(distribution=distribution)
    return found.order_by("pk")[0]


def read(repository: Repository, web: Web, at: dt.datetime | None = None) -> Read:
    return walk(place_of(repository), web.get, at=at or timezone.now())


@pytest.fixture(autouse=True)
def _gpgv() -> None:
    need("gpgv")


def test_an_apt_repository_is_read_from_the_keyring_to_a_package(release: Release) -> None:
    web = Web()
    found = read(repository_of("debian-12"), web)
    name = "pool/main/e/exampledb-server/exampledb-server_12.3.0_amd64.deb"
    assert found == Read(name, "localhost")
    keyring, inrelease, index, package = web.asked
    assert keyring == "/keys/exampledb-archive-keyring.pgp"
    assert inrelease == "/repo/12.3/debian/dists/bookworm/InRelease"
    assert "/main/binary-amd64/by-hash/SHA256/" in index
    assert package == f"/repo/12.3/debian/{name}"


def test_a_yum_repository_is_read_to_the_signature_in_an_rpm(release: Release) -> None:
    web = Web()
    found = read(repository_of("rhel-9"), web)
    assert found.package == "packages/e/exampledb-server-12.3.0-1.el9.x86_64.rpm"
    assert [path.rpartition("/")[2].partition("-")[2] or path for path in web.asked[1:3]] == [
        "/yum/12.3/rhel/9/x86_64/repodata/repomd.xml",
        "/yum/12.3/rhel/9/x86_64/repodata/repomd.xml.asc",
    ]
    assert web.asked[3].endswith("-primary.xml.gz")


def other_keyring(_data: bytes) -> bytes:
    stranger = pysequoia.Tsk.from_bytes(secret_of("Stranger"))
    return bytes(stranger.extract_certificate())


def flip(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


APT_FAULTS: list[tuple[str, Change, str]] = [
    ("InRelease", lambda data: data.replace(b"amd64", b"arm64", 1), "InRelease is not signed"),
    ("InRelease", lambda data: b"<html>", "InRelease is not signed by a key of the keyring"),
    ("/keys/", other_keyring, "InRelease is not signed by a key of the keyring"),
    ("/keys/", lambda data: b"", "InRelease is not signed by a key of the keyring"),
    ("by-hash", flip, "has other bytes than are listed"),
    ("by-hash", lambda data: data[:-1], "bytes, listed are"),
    ("/pool/", flip, "exampledb-server_12.3.0_amd64.deb from localhost has other bytes"),
    ("/pool/", lambda data: data + b"x", "bytes, listed are"),
]
YUM_FAULTS: list[tuple[str, Change, str]] = [
    ("repomd.xml.asc", lambda data: b"", "repomd.xml is not signed by a key of the keyring"),
    ("/keys/", other_keyring, "repomd.xml is not signed by a key of the keyring"),
    ("primary", flip, "has other bytes than are listed"),
    ("/packages/", flip, "x86_64.rpm from localhost has other bytes"),
]


@pytest.mark.parametrize(
    ("distribution", "faults"), [("debian-12", APT_FAULTS), ("rhel-9", YUM_FAULTS)]
)
def test_what_a_client_would_refuse_is_named(
    release: Release, distribution: str, faults: list[tuple[str, Change, str]]
) -> None:
    repository = repository_of(distribution)
    for where, change, reason in faults:
        with pytest.raises(UnsoundError, match=reason):
            read(repository, Web(where, change))


def test_an_old_index_from_somewhere_in_between_is_not_sound(
    release: Release, signer: LocalSigner
) -> None:
    repository = repository_of("debian-12")
    address = place_of(repository).address + "/dists/bookworm/InRelease"
    old = Web().get(address, most=2**20).read()
    factory.publish_again(publication=queue_publication(repository=repository), signer=signer)
    later = timezone.now() + 2 * MINUTE
    assert read(repository_of("debian-12"), Web(), at=later).package
    with pytest.raises(UnsoundError, match="something in between keeps an old one"):
        read(repository_of("debian-12"), Web("InRelease", lambda _new: old), at=later)


def test_metadata_of_an_earlier_publication_or_of_the_future_is_not_sound(
    release: Release,
) -> None:
    place, now = place_of(repository_of("rhel-9")), timezone.now()
    with pytest.raises(UnsoundError, match=r"repomd.xml is publication 1, published is 2"):
        walk(replace(place, serial=2), Web().get, at=now)
    with pytest.raises(UnsoundError, match="something in between keeps an old one"):
        walk(replace(place, dated_at=now + DAY), Web().get, at=now)
    with pytest.raises(UnsoundError, match="dated in the future"):
        walk(place, Web().get, at=now - DAY)


def test_an_index_that_has_ended_is_not_sound(
    dana: User, release: Release, signer: LocalSigner
) -> None:
    queued = set_validity(actor=dana, repository=repository_of("debian-12"), days=2)
    assert queued is not None
    factory.publish_again(publication=queued, signer=signer)
    repository = repository_of("debian-12")
    assert read(repository, Web()).package
    with pytest.raises(UnsoundError, match="was valid until"):
        read(repository, Web(), at=timezone.now() + 3 * DAY)


@pytest.mark.parametrize("distribution", ["debian-12", "rhel-9"])
def test_an_empty_repository_is_sound(
    release: Release, distribution: str, signer: LocalSigner
) -> None:
    repository = repository_of(distribution)
    queued = queue_publication(repository=repository)
    Membership.objects.filter(repository=repository).update(until_serial=queued.serial)
    factory.publish_again(publication=queued, signer=signer)
    assert read(repository_of(distribution), Web()) == Read("", "")


def test_without_gpgv_nothing_is_said_of_any_repository(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda *_words, **_more: None)
    tasks.read_repositories()
    assert not Reading.objects.exists()
    with pytest.raises(UnsoundError, match="gpgv is not installed"):
        read(repository_of("debian-12"), Web())


# --- which, and what came of it -----------------------------------------------------------------


def note(repository: Repository, reason: str, at: dt.datetime) -> Reading | None:
    outcome = UnsoundError(reason) if reason else Read("pool/x.deb", "localhost")
    return record_reading(repository=repository, outcome=outcome, at=at)


def test_what_was_not_sound_is_read_again_first_and_then_what_waited_longest(
    release: Release,
) -> None:
    now = timezone.now()
    first = due()
    assert set(first) == set(Repository.objects.live())
    for at, repository in enumerate(first):
        note(repository, "", now + at * MINUTE)
    note(first[2], "broken", now + 10 * MINUTE)
    assert due() == [first[2], *first[:2], *first[3:]]


def test_what_was_written_as_a_whole_comes_before_what_waited_and_is_for_package_managers(
    release: Release, signer: LocalSigner
) -> None:
    deb, rpm = repository_of("debian-12"), repository_of("rhel-9")
    exact = Repository.objects.of_releases().with_names().order_by("pk")
    assert for_programs(due()) == {one.pk for one in (deb, rpm, *exact)}, "first publications"
    now = timezone.now()
    for at, repository in enumerate([rpm, *exact, deb]):
        note(repository, "", now + at * MINUTE)
    assert due()[0] == rpm
    assert for_programs([rpm, *exact, deb]) == {rpm.pk, exact.get(distribution="debian-12").pk}
    factory.publish_again(publication=queue_publication(repository=deb, full=True), signer=signer)
    assert due()[0] == deb
    assert deb.pk in for_programs(due())


def test_people_are_told_once_when_it_fails_twice_in_a_row(dana: User, release: Release) -> None:
    repository, now = repository_of("debian-12"), timezone.now()
    told = []
    for minute, reason in enumerate(["gone", "", "gone", "gone", "bad", "", "", "bad", "bad"]):
        at = now + 10 * minute * MINUTE
        note(repository, reason, at)
        told += [(minute, one.since, one.reason) for one in warn_of_unreadable(at=at)]
    assert told == [(3, now + 20 * MINUTE, "gone"), (8, now + 70 * MINUTE, "bad")]
    assert {letter.recipient for letter in OutboxMail.objects.all()} == {dana.email}
    letter = OutboxMail.objects.order_by("pk")[0]
    assert letter.subject == f"Clients cannot use {repository.title}"
    assert "  gone\n" in letter.text
    assert f"/releases/manage/repositories/{repository.pk}/" in letter.text
    assert Alarm.objects.filter(kind="reading").count() == 2
    assert AuditEntry.objects.filter(verb="repository.unreadable").count() == 2
    note(repository, "", now + DAY)
    assert unreadable() == []


def test_without_a_manager_staff_are_told(frank: User, release: Release) -> None:
    RoleGrant.objects.filter(role="release_manager").delete()
    for minute in (0, 10):
        note(repository_of("rhel-9"), "gone", timezone.now() + minute * MINUTE)
    assert warn_of_unreadable(at=timezone.now())
    assert OutboxMail.objects.get().recipient == frank.email


def test_what_failed_while_something_else_was_published_says_nothing(
    release: Release, signer: LocalSigner
) -> None:
    before, now = repository_of("debian-12"), timezone.now()
    factory.publish_again(publication=queue_publication(repository=before), signer=signer)
    assert note(before, "other bytes", now) is None
    sound = note(before, "", now)
    assert sound is not None
    assert sound.is_sound
    assert str(sound) == f"{before} #1: sound"


def test_readings_are_forgotten_after_two_weeks(release: Release) -> None:
    repository, now = repository_of("debian-12"), timezone.now()
    note(repository, "", now - 15 * DAY)
    note(repository, "", now)
    assert repository.readings.count() == 1


def test_the_task_reads_and_the_pages_readiness_and_metrics_tell(
    dana: User,
    client_for: Callable[[User], Client],
    release: Release,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    web = Web()
    monkeypatch.setattr(tasks, "Http", lambda context: web)
    monkeypatch.setattr(tasks, "read_by_programs", lambda place, package, get: "apt-get")
    settings.METRICS_TOKEN = "a-long-token"
    bearer = {"authorization": "Bearer a-long-token"}
    client, repository = client_for(dana), repository_of("debian-12")
    page = f"/releases/manage/repositories/{repository.pk}/"
    assert "was not read back yet" in client.get(page).content.decode()
    tasks.read_repositories()
    assert Reading.objects.sound().count() == Repository.objects.live().count()
    shown = client.get(page).content.decode()
    assert "exampledb-server_12.3.0_amd64.deb" in shown
    assert "by apt-get too" in shown
    assert client.get("/health/ready", headers=bearer).json()["warnings"] == []
    web.where, web.change = "InRelease", lambda _data: b"<html>"
    tasks.read_repositories()
    tasks.read_repositories()
    shown = client.get(page).content.decode()
    assert "Clients cannot use it" in shown
    assert "InRelease is not signed" in shown
    listed = client.get("/releases/manage/repositories/?state=unreadable").content.decode()
    assert page in listed
    assert f"repositories/{repository_of('rhel-9').pk}/" not in listed
    warnings = client.get("/health/ready", headers=bearer).json()["warnings"]
    assert f"clients cannot use {repository.name}: InRelease is not signed" in warnings[0]
    metrics = client.get("/metrics", headers=bearer).content.decode()
    assert f'portal_repository_sound{{repository="{repository.name}"}} 0.0' in metrics
    yum = repository_of("rhel-9").name
    assert f'portal_repository_sound{{repository="{yum}"}} 1.0' in metrics
    assert OutboxMail.objects.filter(subject__startswith="Clients cannot use").exists()
