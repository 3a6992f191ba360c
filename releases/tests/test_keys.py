"""Which keys sign a repository, and which its clients install."""

from __future__ import annotations

import datetime as dt
from concurrent.futures import ThreadPoolExecutor, wait

import pytest
from django.db import connection, transaction
from django.utils import timezone

from releases.actions.signature import remember_keys
from releases.models import Package, Release, Repository, SigningKey
from releases.signer.local import LocalSigner

State = SigningKey.State


def make_key(name: str, *, scope: str = "", state: str = State.ACTIVE, age: int = 0) -> SigningKey:
    return SigningKey.objects.create(
        name=name,
        fingerprint=f"{name:F>40}".upper(),
        user_id=name,
        scope=scope,
        state=state,
        created_at=timezone.now() - dt.timedelta(days=age),
        armored="-",
        binary=b"-",
    )


def repository(release: Release, distribution: str) -> Repository:
    return (
        release.series.repositories.of_series()
        .select_related("series__product")
        .get(distribution=distribution)
    )


def test_clients_install_the_keys_that_sign_and_the_one_that_will(release: Release) -> None:
    debian = repository(release, "debian-12")
    (first,) = SigningKey.objects.of(debian)
    following = make_key("following", state=State.NEXT)
    make_key("forgotten", state=State.RETIRED)
    assert list(SigningKey.objects.of(debian)) == [first, following]
    assert list(SigningKey.objects.signing(debian)) == [first]


def test_a_retired_key_is_installed_while_a_package_that_it_signed_is_shown(
    release: Release,
) -> None:
    rhel, debian = repository(release, "rhel-9"), repository(release, "debian-12")
    old = Package.objects.get(format="rpm").key
    assert old is not None
    SigningKey.objects.filter(pk=old.pk).update(state=State.RETIRED)
    new = make_key("new")
    assert list(SigningKey.objects.of(rhel)) == [old, new]
    assert list(SigningKey.objects.of(debian)) == [new]
    assert list(SigningKey.objects.signing(rhel)) == [new]


def test_a_repository_has_the_key_that_was_made_for_it_before_that_of_all(
    release: Release,
) -> None:
    debian = repository(release, "debian-12")
    product = make_key("product", scope="exampledb")
    assert list(SigningKey.objects.of(debian)) == [product]
    own = make_key("own", scope="exampledb/12.3/debian-12", state=State.NEXT)
    assert list(SigningKey.objects.of(debian)) == [product, own]
    assert list(SigningKey.objects.signing(debian)) == [product]
    SigningKey.objects.filter(pk=own.pk).update(state=State.ACTIVE)
    make_key("other", scope="exampledb/12.3/debian-1")
    assert list(SigningKey.objects.of(debian)) == [own]
    SigningKey.objects.filter(pk=own.pk).update(state=State.RETIRED)
    assert list(SigningKey.objects.of(debian)) == [product]


def test_a_key_that_will_expire_is_not_expired(release: Release) -> None:
    now = timezone.now()
    key = make_key("key", age=1)
    assert not key.is_expired(now)
    key.expires_at = now
    assert key.is_expired(now)
    assert not key.is_expired(now - dt.timedelta(seconds=1))


@pytest.mark.django_db(transaction=True)
def test_two_workers_learn_the_same_new_keys_at_the_same_time(signer: LocalSigner) -> None:
    """The second waits until the first has told everyone, and finds the rows of it."""

    def other_worker() -> list[SigningKey]:
        try:
            return remember_keys(signer=signer)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            first = remember_keys(signer=signer)
            second = pool.submit(other_worker)
            assert not wait([second], timeout=0.3).done
        assert second.result(10) == first
    assert SigningKey.objects.count() == len(signer.public_keys())
