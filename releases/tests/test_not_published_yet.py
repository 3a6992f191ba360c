"""Nothing is offered for installing before a repository has it."""

from __future__ import annotations

from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from releases.actions.release import publish_release
from releases.actions.roll_back import take_out
from releases.models import Release, Repository
from releases.signer.local import LocalSigner
from releases.tests import factory

LINK = "Configure a repository"
WAITS = "not published in a repository yet"
GENERATOR = "/repositories/?product=exampledb&series=12.3&distribution=debian-12"


def text(client: Client, path: str) -> str:
    return " ".join(client.get(path).content.decode().split())


def test_a_release_says_when_its_packages_are_not_there_yet(
    draft: Release, dana: User, signer: LocalSigner, client: Client
) -> None:
    publications = publish_release(actor=dana, release=draft, at=timezone.now())
    page = text(client, draft.get_absolute_url())
    assert WAITS in page
    assert LINK not in page
    assert "No repository is published yet" in text(client, "/repositories/")
    factory.advance(publications, signer)
    page = text(client, draft.get_absolute_url())
    assert WAITS not in page
    assert LINK in page


def test_the_generator_says_what_follows(
    release: Release, dana: User, signer: LocalSigner, client: Client
) -> None:
    later = factory.make_draft("12.3.1")
    factory.add_files(actor=dana, release=later)
    publications = publish_release(actor=dana, release=later, at=timezone.now())
    page = text(client, GENERATOR)
    assert "12.3.1 is not published in this repository yet" in page
    assert "package managers install 12.3.0" in page
    assert client.get(f"{GENERATOR}&as=json").json()["installs"] == "12.3.0"
    assert WAITS in text(client, later.get_absolute_url())
    for publication in publications:
        if publication.repository.release is None:
            factory.publish_again(publication=publication, signer=signer)
    assert "not published in this repository" not in text(client, GENERATOR)
    assert client.get(f"{GENERATOR}&as=json").json()["installs"] == "12.3.1"


def test_an_empty_repository_is_offered_to_nobody(
    release: Release, dana: User, signer: LocalSigner, client: Client
) -> None:
    for repository in Repository.objects.of_series().filter(distribution="debian-12"):
        [held] = repository.memberships.filter(until_serial=None)
        queued = take_out(actor=dana, repository=repository, package=held.package, reason="Bad.")
        factory.publish_again(publication=queued, signer=signer)
    answer = client.get(f"{GENERATOR}&format=sources")
    assert answer.status_code == 404
    assert "not published for Debian 12" in text(client, GENERATOR)


def test_a_release_of_sources_alone_has_nothing_to_install(
    dana: User, release: Release, signer: LocalSigner, client: Client
) -> None:
    other = factory.make_draft("12.3.2")
    factory.accept(
        actor=dana, release=other, name="exampledb-12.3.2.tar.gz", data=b"x", os="Source"
    )
    factory.publish(actor=dana, release=other, signer=signer)
    page = text(client, other.get_absolute_url())
    assert LINK not in page
    assert WAITS not in page
