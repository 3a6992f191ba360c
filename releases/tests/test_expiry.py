"""The end of a key is told in time, to those who can do something; and the pages about keys."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from portal.accounts.models import User
from portal.lib.models import OutboxMail
from releases import tasks
from releases.actions.expiry import warn_of_expiry
from releases.actions.signature import remember_keys
from releases.models import Package, Product, Publication, Release, SigningKey
from releases.signer import key
from releases.signer.local import LocalSigner, secret_of
from releases.signing import PublicKey, SignerUnavailableError
from releases.tests.test_keys import make_key

DAY = dt.timedelta(days=1)


def letters() -> set[tuple[str, str]]:
    return set(OutboxMail.objects.values_list("recipient", "subject"))


def test_people_are_told_once_for_each_step(dana: User, frank: User, release: Release) -> None:
    now = timezone.now()
    found = make_key("ending", age=900)
    found.expires_at = now + 100 * DAY
    found.save()
    steps = []
    for day in range(110):
        if warn_of_expiry(at=now + day * DAY):
            steps.append(100 - day)
        warn_of_expiry(at=now + day * DAY)
    assert steps == [90, 30, 7, 0]
    told = letters()
    assert {address for address, _ in told} == {dana.email, frank.email}
    assert {subject for _, subject in told} == {
        "The signing key ending expires in 90 days",
        "The signing key ending expires in 30 days",
        "The signing key ending expires in 7 days",
        "The signing key ending has expired",
    }
    text = OutboxMail.objects.first()
    assert text is not None
    assert "/releases/manage/keys/" in text.text
    assert "FFFF FFFF" in text.text


def test_a_later_end_begins_the_warnings_anew_and_a_retired_key_gives_none(
    dana: User, release: Release
) -> None:
    now = timezone.now()
    found = make_key("ending", age=900)
    found.expires_at = now + 20 * DAY
    found.save()
    assert warn_of_expiry(at=now) == [found]
    found.expires_at = now + 200 * DAY
    found.save()
    assert warn_of_expiry(at=now) == []
    assert warn_of_expiry(at=now + 175 * DAY) == [found]
    SigningKey.objects.filter(pk=found.pk).update(state="retired")
    assert warn_of_expiry(at=now + 199 * DAY) == []


def test_the_task_learns_keys_brings_keyrings_and_warns(
    dana: User, release: Release, signer: LocalSigner, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(tasks.publish, "delay", sent.append)
    soon = int((timezone.now() + 5 * DAY).timestamp())
    key.add(signer.register, name="newer", user_id="", secret=secret_of("Newer"))
    key.extend(signer.register, name="newer", expires=soon)
    tasks.tend_keys()
    assert SigningKey.objects.get(own_name="newer").state == "next"
    assert set(sent) == set(Publication.objects.unfinished().values_list("pk", flat=True))
    assert len(sent) == 4
    assert {subject for _, subject in letters()} == {
        "The signing key exampledb-newer expires in 4 days"
    }

    class Silent(LocalSigner):
        def public_keys(self) -> list[PublicKey]:
            raise SignerUnavailableError("gone")

    known = set(SigningKey.objects.values_list("fingerprint", flat=True))
    monkeypatch.setattr(tasks, "signer", lambda: Silent(signer.register.folder))
    tasks.tend_keys()
    assert set(SigningKey.objects.values_list("fingerprint", flat=True)) == known


def test_managers_see_each_step_of_a_rotation(
    client_for: Callable[[User], Client], dana: User, release: Release, signer: LocalSigner
) -> None:
    client = client_for(dana)

    def page() -> str:
        remember_keys(signer=signer)
        return client.get("/releases/manage/keys/").content.decode()

    assert "A key is being changed" not in page()
    key.add(signer.register, name="newer", user_id="", secret=secret_of("Newer"))
    announced = page()
    assert "python -m releases.signer key activate newer" in announced
    assert "None yet" in announced
    key.activate(signer.register, name="newer")
    tasks.tend_keyrings(Product.objects.get().pk)
    both = page()
    assert "python -m releases.signer key retire keyring" in both
    assert "exampledb-archive-keyring" in both
    key.retire(signer.register, name="keyring")
    assert "A key is being changed" not in page()


def test_managers_see_that_a_key_ends_or_has_ended(
    client_for: Callable[[User], Client], dana: User, release: Release
) -> None:
    client = client_for(dana)
    found = make_key("ending", age=900)
    for days, words in ((50, "expires soon"), (5, "in 4 days"), (-1, "has expired")):
        found.expires_at = timezone.now() + days * DAY
        found.save()
        assert words in client.get("/releases/manage/keys/").content.decode()


def test_everybody_sees_keys_and_fingerprints(client: Client, release: Release) -> None:
    old = make_key("exampledb-2009", state="retired")
    page = client.get("/keys/").content.decode()
    for found in SigningKey.objects.all():
        groups = [found.fingerprint[at : at + 4] for at in range(0, 40, 4)]
        assert " ".join(groups) in page
    assert page.index("Retired keys") < page.index(old.user_id)
    for form in ("pgp", "asc"):
        answer = client.get(f"/keys/exampledb-archive-keyring.{form}")
        assert answer.status_code == 200
        assert answer["Access-Control-Allow-Origin"] == "*"
    signed_with = Package.objects.get(format="rpm").key
    assert signed_with is not None
    keyring: bytes = client.get("/keys/exampledb-archive-keyring.pgp").content
    assert bytes(signed_with.binary) in keyring
    assert client.get("/keys/unknown-archive-keyring.pgp").status_code == 404
    assert client.get("/keys/unknown.pgp").status_code == 404


def test_without_keys_the_pages_say_when_there_will_be_one(
    client: Client, client_for: Callable[[User], Client], dana: User, draft: Release
) -> None:
    assert "No key yet" in client.get("/keys/").content.decode()
    assert "No key is known yet" in client_for(dana).get("/releases/manage/keys/").content.decode()


def test_readiness_and_metrics_warn_of_a_key_that_ends(
    client: Client, settings: Settings, release: Release
) -> None:
    settings.METRICS_TOKEN = "a-long-token"
    bearer = {"authorization": "Bearer a-long-token"}
    found = make_key("ending", age=900)
    found.expires_at = timezone.now() + 5 * DAY
    found.save()
    (warning,) = client.get("/health/ready", headers=bearer).json()["warnings"]
    assert warning.startswith("the signing key ending ends on ")
    assert "warnings" not in client.get("/health/ready").json()
    metrics = client.get("/metrics", headers=bearer).content.decode()
    assert 'portal_key_expires_timestamp_seconds{key="ending"}' in metrics
