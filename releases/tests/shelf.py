"""A repository that tests of indices fill and publish."""

from __future__ import annotations

import datetime as dt
import gzip
from collections.abc import Sequence

import pytest

from portal.accounts.models import User
from releases import store
from releases.actions import publication as actions
from releases.actions.repository import queue_publication
from releases.models import (
    IndexBuild,
    Package,
    Publication,
    Release,
    Repository,
)
from releases.signer.local import LocalSigner
from releases.tests import factory
from releases.tests.many import Wanted, enter, make_packages

START = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)
DEBIAN, RHEL = ("debian-12", ""), ("rhel-9", "x86_64")
EITHER = pytest.mark.parametrize("system", [DEBIAN, RHEL], ids=["apt", "yum"])


class Shelf:
    """A repository that a test fills and publishes."""

    def __init__(self, actor: User, system: tuple[str, str], signer: LocalSigner) -> None:
        self.actor, self.signer = actor, signer
        signer.clock = lambda: START + dt.timedelta(hours=1)
        self.draft = Release.objects.first() or factory.make_draft()
        distribution, architecture = system
        self.repository = Repository.objects.create(
            series=self.draft.series,
            distribution=distribution,
            architecture=architecture,
            origin="O",
            label="L",
            codename="bookworm",
        )
        self.architecture = architecture or "amd64"

    def named(self, *names: str, version: str = "12.3.0") -> list[Package]:
        wanted = [Wanted(name, version, self.architecture) for name in names]
        return make_packages(actor=self.actor, release=self.draft, wanted=wanted)

    def add(self, packages: Sequence[Package]) -> None:
        enter(self.repository, queue_publication(repository=self.repository), packages)

    def remove(self, packages: Sequence[Package]) -> None:
        publication = queue_publication(repository=self.repository)
        members = self.repository.memberships.filter(package__in=packages, until_serial=None)
        members.filter(since_serial=publication.serial).delete()
        members.update(until_serial=publication.serial)

    def publish(self) -> Publication:
        publication = queue_publication(repository=self.repository)
        at = START + dt.timedelta(seconds=2 * publication.serial)
        assert actions.build_publication(publication_id=publication.pk, at=at)
        assert actions.sign_publication(publication_id=publication.pk, signer=self.signer)
        switched = actions.switch_publication(publication_id=publication.pk, at=at)
        publication.refresh_from_db()
        assert switched, publication.reason
        self.repository.refresh_from_db()
        return publication

    def files(self) -> dict[str, str]:
        """SHA-256 by path of what does not carry a date."""
        assert self.repository.current is not None
        rows = self.repository.current.files.values_list("path", "blob__sha256")
        return {path: sha256 for path, sha256 in rows if "Packages" in path or "xml.gz" in path}

    def builds(self) -> dict[str, IndexBuild]:
        shown = IndexBuild.objects.shown_now(self.repository).select_related("index")
        return {f"{build.index.component} {build.index.name}": build for build in shown}

    def text(self, suffix: str) -> str:
        assert self.repository.current is not None
        file = self.repository.current.files.get(path__endswith=suffix)
        return gzip.decompress(store.blob_path(file.blob.sha256).read_bytes()).decode()
