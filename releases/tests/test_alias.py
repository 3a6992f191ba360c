"""latest, latest-lts, <N>.rolling, <N>.rc, and repositories of one exact version."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.lib.models import AuditEntry
from releases import tasks
from releases.actions.alias import (
    follow_rules,
    free_alias,
    lost_systems,
    move_alias,
    settle_alias,
)
from releases.actions.release import publish_release
from releases.errors import RefusedError
from releases.models import Alias, Product, Publication, Release, Repository, Series
from releases.readiness import second_person_reason
from releases.signer.local import LocalSigner
from releases.tests import factory
from tests.shared import shared

IN_RELEASE = "/repo/latest/debian/dists/bookworm/InRelease"


@shared(keeps="release_files signer")
def stable(dana: User, bob: User, signer: LocalSigner, release_files: Path) -> list[Release]:
    """11.8.9, of long term, and 12.3.0, both stable."""
    return [_published(dana, bob, signer, version) for version in ("11.8.9", "12.3.0")]


def _published(uploader: User, publisher: User, signer: LocalSigner, version: str) -> Release:
    name = version.rpartition(".")[0]
    if not Series.objects.filter(name=name).exists():
        support = "long" if name == "11.8" else "short"
        factory.make_series(name, support=support)
    release = factory.make_draft(version, "stable")
    data = factory.deb(version)
    upload = factory.accept(
        actor=uploader,
        release=release,
        name=f"exampledb-server_{version}_amd64.deb",
        data=data,
        distributions=["debian-12"],
    )
    assert upload.state == "accepted", upload.reason
    for publication in publish_release(actor=publisher, release=release, at=timezone.now()):
        assert tasks.advance(publication.pk, signer) == Publication.State.CURRENT
    return release


def _product() -> Product:
    return Product.objects.get()


def _set() -> dict[str, str]:
    return dict(Alias.objects.values_list("name", "series__name"))


def _finish(signer: LocalSigner, folder: Path) -> None:
    """Let what waits be published, as if what is current was published two seconds ago."""
    Publication.objects.filter(state="current").update(
        dated_at=timezone.now() - dt.timedelta(seconds=2)
    )
    signer.open_log(folder / "another-log")
    for publication in Publication.objects.unfinished():
        assert tasks.advance(publication.pk, signer) == Publication.State.CURRENT


def test_the_rules_say_where_each_alias_belongs(stable: list[Release]) -> None:
    follow_rules(product=_product(), at=timezone.now())
    assert _set() == {
        "latest": "12.3",
        "latest-lts": "11.8",
        "11.rc": "11.8",
        "11.rolling": "11.8",
        "12.rc": "12.3",
        "12.rolling": "12.3",
    }
    assert follow_rules(product=_product(), at=timezone.now()) == []


def test_a_series_that_has_ended_or_was_withdrawn_is_not_the_latest(stable: list[Release]) -> None:
    now = timezone.now()
    Series.objects.filter(name="12.3").update(eol_on=now.date())
    follow_rules(product=_product(), at=now)
    assert _set()["latest"] == "11.8"
    assert _set()["12.rolling"] == "12.3"


def test_an_alias_shows_the_files_of_its_series(stable: list[Release], client: Client) -> None:
    assert client.get(IN_RELEASE).status_code == 404
    follow_rules(product=_product(), at=timezone.now())
    text = b"".join(client.get(IN_RELEASE))
    assert text == b"".join(client.get("/repo/12.3/debian/dists/bookworm/InRelease"))
    assert b"Label: ExampleDB\n" in text
    package = "pool/main/e/exampledb-server/exampledb-server_12.3.0_amd64.deb"
    assert client.get(f"/repo/12.rolling/debian/{package}").status_code == 200
    assert client.get(f"/repo/latest-lts/debian/{package}").status_code == 404
    for folder in ("/repo/", "/repo/latest/", "/repo/latest/debian", "/repo/latest/debian/pool/"):
        assert client.get(folder).status_code == 200, folder
        assert client.head(folder).status_code == 200, folder
    assert b">latest/<" in client.get("/repo/").content


def test_an_exact_version_has_a_repository_with_nothing_else(
    dana: User, bob: User, stable: list[Release], signer: LocalSigner, client: Client
) -> None:
    text = b"".join(client.get("/repo/12.3.0/debian/dists/bookworm/main/binary-amd64/Packages.gz"))
    assert text
    repository = Repository.objects.of_releases().get(release=stable[1])
    assert repository.name == "exampledb/12.3.0/debian-12"
    package = "pool/main/e/exampledb-server/exampledb-server_12.3.0_amd64.deb"
    assert client.get(f"/repo/12.3.0/debian/{package}").status_code == 200
    assert client.get(f"/repo/11.8.9/debian/{package}").status_code == 404


def test_an_alias_moves_only_when_the_target_is_newer_than_what_it_showed(
    dana: User, stable: list[Release], signer: LocalSigner, client: Client, tmp_path: Path
) -> None:
    follow_rules(product=_product(), at=timezone.now())
    alias, older = Alias.objects.get(name="latest"), Series.objects.get(name="11.8")
    by_hash = _by_hash()
    (queued,) = move_alias(actor=dana, alias=alias, series=older, at=timezone.now())
    assert queued.repository.series == older
    assert not settle_alias(alias_id=alias.pk, at=timezone.now())
    assert b"".join(client.get(IN_RELEASE)) == _in_release("12.3", client)
    _finish(signer, tmp_path)
    assert settle_alias(alias_id=alias.pk, at=timezone.now())
    assert b"".join(client.get(IN_RELEASE)) == _in_release("11.8", client)
    assert not settle_alias(alias_id=alias.pk, at=timezone.now())

    # A client that read the index before the move finds what it names, for three days.
    package = "/repo/latest/debian/pool/main/e/exampledb-server/exampledb-server_12.3.0_amd64.deb"
    assert [client.get(path).status_code for path in (by_hash, package)] == [200, 200]
    plain = "/repo/latest/debian/dists/bookworm/main/binary-amd64/nothing"
    assert client.get(plain).status_code == 404
    alias.past.update(left_at=timezone.now() - dt.timedelta(days=3, minutes=1))
    assert [client.get(path).status_code for path in (by_hash, package)] == [404, 404]
    verbs = AuditEntry.objects.filter(verb__startswith="alias.").values_list("verb", flat=True)
    assert {"alias.move", "alias.switch"} <= set(verbs)


def _by_hash() -> str:
    repository = Repository.objects.of_series().get(series__name="12.3")
    assert repository.current is not None
    found = repository.current.files.get(path="main/binary-amd64/Packages.gz").blob.sha256
    return f"/repo/latest/debian/dists/bookworm/main/binary-amd64/by-hash/SHA256/{found}"


def _in_release(series: str, client: Client) -> bytes:
    return b"".join(client.get(f"/repo/{series}/debian/dists/bookworm/InRelease"))


def test_an_alias_held_by_hand_stays_until_it_is_given_back(
    dana: User, stable: list[Release], signer: LocalSigner, tmp_path: Path
) -> None:
    follow_rules(product=_product(), at=timezone.now())
    alias, older = Alias.objects.get(name="latest"), Series.objects.get(name="11.8")
    move_alias(actor=dana, alias=alias, series=older, at=timezone.now())
    assert follow_rules(product=_product(), at=timezone.now()) == []
    free_alias(actor=dana, alias=alias, at=timezone.now())
    alias.refresh_from_db()
    assert (alias.series.name, alias.target, alias.held) == ("12.3", None, False)


def test_a_move_that_clients_could_not_follow_is_refused(dana: User, stable: list[Release]) -> None:
    follow_rules(product=_product(), at=timezone.now())
    alias = Alias.objects.get(name="latest")
    empty = factory.make_series("13.0")
    with pytest.raises(RefusedError, match="no published repository"):
        move_alias(actor=dana, alias=alias, series=empty, at=timezone.now())
    other = factory.make_series("1.0", slug="otherdb")
    with pytest.raises(RefusedError, match="another product"):
        move_alias(actor=dana, alias=alias, series=other, at=timezone.now())
    assert lost_systems(alias=alias, series=empty) == ["Debian 12"]


def test_what_stable_users_follow_never_leads_to_a_series_without_a_stable_release(
    dana: User, stable: list[Release], signer: LocalSigner
) -> None:
    follow_rules(product=_product(), at=timezone.now())
    alpha = factory.make_draft("12.4.0", "alpha")
    factory.add_files(actor=dana, release=alpha)
    factory.publish(actor=dana, release=alpha, signer=signer)
    for name in ("latest", "latest-lts", "12.rolling"):
        alias = Alias.objects.get(name=name)
        with pytest.raises(RefusedError, match=r"12\.4 has no stable release"):
            move_alias(actor=dana, alias=alias, series=alpha.series, at=timezone.now())
    candidates = Alias.objects.get(name="12.rc")
    move_alias(actor=dana, alias=candidates, series=alpha.series, at=timezone.now())
    assert second_person_reason(actor=dana, release=alpha, at=timezone.now()) == ""
    Alias.objects.filter(name="latest").update(series=alpha.series)
    reason = second_person_reason(actor=dana, release=alpha, at=timezone.now())
    assert "second release manager" in reason
