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
from releases.actions.index import Written, keep_builds, write_indices
from releases.actions.signature import keys_that_signed
from releases.batch import Batch
from releases.models import Blob, IndexBuild, IndexFile, Package, Publication, Repository
from releases.repository import apt, yum
from releases.signing import Signer

State = Publication.State
SECOND = dt.timedelta(seconds=1)
NAMED = ("repository__series__product", "repository__release")  # what its name is made of


def packages_to_sign(publication: Publication) -> QuerySet[Package]:
    """The rpms that this publication shows and that nobody signed yet.

    Those of the product that nobody signed are few, and found first: a join with all that the
    repository holds costs more than anything else here when the planner begins at that end.
    """
    repository = publication.repository
    if repository.system.is_deb:
        return Package.objects.none()
    unsigned = Package.objects.filter(format=Package.Format.RPM, signed_at=None)
    found = list(unsigned.filter(product=repository.series.product_id).values_list("pk", flat=True))
    if not found:
        return Package.objects.none()
    members = repository.memberships.in_publication(publication.serial)
    return Package.objects.filter(memberships__in=members.filter(package__in=found))


def _take(publication_id: int, state: State, *related: str) -> Publication | None:
    """The row, locked, if it waits for this step and nobody else is at it."""
    return (
        Publication.objects.select_for_update(skip_locked=True, of=["self"])
        .select_related(*related)
        .filter(pk=publication_id, state=state)
        .order_by("pk")  # the order for people is by product and series: joins that cost more
        .first()
    )


@transaction.atomic
def build_publication(*, publication_id: int, at: dt.datetime) -> bool:
    """Write all index files; False when it is not its turn yet (same second, an older one waits,
    or an rpm is not signed).
    """
    publication = _take(publication_id, State.QUEUED, "repository__series", "repository__current")
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
    with Batch() as batch:
        indices = write_indices(publication=publication, batch=batch)
        list_files = _apt_files if repository.system.is_deb else _yum_files
        name, text, listed = list_files(publication, date, indices)
        contents = batch.add([text])
    blobs = {blob.sha256: blob for build in indices.kept for blob in (build.gz, build.zst)}
    blobs |= keep_blobs([*indices.new_files, contents])
    keep_builds(indices.fresh, publication.serial, blobs)
    listed[name] = contents.sha256
    _add_files(publication, {path: blobs[sha256] for path, sha256 in listed.items()})
    publication.state, publication.packages = State.BUILT, indices.packages
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
    publication = _take(publication_id, State.BUILT, *NAMED)
    if publication is None:
        return False
    name, serial = publication.repository.name, publication.serial
    if publication.repository.system.is_deb:
        signed = signer.sign_release(name, serial, _read_file(publication, "Release"))
        signature = signed.detached
        texts = {"Release.gpg": signature, "InRelease": signed.inline}
    else:
        signature = signer.sign_repomd(name, serial, _read_file(publication, yum.REPOMD))
        texts = {f"{yum.REPOMD}.asc": signature}
    _add_texts(publication, texts)
    keys = keys_that_signed(signature, signer=signer)
    publication.state, publication.key = State.SIGNED, keys[0]
    publication.save(update_fields=["state", "key"])
    publication.keys.add(*keys)
    return True


@transaction.atomic
def switch_publication(*, publication_id: int, at: dt.datetime) -> bool:
    """Check the publication and make it the one that clients read, in one step."""
    publication = _take(publication_id, State.SIGNED, *NAMED)
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

Contents = tuple[str, bytes, dict[str, str]]  # path and text of the list, SHA-256 by path in it


def _apt_files(
    publication: Publication, date: dt.datetime, indices: Iterable[IndexBuild | Written]
) -> Contents:
    """Release, and the files that it lists by their paths below dists/<codename>/."""
    listed: dict[str, apt.Listed] = {}
    files: dict[str, str] = {}
    architectures = set()
    for one in indices:
        path = apt.index_path(one.index.component, one.index.name)
        architectures.add(one.index.name)
        listed[path] = apt.Listed(one.text_size, one.text_sha256)
        for suffix, found in ((".gz", one.gz), (".zst", one.zst)):
            listed[path + suffix] = apt.Listed(found.size, found.sha256, found.md5)
            files[path + suffix] = found.sha256
    repository = publication.repository
    suite = apt.Suite(repository.origin, repository.label, repository.codename)
    until = publication.valid_until
    text = apt.release(suite, date, sorted(architectures), listed, valid_until=until)
    return "Release", text, files


def _yum_files(
    publication: Publication, date: dt.datetime, indices: Iterable[IndexBuild | Written]
) -> Contents:
    """repomd.xml, and the files that it lists by their paths below the root."""
    found = {one.index.name: one for one in indices}
    order = [*yum.KINDS, *sorted(found.keys() - set(yum.KINDS))]
    listed = [
        yum.Listed(kind, one.gz.sha256, one.gz.size, one.text_sha256, one.text_size)
        for kind, one in ((kind, found[kind]) for kind in order)
    ]
    files = {one.path: one.sha256 for one in listed}
    return yum.REPOMD, yum.repomd(publication.serial, date, listed), files


def _add_texts(publication: Publication, texts: Mapping[str, bytes]) -> None:
    """Give the publication new small files."""
    with Batch() as batch:
        found = {path: batch.add([data]) for path, data in texts.items()}
    blobs = keep_blobs(found.values())
    _add_files(publication, {path: blobs[one.sha256] for path, one in found.items()})


def _add_files(publication: Publication, blobs: Mapping[str, Blob]) -> None:
    IndexFile.objects.bulk_create(
        IndexFile(publication=publication, path=path, blob=blob) for path, blob in blobs.items()
    )


def _read_file(publication: Publication, path: str) -> bytes:
    sha256 = publication.files.values_list("blob__sha256", flat=True).get(path=path)
    return store.blob_path(sha256).read_bytes()
