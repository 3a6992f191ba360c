"""What probes find, what is made of it, and who is told."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from portal.accounts.models import User
from portal.lib.models import OutboxMail
from releases import tasks
from releases.actions.mirror_probe import (
    EVERY,
    GRACE,
    KEPT,
    LEASE,
    LETTER_AFTER,
    LONGEST_PAUSE,
    claim_probes,
    record_probe,
)
from releases.actions.release import publish_release
from releases.mirrors import manifest, targets
from releases.mirrors.probe import Finding, Target
from releases.models import IndexFile, Mirror, Publication, Release, Repository
from releases.signer.local import LocalSigner
from releases.tests import factory
from releases.tests.mirror_server import Authority, MirrorServer, serving
from tests.shared import shared

NOW = timezone.now()
MINUTE = dt.timedelta(minutes=1)
Health = Mirror.Health


@shared
def mirror(release: Release) -> Mirror:
    return factory.make_mirror(parts=["repo", "yum"])


def finding_of(target: Target) -> Finding:
    """A mirror that has everything, as we serve it."""
    found = Finding()
    for wanted in target.all_wanted:
        answer = Client().get(f"/{wanted.path}", {"mirror": "none"})
        content = getattr(answer, "streaming_content", None)
        found.bodies[wanted.path] = b"".join(content) if content else None
    return found


def probe(mirror: Mirror, at: dt.datetime, **changed: bytes | None) -> Mirror:
    """One probe of a good mirror; `changed` bodies by the end of their path, with _ for a dot."""
    target = targets.target_of(mirror, timezone.now())
    finding = finding_of(target)
    for name, body in changed.items():
        ending = name.replace("_", ".")
        paths = [path for path in finding.bodies if path.endswith(ending)]
        assert paths, f"nothing that ends with {ending} is asked for"
        finding.bodies |= dict.fromkeys(paths, body)
    recorded = record_probe(target=target, finding=finding, at=at)
    assert recorded is not None
    return recorded


def fail(mirror: Mirror, at: dt.datetime, reason: str = "no connection") -> Mirror:
    target = targets.target_of(mirror, timezone.now())
    recorded = record_probe(target=target, finding=Finding(reason=reason), at=at)
    assert recorded is not None
    return recorded


@pytest.mark.django_db
def test_a_mirror_that_has_what_we_have_is_healthy(mirror: Mirror) -> None:
    assert not Mirror.objects.offered(NOW + MINUTE).exists()
    probed = probe(mirror, NOW)
    assert (probed.health, probed.reason, probed.behind) == (Health.HEALTHY, "", 0)
    assert probed.health_since == NOW
    assert probed.next_probe_at == NOW + EVERY
    assert list(Mirror.objects.offered(NOW + MINUTE)) == [mirror]
    serials = Repository.objects.live().values_list("pk", "current__serial")
    assert set(mirror.sightings.values_list("repository", "serial")) == set(serials)
    later = probe(mirror, NOW + EVERY)
    assert later.health_since == NOW, "it did not change"
    assert later.probes.count() == 2


@pytest.mark.django_db
def test_a_mirror_may_take_its_time_and_then_it_lags(
    mirror: Mirror, dana: User, signer: LocalSigner
) -> None:
    old = finding_of(targets.target_of(mirror, timezone.now()))
    assert probe(mirror, NOW).health == Health.HEALTHY
    second = factory.make_draft("12.3.1")
    factory.add_files(actor=dana, release=second)
    for publication in publish_release(actor=dana, release=second, at=timezone.now()):
        factory.publish_again(publication=publication, signer=signer)
    target = targets.target_of(mirror, timezone.now())
    switched = Publication.objects.latest("switched_at").switched_at
    assert switched is not None
    soon = record_probe(target=target, finding=old, at=switched + MINUTE)
    assert soon is not None
    assert (soon.health, soon.behind) == (Health.HEALTHY, 1)
    late = record_probe(target=target, finding=old, at=switched + GRACE + MINUTE)
    assert late is not None
    assert (late.health, late.behind) == (Health.LAGGING, 1)
    assert late.behind_since is not None
    assert not Mirror.objects.offered(switched + GRACE + MINUTE).exists()
    assert probe(mirror, switched + GRACE + 2 * MINUTE).health == Health.HEALTHY
    IndexFile.objects.filter(publication__state="past").delete()  # as the garbage collection does
    forgotten = record_probe(target=target, finding=old, at=switched + GRACE + 3 * MINUTE)
    assert forgotten is not None
    assert forgotten.health == Health.LAGGING
    of_series = mirror.sightings.filter(repository__release=None)
    assert set(of_series.values_list("serial", flat=True)) == {0}


@pytest.mark.django_db
def test_other_bytes_break_a_mirror(mirror: Mirror) -> None:
    forged = probe(mirror, NOW, InRelease=b"Origin: Evil\nDate: Sat, 21 Nov 2099 05:00:00 GMT\n")
    assert forged.health == Health.BROKEN
    assert "InRelease is none that we published" in forged.reason
    undated = probe(mirror, NOW, repomd_xml=b"<repomd/>")
    assert "repomd.xml is none that we published" in undated.reason
    for text in (b"Date: not a date at all\n", b"<revision>999999999999</revision>"):
        assert probe(mirror, NOW, InRelease=text).health == Health.BROKEN
    factory.synced(mirror)
    mirror.sightings.exclude(repository__distribution="debian-12").delete()
    mirror.parts = ["repo"]
    mirror.save()
    corrupt = probe(mirror, NOW, amd64_deb=b"corrupt")
    assert "has other bytes than here" in corrupt.reason
    missing = probe(mirror, NOW, amd64_deb=None)
    assert "is missing although its index lists it" in missing.reason
    assert probe(mirror, NOW).health == Health.HEALTHY


@pytest.mark.django_db
def test_an_index_older_than_we_remember_is_far_behind(mirror: Mirror) -> None:
    """What garbage collection has forgotten is told from what never was by its date."""
    old = b"Date: Mon, 02 Nov 2020 05:00:00 GMT\n"
    at = timezone.now()
    probed = probe(mirror, at, InRelease=old, repomd_xml=b"<revision>1600000000</revision>")
    assert probed.reason == ""
    assert set(mirror.sightings.values_list("serial", flat=True)) == {0}
    assert probed.behind == 1


@pytest.mark.django_db
def test_a_server_without_any_of_our_files_is_broken(mirror: Mirror) -> None:
    probed = probe(mirror, NOW, InRelease=None, repomd_xml=None)
    assert (probed.health, probed.reason) == (Health.BROKEN, "it has none of our repositories")


@pytest.mark.django_db
def test_nothing_is_said_of_a_mirror_when_there_is_nothing_to_look_at() -> None:
    mirror = factory.make_mirror(parts=["repo"])
    target = targets.target_of(mirror, timezone.now())
    assert target.wanted == []
    probed = record_probe(target=target, finding=Finding(), at=NOW)
    assert probed is not None
    assert probed.health == Health.UNKNOWN


@pytest.mark.django_db
def test_a_dead_mirror_is_asked_less_and_less(mirror: Mirror) -> None:
    pauses = []
    for number in range(9):
        probed = fail(mirror, NOW)
        assert probed.next_probe_at is not None
        assert (probed.health, probed.failures) == (Health.BROKEN, number + 1)
        pauses.append(probed.next_probe_at - NOW)
    assert pauses[:3] == [EVERY, 2 * EVERY, 4 * EVERY]
    assert pauses[-1] == LONGEST_PAUSE
    assert probe(mirror, NOW).failures == 0


@pytest.mark.django_db
def test_the_operator_gets_one_letter_of_the_fault_and_one_of_its_end(mirror: Mirror) -> None:
    for number in range(LETTER_AFTER + 3):
        assert OutboxMail.objects.count() == (number >= LETTER_AFTER)
        fail(mirror, NOW + number * MINUTE)
    fault = OutboxMail.objects.get()
    assert fault.recipient == mirror.contact_email
    assert "no connection" in fault.text
    probe(mirror, NOW + dt.timedelta(hours=1))
    probe(mirror, NOW + dt.timedelta(hours=2))
    assert OutboxMail.objects.count() == 2
    assert "well again" in OutboxMail.objects.latest("pk").subject
    fail(mirror, NOW + dt.timedelta(hours=3))
    probe(mirror, NOW + dt.timedelta(hours=4))
    assert OutboxMail.objects.count() == 2, "one failure is no news"


@pytest.mark.django_db
def test_the_history_is_bounded(mirror: Mirror) -> None:
    for days in range(10):
        fail(mirror, NOW + dt.timedelta(days=days))
    oldest = mirror.probes.earliest("at")
    assert oldest.at >= NOW + dt.timedelta(days=9) - KEPT


@pytest.mark.django_db
def test_what_is_behind_is_looked_at_first(mirror: Mirror, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "REPOSITORIES", 1)
    apt = Repository.objects.of_series().get(distribution="debian-12")
    yum = Repository.objects.of_series().get(distribution="rhel-9")
    factory.synced(mirror)
    mirror.sightings.filter(repository=apt).update(seen_at=NOW)
    mirror.sightings.filter(repository=yum).update(seen_at=NOW - MINUTE)
    assert targets.chosen_repositories(mirror) == [yum], "longest not seen"
    mirror.sightings.filter(repository=apt).update(serial=0)
    assert targets.chosen_repositories(mirror) == [apt], "behind"
    mirror.sightings.filter(repository=yum).delete()
    assert targets.chosen_repositories(mirror) == [yum], "never seen"


@pytest.mark.django_db
def test_a_mirror_of_one_product_is_not_asked_for_others(mirror: Mirror) -> None:
    assert targets.carried_repositories(mirror)
    mirror.products.add(factory.make_series(slug="other").product)
    assert targets.carried_repositories(mirror) == []


@pytest.mark.django_db
def test_a_probe_is_taken_once(mirror: Mirror) -> None:
    factory.make_mirror("paused", state="paused")
    factory.make_mirror("later", next_probe_at=NOW + dt.timedelta(days=1))
    at = timezone.now()
    assert [target.number for target in claim_probes(at=at)] == [mirror.pk]
    assert claim_probes(at=at + LEASE - MINUTE) == []
    assert len(claim_probes(at=at + LEASE)) == 1, "its worker has died"


@pytest.mark.django_db(transaction=True)
def test_two_workers_take_different_probes() -> None:
    factory.make_mirror()
    at = timezone.now()

    def other_worker() -> int:
        try:
            return len(claim_probes(at=at))
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        assert len(claim_probes(at=at)) == 1
        assert pool.submit(other_worker).result(10) == 0


@pytest.mark.django_db
def test_a_mirror_that_changed_meanwhile_is_left_alone(mirror: Mirror) -> None:
    target = targets.target_of(mirror, timezone.now())
    Mirror.objects.update(base_url="https://elsewhere.example/")
    assert record_probe(target=target, finding=Finding(reason="x"), at=NOW) is None
    Mirror.objects.update(base_url=mirror.base_url, state="paused")
    assert record_probe(target=target, finding=Finding(reason="x"), at=NOW) is None


# --- the task, over TLS ---------------------------------------------------------------------------


@pytest.fixture
def server(tmp_path: Path, settings: Settings) -> Iterator[MirrorServer]:
    authority = Authority(tmp_path)
    settings.MIRROR_CA, settings.MIRROR_PRIVATE_ADDRESSES = str(authority.ca), True
    with serving(tmp_path / "mirror", authority.server_context("localhost")) as found:
        yield found


@pytest.mark.django_db
def test_the_task_looks_at_real_servers(
    release: Release, server: MirrorServer, settings: Settings
) -> None:
    good = factory.make_mirror(base_url=server.url)
    dead = factory.make_mirror("dead", base_url="https://localhost:1/")
    for wanted in targets.target_of(good, timezone.now()).all_wanted:
        path = server.folder / wanted.path
        path.parent.mkdir(parents=True, exist_ok=True)
        if wanted.path != "manifest.txt":
            path.write_bytes(finding_of(Target(0, "", [wanted])).bodies[wanted.path] or b"")
    (server.folder / "manifest.txt").write_text(
        manifest.text(manifest.Contents(timezone.now())) + "x" * 5000
    )
    tasks.probe_mirrors()
    good.refresh_from_db()
    dead.refresh_from_db()
    assert (good.health, good.reason) == (Health.HEALTHY, "")
    assert good.files_until is not None
    assert dead.health == Health.BROKEN
    assert dead.reason.startswith("no connection")
    asked = len(server.asked)
    tasks.probe_mirrors()
    assert len(server.asked) == asked, "none is due"
    settings.MIRROR_PRIVATE_ADDRESSES = False
    Mirror.objects.update(next_probe_at=NOW)
    tasks.probe_mirrors()
    good.refresh_from_db()
    assert good.reason == "its name leads to a private address"
    assert len(server.asked) == asked
