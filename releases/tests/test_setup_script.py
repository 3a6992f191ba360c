"""/repo_setup is written by the worker when what is published changes, and served when signed."""

from __future__ import annotations

import datetime as dt
import hashlib

from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from releases import tasks
from releases.actions.setup_script import write_setup_script
from releases.actions.yank import yank_release
from releases.models import Release, Series, SetupScript
from releases.signer.local import LocalSigner
from releases.tests import factory


def test_there_is_none_before_anything_is_published(
    db: None, client: Client, signer: LocalSigner
) -> None:
    tasks.renew_setup_script()
    for path in ["/repo_setup", "/repo_setup.sha256", "/repo_setup.asc"]:
        assert client.get(path).status_code == 404


def test_it_is_served_with_checksum_and_signature(release: Release, client: Client) -> None:
    tasks.renew_setup_script()
    answer = client.get("/repo_setup")
    text = answer.content.decode()
    today = timezone.now().date().isoformat()
    assert f"\nversion='{today}'\n" in text
    assert "\nexampledb 12.3 debian-12 amd64\n" in text
    assert "\nexampledb 12.3 rhel-9 x86_64\n" in text
    digest = hashlib.sha256(answer.content).hexdigest()
    assert client.get("/repo_setup.sha256").content.decode() == f"{digest}  repo_setup\n"
    signature = client.get("/repo_setup.asc").content
    assert signature.startswith(b"-----BEGIN PGP SIGNATURE-----")
    again = client.get("/repo_setup", headers={"if-none-match": answer["ETag"]})
    assert again.status_code == 304


def test_it_changes_with_what_is_published_and_only_then(
    dana: User, release: Release, signer: LocalSigner, client: Client
) -> None:
    now = timezone.now()
    tasks.renew_setup_script()
    tasks.renew_setup_script()
    assert SetupScript.objects.count() == 1
    assert write_setup_script(at=now + dt.timedelta(days=40)) is None
    Series.objects.filter(name="12.3").update(eol_on="2020-01-01")
    tasks.renew_setup_script()
    first, second = SetupScript.objects.order_by("pk")
    assert (first.version, second.version) == (f"{now.date()}", f"{now.date()}.2")
    assert "12.3 series alpha 2020-01-01" in client.get("/repo_setup").content.decode()


def test_it_knows_an_exact_version_that_was_withdrawn(
    dana: User, release: Release, client: Client
) -> None:
    yank_release(actor=dana, release=release, reason="It loses rows.", at=timezone.now())
    tasks.renew_setup_script()
    assert "12.3.0 version withdrawn" in client.get("/repo_setup").content.decode()


def test_the_old_one_is_served_until_the_new_one_is_signed(
    dana: User, release: Release, signer: LocalSigner, client: Client
) -> None:
    tasks.renew_setup_script()
    old = client.get("/repo_setup").content
    factory.published(actor=dana, signer=signer, version="12.4.0")
    assert write_setup_script(at=timezone.now()) is not None
    assert client.get("/repo_setup").content == old
    tasks.renew_setup_script()
    assert b"exampledb 12.4 debian-12" in client.get("/repo_setup").content
