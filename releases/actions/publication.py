"""Building, signing and switching to a publication: three steps, each repeatable.

The row's state is the queue. A step takes its row, does its work and commits; a process that dies
leaves the row where it was, and the next one does the same step again.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db import transaction

from portal.lib import audit
from releases import store
from releases.actions.signature import keys_that_signed
from releases.actions.upload import keep_blob
from releases.distributions import DEFAULT_ARCHITECTURES
from releases.models import IndexFile, Package, Publication, Repository
from releases.repository import apt, yum
from releases.signing import Signer

State = Publication.State
SECOND = dt.timedelta(seconds=1)


def packages_of(publication: Publication) -> list[Package]:
    """What this publication shows, in the order of its indices."""
    members = publication.repository.memberships.in_publication(publication.serial)
    found = Package.objects.filter(memberships__in=members)
    return list(found.order_by("name", "version", "architecture"))


def _take(publication_id: int, state: State) -> Publication | None:
    """The row, locked, if it waits for this step and nobody else is at it."""
    return (
        Publication.objects.select_for_update(skip_locked=True, of=["self"])
        .select_related("repository__series__product", "repository__current")
        .filter(pk=publication_id, state=state)
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
    packages = packages_of(publication)
    unsigned = any(p.format == Package.Format.RPM and p.signed_at is None for p in packages)
    if unsigned or earlier.exists():
        return False
    write = _apt_files if repository.system.is_deb else _yum_files
    for path, data in write(repository, publication.serial, date, packages).items():
        _add_file(publication, path, data)
    publication.state, publication.dated_at = State.BUILT, date
    publication.packages = len(packages)
    publication.save(update_fields=["state", "dated_at", "packages"])
    return True


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
        _add_file(publication, "Release.gpg", signature)
        _add_file(publication, "InRelease", signed.inline)
    else:
        signature = signer.sign_repomd(name, serial, read_file(publication, yum.REPOMD))
        _add_file(publication, f"{yum.REPOMD}.asc", signature)
    keys = keys_that_signed(signature, signer=signer)
    publication.state, publication.key = State.SIGNED, keys[0]
    publication.save(update_fields=["state", "key"])
    publication.keys.set(keys)
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
    repository = Repository.objects.select_for_update().get(pk=publication.repository_id)
    repository.publications.filter(state=State.CURRENT).update(state=State.PAST)
    publication.state, publication.switched_at = State.CURRENT, at
    publication.save(update_fields=["state", "switched_at"])
    repository.current = publication
    repository.save(update_fields=["current"])
    audit.record(
        actor=None,
        verb="publication.switch",
        subject=publication,
        repository=repository.name,
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
    audit.record(actor=None, verb="publication.fail", subject=publication, reason=reason)


# --- files --------------------------------------------------------------------------------------


def _apt_files(
    repository: Repository, serial: int, date: dt.datetime, packages: Sequence[Package]
) -> dict[str, bytes]:
    """The files below dists/<codename>/, Release last."""
    own = {package.architecture for package in packages} - {"all"}
    architectures = sorted(own) or list(DEFAULT_ARCHITECTURES["deb"])
    files: dict[str, bytes] = {}
    for architecture in architectures:
        stanzas = [
            package.stanzas["packages"].encode()
            for package in packages
            if package.architecture in {architecture, "all"}
        ]
        files |= apt.architecture_indices(architecture, apt.packages(stanzas))
    listed = {path: apt.digests(data) for path, data in files.items()}
    suite = apt.Suite(repository.origin, repository.label, repository.codename)
    return files | {"Release": apt.release(suite, date, architectures, listed)}


def _yum_files(
    repository: Repository, serial: int, date: dt.datetime, packages: Sequence[Package]
) -> dict[str, bytes]:
    """The files below the root, repomd.xml last."""
    indices = [
        yum.index(kind, [package.stanzas[kind] for package in packages]) for kind in yum.KINDS
    ]
    files = {index.path: index.data for index in indices}
    return files | {yum.REPOMD: yum.repomd(serial, date, indices)}


def _add_file(publication: Publication, path: str, data: bytes) -> None:
    found = apt.digests(data)
    store.keep_bytes(data, found)
    IndexFile.objects.create(publication=publication, path=path, blob=keep_blob(found))


def read_file(publication: Publication, path: str) -> bytes:
    blob = publication.files.select_related("blob").get(path=path).blob
    return store.blob_path(blob.sha256).read_bytes()


# --- the check before the switch ------------------------------------------------------------------


def faults_of(publication: Publication) -> str:
    """What is wrong with the bytes on disk, or an empty text."""
    for file in publication.files.select_related("blob"):
        path = store.blob_path(file.blob.sha256)
        if not path.exists() or store.digest(path) != file.blob.digests:
            return f"{file.path} on disk is not what was built"
    for package in packages_of(publication):
        if not store.blob_path(package.file.blob.sha256).exists():
            return f"{package} is not in the store"
    if publication.repository.system.is_deb:
        return _apt_faults(publication)
    return _yum_faults(publication)


def _apt_faults(publication: Publication) -> str:
    release = read_file(publication, "Release").decode()
    for file in publication.files.select_related("blob").filter(path__startswith=apt.COMPONENT):
        if f" {file.blob.sha256} {file.blob.size} {file.path}\n" not in release:
            return f"Release does not list {file.path} as it is"
    return ""


def _yum_faults(publication: Publication) -> str:
    _, _, listed = yum.read_repomd(read_file(publication, yum.REPOMD))
    have = dict(publication.files.values_list("path", "blob__sha256"))
    wrong = [path for path, sha256 in listed.items() if have.get(path) != sha256]
    return f"repomd.xml does not list {wrong[0]} as it is" if wrong else ""
