"""Building, signing and switching to a publication: three steps, each repeatable.

The row's state is the queue. A step takes its row, does its work and commits; a process that dies
leaves the row where it was, and the next one does the same step again.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping

from django.db import transaction
from django.db.models import QuerySet

from portal.lib import audit
from releases import store
from releases.actions.blob import keep_blobs
from releases.actions.check import faults_of
from releases.actions.index import write_indices
from releases.actions.signature import keys_that_signed
from releases.batch import Batch
from releases.models import Blob, IndexBuild, IndexFile, Package, Publication, Repository
from releases.repository import apt, yum
from releases.signing import Signer

State = Publication.State
SECOND = dt.timedelta(seconds=1)


def packages_to_sign(publication: Publication) -> QuerySet[Package]:
    """The rpms that this publication shows and that nobody signed yet."""
    if publication.repository.system.is_deb:
        return Package.objects.none()
    members = publication.repository.memberships.in_publication(publication.serial)
    unsigned = Package.objects.filter(format=Package.Format.RPM, signed_at=None)
    return unsigned.filter(
        product=publication.repository.series.product_id, memberships__in=members
    )


def _take(publication_id: int, state: State) -> Publication | None:
    """The row, locked, if it waits for this step and nobody else is at it."""
    return (
        Publication.objects.select_for_update(skip_locked=True, of=["self"])
        .select_related("repository__series__product", "repository__release", "repository__current")
        .filter(pk=publication_id, state=state)
        .order_by("pk")  # the order for people is by product and series: joins that cost more
        .first()
    )


@transaction.atomic
def build_publication(*, publication_id: int, at: dt.datetime) -> bool:
    """Write all index files; False when it is not its turn yet (same second, an older one waits,
    or an rpm is not signed).
    """
    publication = _take(publication_id, State.QUEUED)
    if publication is None:
        return False
    repository = publication.repository
    date = at.replace(microsecond=0)
    current = repository.current
    if current is not None and current.dated_at is not None and date < current.dated_at + SECOND:
        return False
    earlier = Publication.objects.unfinished().filter(
        repository=repository, serial__lt=publication.serial
    )
    if earlier.exists() or packages_to_sign(publication).exists():
        return False
    publication.dated_at = date
    publication.valid_until = valid_until(repository, date)
    builds = write_indices(publication=publication)
    list_files = _apt_files if repository.system.is_deb else _yum_files
    add_files(publication, *list_files(publication, date, builds))
    members = repository.memberships.in_publication(publication.serial)
    publication.state, publication.packages = State.BUILT, members.count()
    publication.save(update_fields=["state", "dated_at", "valid_until", "packages"])
    return True


def valid_until(repository: Repository, date: dt.datetime) -> dt.datetime | None:
    """When clients stop to take the index; YUM metadata cannot say so."""
    if repository.valid_days is None or not repository.system.is_deb:
        return None
    return date + dt.timedelta(days=repository.valid_days)


@transaction.atomic
def sign_publication(*, publication_id: int, signer: Signer) -> bool:
    """Add the signatures. SigningRefusedError is for the caller, who fails the publication."""
    publication = _take(publication_id, State.BUILT)
    if publication is None:
        return False
    name, serial = publication.repository.name, publication.serial
    if publication.repository.system.is_deb:
        signed = signer.sign_release(name, serial, read_file(publication, "Release"))
        signature = signed.detached
        texts = {"Release.gpg": signature, "InRelease": signed.inline}
    else:
        signature = signer.sign_repomd(name, serial, read_file(publication, yum.REPOMD))
        texts = {f"{yum.REPOMD}.asc": signature}
    add_files(publication, texts, {})
    keys = keys_that_signed(signature, signer=signer)
    publication.state, publication.key = State.SIGNED, keys[0]
    publication.save(update_fields=["state", "key"])
    publication.keys.add(*keys)
    return True


@transaction.atomic
def switch_publication(*, publication_id: int, at: dt.datetime) -> bool:
    """Check the publication and make it the one that clients read, in one step."""
    publication = _take(publication_id, State.SIGNED)
    if publication is None:
        return False
    if error := faults_of(publication):
        _fail(publication, error)
        return False
    repository = Repository.objects.select_for_update(no_key=True).get(pk=publication.repository_id)
    before = publication.repository.current
    repository.publications.filter(state=State.CURRENT).update(state=State.PAST, retired_at=at)
    publication.state, publication.switched_at = State.CURRENT, at
    publication.generation = 1 + (before.generation or 0 if before else 0)
    publication.save(update_fields=["state", "switched_at", "generation"])
    repository.current = publication
    repository.save(update_fields=["current"])
    audit.record(
        actor=None,
        verb="publication.switch",
        subject=publication,
        repository=publication.repository.name,
        packages=publication.packages,
    )
    return True


@transaction.atomic
def fail_publication(*, publication_id: int, reason: str) -> None:
    """Give a publication up: the one before it stays."""
    publication = Publication.objects.unfinished().filter(pk=publication_id).first()
    if publication is not None:
        _fail(publication, reason)


def _fail(publication: Publication, reason: str) -> None:
    publication.state, publication.reason = State.FAILED, reason[:300]
    publication.save(update_fields=["state", "reason"])
    IndexBuild.objects.filter(  # nothing is copied from what never was shown
        index__repository=publication.repository_id, serial=publication.serial
    ).delete()
    audit.record(actor=None, verb="publication.fail", subject=publication, reason=reason)


# --- files --------------------------------------------------------------------------------------


def _apt_files(
    publication: Publication, date: dt.datetime, builds: Iterable[IndexBuild]
) -> tuple[dict[str, bytes], dict[str, Blob]]:
    """Release, and the files that it lists by their paths below dists/<codename>/."""
    listed: dict[str, apt.Listed] = {}
    files: dict[str, Blob] = {}
    for build in builds:
        path = apt.index_path(build.index.component, build.index.name)
        listed[path] = apt.Listed(build.text_size, build.text_sha256)
        for suffix, blob in ((".gz", build.gz), (".zst", build.zst)):
            listed[path + suffix] = apt.Listed(blob.size, blob.sha256, blob.md5)
            files[path + suffix] = blob
    repository = publication.repository
    suite = apt.Suite(repository.origin, repository.label, repository.codename)
    architectures = sorted({build.index.name for build in builds})
    text = apt.release(suite, date, architectures, listed, valid_until=publication.valid_until)
    return {"Release": text}, files


def _yum_files(
    publication: Publication, date: dt.datetime, builds: Iterable[IndexBuild]
) -> tuple[dict[str, bytes], dict[str, Blob]]:
    """repomd.xml, and the files that it lists by their paths below the root."""
    order = [*yum.KINDS, *sorted({build.index.name for build in builds} - set(yum.KINDS))]
    listed = {
        yum.Listed(
            build.index.name, build.gz.sha256, build.gz.size, build.text_sha256, build.text_size
        ): build.gz
        for build in sorted(builds, key=lambda build: order.index(build.index.name))
    }
    files = {found.path: blob for found, blob in listed.items()}
    return {yum.REPOMD: yum.repomd(publication.serial, date, listed)}, files


def add_files(
    publication: Publication, texts: Mapping[str, bytes], blobs: Mapping[str, Blob]
) -> None:
    """Give the publication new small files, and those that lie in the store already."""
    with Batch() as batch:
        found = {path: batch.add([data]) for path, data in texts.items()}
    kept = keep_blobs(found.values())
    rows = dict(blobs) | {path: kept[one.sha256] for path, one in found.items()}
    IndexFile.objects.bulk_create(
        IndexFile(publication=publication, path=path, blob=blob) for path, blob in rows.items()
    )


def read_file(publication: Publication, path: str) -> bytes:
    blob = publication.files.select_related("blob").get(path=path).blob
    return store.blob_path(blob.sha256).read_bytes()
